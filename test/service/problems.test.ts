import type { InjectOptions } from "fastify";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createService } from "../../src/service/service.js";
import type { ServiceInstance } from "../../src/service/service-types.js";
import { expectProblem, serviceOptions } from "./make-service.js";

let app: ServiceInstance;
beforeAll(async () => {
  app = await createService(serviceOptions("service.bodyLimitBytes=20000"));
});
afterAll(() => app.close());

function post(payload: string, extra: Partial<InjectOptions> = {}) {
  return app.inject({
    method: "POST",
    url: "/trial",
    headers: { "content-type": "application/json" },
    payload,
    ...extra,
  });
}

const nested = (depth: number) => `{"robot":"r","start":[1,2,3],"any":${"[".repeat(depth)}${"]".repeat(depth)}}`;

describe("a request that is right", () => {
  it("passes, body untouched and query converted", async () => {
    const response = await post('{"robot":"r","start":[1,2,3]}', { query: { rate: "5" } });
    expect(response.statusCode).toBe(200);
    expect(response.json()).toEqual({ robot: "r", start: [1, 2, 3], rate: 5 });
  });
});

describe("every error is a problem document:", () => {
  it("an unknown address", async () => {
    expectProblem(await app.inject("/nope"), "FLY_HTTP_ROUTE_UNKNOWN", 404);
    expectProblem(await app.inject({ method: "POST", url: "/nope?x=1" }), "FLY_HTTP_ROUTE_UNKNOWN", 404);
  });

  it("a method the address does not answer, with those it does", async () => {
    const response = await app.inject({ method: "PUT", url: "/v1/robots/panda/scene?x=1" });
    expectProblem(response, "FLY_HTTP_METHOD_NOT_ALLOWED", 405);
    expect(response.headers.allow).toBe("GET, HEAD");
    expectProblem(await app.inject("/trial"), "FLY_HTTP_METHOD_NOT_ALLOWED", 405);
  });

  it.each([
    ["{", "torn"],
    ["", "empty"],
    ['{"robot": NaN}', "NaN"],
    ['{"robot": "r", "__proto__": {}}', "a forbidden key"],
  ])("a body that is not JSON: %s (%s)", async (body) => {
    expectProblem(await post(body), "FLY_JSON_MALFORMED", 400);
  });

  it.each([
    ['{"robot":"r"}', "#/start", "nothing"],
    ['{"robot":7,"start":[1,2,3]}', "#/robot", "7"],
    ['{"robot":"r","start":[1,2]}', "#/start", "[1,2]"],
    ['{"robot":"r","start":[1,2,"3"]}', "#/start/2", '"3"'],
    ['{"robot":"r","start":[1,2,1e999]}', "#/start/2", "Infinity"],
    ['{"robot":"r","start":[1,2,3],"colour":1}', "#/colour", 'the key "colour"'],
    ['{"robot":"r","start":[1,2,3],"a b%":1}', "#/a%20b%25", 'the key "a b%"'],
    ["null", "#", "null"],
    ["[]", "#", "[]"],
  ])("a wrong field: %s", async (body, pointer, found) => {
    const problem = expectProblem(await post(body), "FLY_HTTP_REQUEST_INVALID", 400);
    expect(problem.errors).toEqual([{ pointer, in: "body", expected: expect.any(String), found }]);
  });

  it("several wrong fields, all named", async () => {
    const problem = expectProblem(await post('{"start":7,"x":1}'), "FLY_HTTP_REQUEST_INVALID", 400);
    expect(problem.errors?.map(({ pointer }) => pointer).sort()).toEqual(["#/robot", "#/start", "#/x"]);
  });

  it("a wrong query", async () => {
    const response = await post('{"robot":"r","start":[1,2,3]}', { query: { rate: "fast" } });
    const problem = expectProblem(response, "FLY_HTTP_REQUEST_INVALID", 400);
    expect(problem.errors).toEqual([{ pointer: "#/rate", in: "query", expected: "an integer ≥ 1", found: '"fast"' }]);
  });

  it("a missing body", async () => {
    expectProblem(await app.inject({ method: "POST", url: "/trial" }), "FLY_HTTP_REQUEST_INVALID", 400);
  });

  it("a body that is too long", async () => {
    expectProblem(await post(`"${"x".repeat(20_000)}"`), "FLY_HTTP_BODY_TOO_LARGE", 413);
  });

  it("a body that nests too deeply, however deep", async () => {
    expect((await post(nested(31))).statusCode).toBe(200);
    expectProblem(await post(nested(32)), "FLY_HTTP_BODY_TOO_DEEP", 400);
    expectProblem(await post("[".repeat(19_000)), "FLY_HTTP_BODY_TOO_DEEP", 400);
    expectProblem(await post('{"a":'.repeat(3000)), "FLY_HTTP_BODY_TOO_DEEP", 400);
  });

  it("a body of another type", async () => {
    for (const type of ["text/plain", "application/xml", "application/x-www-form-urlencoded", "nonsense"]) {
      expectProblem(await post("{}", { headers: { "content-type": type } }), "FLY_HTTP_MEDIA_TYPE", 415);
    }
  });

  it("an address that cannot be decoded", async () => {
    expectProblem(await app.inject("/v1/robots/%zz"), "FLY_HTTP_MALFORMED", 400);
  });

  it("a bug, without its inside", async () => {
    const response = await app.inject("/trial/bug");
    const problem = expectProblem(response, "FLY_INTERNAL", 500);
    expect(response.payload).not.toContain("secret inside");
    expect(problem.requestId).toMatch(/^req-/);
  });

  it("an error of a handler that names a field, and one that names a file", async () => {
    const field = expectProblem(await app.inject("/trial/field"), "FLY_ROBOT_UNKNOWN", 404);
    expect(field.errors).toEqual([{ pointer: "#/robot/a%20b", expected: "x", found: "y" }]);
    const file = expectProblem(await app.inject("/trial/file"), "FLY_FILE_UNREADABLE", 404);
    expect(file.errors).toBeUndefined();
  });
});
