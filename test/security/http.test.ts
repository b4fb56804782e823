import Ajv2020, { type ValidateFunction } from "ajv/dist/2020.js";
import type { InjectOptions, LightMyRequestResponse } from "fastify";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { Random } from "../../src/math/random.js";
import { allResources, createService } from "../../src/service/service.js";
import type { ServiceInstance } from "../../src/service/service-types.js";
import { SessionSlot } from "../../src/service/session-slot.js";
import { serviceOptions } from "../service/make-service.js";
import { TrialSession } from "../service/trial-session.js";
import { deep } from "../support/deep.js";
import { dereferenced } from "../support/dereference.js";
import { descriptors } from "../support/descriptors.js";
import { mutateBytes, mutateJson, oddValues, pick, repeatedly } from "../support/mutate.js";
import { fittingValue, type ValueSchema } from "../support/schema-values.js";

vi.setConfig({ testTimeout: deep(120_000, 14_400_000), hookTimeout: 120_000 });

type Content = Readonly<Record<string, { readonly schema?: ValueSchema }>>;
interface Operation {
  readonly requestBody?: { readonly content: Content };
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly schema: ValueSchema }[];
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
}

interface Route extends Operation {
  readonly path: string;
  readonly method: NonNullable<InjectOptions["method"]>;
}

/** Texts that lead somewhere in requests. */
const words = [
  "lwr-arm",
  "panda",
  "agile-justin",
  "ready",
  "arm",
  "constructor",
  "__proto__",
  "",
  "\u0000",
  "x".repeat(300),
];
const strangeTypes = ["text/plain", "application/octet-stream", "application/json; charset=utf-16", "nonsense", ""];

let app: ServiceInstance;
let routes: readonly Route[];
let open: number;

beforeAll(async () => {
  open = await descriptors();
  const controls = ["throw", "stop", "reset", "mode", "challenges", "nodes", "trace"] as const;
  const live = new SessionSlot(new TrialSession({ controls }));
  const settings = ["planning.starts=1", "planning.budgetMs=1", "service.bodyLimitBytes=20000"];
  app = await createService({ ...serviceOptions(...settings), resources: allResources, live });
  const document = (await app.inject("/openapi.json")).json<{ paths: Record<string, Record<string, Operation>> }>();
  const { paths } = dereferenced(document);
  routes = Object.entries(paths)
    .flatMap(([path, operations]) =>
      Object.entries(operations).map(([method, operation]) => ({
        ...operation,
        path,
        method: method as Route["method"],
      })),
    )
    // A calibration takes seconds, and the next one is refused meanwhile.
    .filter(({ path, method }) => !(path === "/v1/calibrations" && method === ("post" as Route["method"])));
});
afterAll(async () => {
  await app.close();
  expect(await descriptors()).toBeLessThanOrEqual(open + 2);
});

/** A request that fits the description, then changed in up to three places. */
function requestFor({ path, method, parameters = [], requestBody }: Route, random: Random) {
  const url = parameters.reduce((address, { name, schema }) => {
    const value = String(random.integer(4) === 0 ? pick(oddValues, random) : fittingValue(schema, random, words));
    // Without a segment it is another route's address.
    return address.replace(`{${name}}`, encodeURIComponent(value) || "-");
  }, path);
  const [type, schema] = Object.entries(requestBody?.content ?? {})[0] ?? [undefined, undefined];
  if (type === undefined) return { method, url };
  const value = fittingValue(schema?.schema ?? {}, random, words);
  const changed = repeatedly(random.integer(4), value, (tree) => mutateJson(tree, random));
  const text = JSON.stringify(changed) ?? "null";
  const payload = random.integer(8) === 0 ? mutateBytes(Buffer.from(text), random) : text;
  const contentType = random.integer(10) === 0 ? pick(strangeTypes, random) : type;
  return { method, url, headers: contentType === "" ? {} : { "content-type": contentType }, payload };
}

const ajv = new Ajv2020.default({ strict: false });
const validators = new Map<object, ValidateFunction>();

/** What is wrong with an answer; undefined: nothing. */
function flawOf({ statusCode, headers, payload }: LightMyRequestResponse, { responses }: Route): string | undefined {
  if (statusCode >= 500 && statusCode !== 503 && statusCode !== 507) return `status ${statusCode}`;
  if (statusCode === 204) return payload === "" ? undefined : "a body with 204";
  const type = String(headers["content-type"] ?? "").split(";")[0]!;
  const described = responses[statusCode] ?? responses.default;
  if (described?.content === undefined) return undefined;
  const content = described.content[type];
  if (content === undefined) return `${type} is not described for ${statusCode}`;
  if (content.schema === undefined || !type.endsWith("json")) return undefined;
  const validate = validators.get(content.schema) ?? ajv.compile(content.schema);
  validators.set(content.schema, validate);
  const values = type === "application/x-ndjson" ? payload.trim().split("\n") : [payload];
  return values.every((text) => validate(JSON.parse(text))) ? undefined : ajv.errorsText(validate.errors);
}

describe("every route of the service", () => {
  it("answers changed requests as it is described, and keeps no descriptor open", async () => {
    const random = new Random("http fuzz");
    const accepted = new Set<string>();
    expect(routes.length).toBeGreaterThan(25);
    for (let k = 0; k < deep(250, 1_000_000); k++) {
      const route = routes[k % routes.length]!;
      const request = requestFor(route, random);
      const answer = await app.inject(request);
      const flaw = flawOf(answer, route);
      expect(flaw, `${k}: ${JSON.stringify(request)} → ${answer.payload.slice(0, 300)}`).toBeUndefined();
      if (answer.statusCode < 300) accepted.add(`${route.method} ${route.path}`);
    }
    // Not everything is refused: what lies behind the checks is reached, too.
    expect(accepted.size).toBeGreaterThan(8);
    expect((await app.inject("/healthz")).statusCode).toBe(200);
  });
});
