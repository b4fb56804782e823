import Ajv2020 from "ajv/dist/2020.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { allResources, createService } from "../../src/service/service.js";
import type { ServiceInstance } from "../../src/service/service-types.js";
import { serviceOptions } from "./make-service.js";

interface Media {
  readonly content?: Record<string, { readonly schema: object }>;
}

interface Operation {
  readonly operationId?: string;
  readonly summary?: string;
  readonly requestBody?: Media;
  readonly parameters?: readonly { readonly name: string; readonly schema: object }[];
  readonly responses: Record<string, Media>;
}

interface OpenApi {
  readonly openapi: string;
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: { readonly schemas: Record<string, object> };
}

let app: ServiceInstance;
let document: OpenApi;

beforeAll(async () => {
  app = await createService({ ...serviceOptions(), resources: allResources });
  document = (await app.inject("/openapi.json")).json<OpenApi>();
});
afterAll(() => app.close());

const operations = (): Operation[] => Object.values(document.paths).flatMap((path) => Object.values(path));

describe("GET /openapi.json", () => {
  it("is OpenAPI 3.1 with the public routes", () => {
    expect(document.openapi).toBe("3.1.0");
    const paths = Object.keys(document.paths);
    for (const path of ["/healthz", "/readyz", "/metrics", "/v1/robots", "/v1/robots/{name}"])
      expect(paths).toContain(path);
    for (const path of ["/openapi.json", "/docs", "/errors"]) expect(paths).not.toContain(path);
    expect(document.paths["/v1/robots/{name}"]?.get?.parameters?.[0]?.name).toBe("name");
  });

  it("names the problem document as the answer to errors, for every operation with a schema", () => {
    for (const { responses, summary } of operations()) {
      if (summary === undefined) continue;
      expect(Object.keys(responses.default?.content ?? {})).toEqual(["application/problem+json"]);
      expect(Object.keys(responses).some((status) => /^[12]/.test(status))).toBe(true);
    }
  });

  it("holds only schemas that are valid JSON Schema 2020-12, as OpenAPI 3.1 asks", () => {
    const ajv = new Ajv2020.default({ strict: false });
    const schemas = operations().flatMap(({ requestBody, parameters = [], responses }) => [
      ...[requestBody, ...Object.values(responses)].flatMap((media) => Object.values(media?.content ?? {})),
      ...parameters,
    ]);
    schemas.push(...Object.values(document.components.schemas).map((schema) => ({ schema })));
    expect(schemas.length).toBeGreaterThan(5);
    for (const { schema } of schemas) expect(ajv.validateSchema(schema), ajv.errorsText()).toBe(true);
  });

  it("names every operation, and the schemas of requests and answers", () => {
    const names = operations().map(({ operationId }) => operationId ?? "");
    expect(names.filter((name) => !/^[a-z][A-Za-z]+$/.test(name))).toEqual([]);
    expect(new Set(names).size).toBe(names.length);
    const { schemas } = document.components;
    for (const name of ["PlanRequest", "PlanAnswer", "Problem", "RobotDescription", "Ramp", "Catch", "ReplayState"])
      expect(Object.keys(schemas)).toContain(name);
    const bodies = operations().map(({ requestBody }) => requestBody?.content?.["application/json"]?.schema ?? {});
    const unnamed = bodies.filter((schema) => "properties" in schema);
    expect(unnamed).toEqual([]);
  });

  it("has each schema once, and no reference to another", () => {
    const references = [...JSON.stringify(document).matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(
      ([, name]) => name,
    );
    expect(new Set(references)).toEqual(new Set(Object.keys(document.components.schemas)));
  });

  it("describes the answers that are really given", async () => {
    const ajv = new Ajv2020.default({ strict: false });
    const whole = (schema: object) => ({ ...schema, components: document.components });
    for (const path of ["/healthz", "/readyz", "/v1/robots"]) {
      const schema = document.paths[path]?.get?.responses["200"]?.content?.["application/json"]?.schema ?? { not: {} };
      expect(ajv.validate(whole(schema), (await app.inject(path)).json()), ajv.errorsText()).toBe(true);
    }
    const problem = operations()[0]?.responses.default?.content?.["application/problem+json"]?.schema ?? { not: {} };
    expect(ajv.validate(whole(problem), (await app.inject("/nope")).json()), ajv.errorsText()).toBe(true);
  });
});

describe("GET /docs", () => {
  it("is a page that finds its scripts", async () => {
    const page = await app.inject("/docs/");
    expect(page.statusCode).toBe(200);
    expect(page.payload).toContain("Flycatcher API");
    const scripts = [...page.payload.matchAll(/src="(?:\.\/|\/docs\/)(\S+\.js)"/g)].map((match) => match[1]);
    expect(scripts.length).toBeGreaterThan(0);
    for (const script of scripts) expect((await app.inject(`/docs/${script}`)).statusCode).toBe(200);
  });
});
