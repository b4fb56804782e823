import Ajv2020 from "ajv/dist/2020.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createService } from "../../src/service/service.js";
import type { ServiceInstance } from "../../src/service/service-types.js";
import { serviceOptions } from "./make-service.js";

interface Media {
  readonly content?: Record<string, { readonly schema: object }>;
}

interface Operation {
  readonly summary?: string;
  readonly requestBody?: Media;
  readonly parameters?: readonly { readonly name: string; readonly schema: object }[];
  readonly responses: Record<string, Media>;
}

interface OpenApi {
  readonly openapi: string;
  readonly paths: Record<string, Record<string, Operation>>;
}

let app: ServiceInstance;
let document: OpenApi;

beforeAll(async () => {
  app = await createService(serviceOptions());
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
    expect(schemas.length).toBeGreaterThan(5);
    for (const { schema } of schemas) expect(ajv.validateSchema(schema), ajv.errorsText()).toBe(true);
  });

  it("describes the answers that are really given", async () => {
    const ajv = new Ajv2020.default({ strict: false });
    for (const path of ["/healthz", "/readyz", "/v1/robots"]) {
      const schema = document.paths[path]?.get?.responses["200"]?.content?.["application/json"]?.schema ?? false;
      expect(ajv.validate(schema, (await app.inject(path)).json()), ajv.errorsText()).toBe(true);
    }
    const problem = operations()[0]?.responses.default?.content?.["application/problem+json"]?.schema ?? false;
    expect(ajv.validate(problem, (await app.inject("/nope")).json()), ajv.errorsText()).toBe(true);
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
