import { once } from "node:events";
import { readFileSync } from "node:fs";
import { request as httpRequest } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { join } from "node:path";
import Ajv2020 from "ajv/dist/2020.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { MotionAnswer } from "../../src/planning/motions/motion-answer.js";
import type { PlanService } from "../../src/planning/pool/plan-service.js";
import { type PlanAnswer, PlanAnswerSchema } from "../../src/planning/request/answer.js";
import type { PlanRequest } from "../../src/planning/request/request.js";
import { FlycatcherError } from "../../src/runtime/errors.js";
import { packageRoot } from "../../src/runtime/package-root.js";
import { findProblems } from "../../src/runtime/schema-problems.js";
import { answerBatch, type BatchLine } from "../../src/service/plan-batch.js";
import { planRoutesWith } from "../../src/service/plan-routes.js";
import { createService } from "../../src/service/service.js";
import type { ServiceInstance } from "../../src/service/service-types.js";
import { dereferenced } from "../support/dereference.js";
import { expectProblem, serviceOptions } from "./make-service.js";

const inline = ["planning.execution=inline", "planning.budgetMs=10000", "planning.starts=4", "robot=lwr-arm"];
let app: ServiceInstance;
beforeAll(async () => {
  app = await createService(serviceOptions(...inline));
});
afterAll(() => app.close());

const ball = { state: { position: [4.5, 0.1, 1.4], velocity: [-4.6, 0, 4.1] } };

function post(url: string, payload: unknown, service = app) {
  const text = typeof payload === "string" ? payload : JSON.stringify(payload);
  return service.inject({ method: "POST", url, headers: { "content-type": "application/json" }, payload: text });
}

function shipped(name: string): PlanRequest {
  return JSON.parse(readFileSync(join(packageRoot, "data", "requests", `${name}.json`), "utf8")) as PlanRequest;
}

describe("POST /v1/plan", () => {
  it("answers with a plan that follows its schema", async () => {
    const response = await post("/v1/plan", shipped("lwr-arm"));
    expect(response.statusCode).toBe(200);
    const answer = response.json<PlanAnswer>();
    expect(findProblems(PlanAnswerSchema, answer)).toEqual([]);
    expect(answer).toMatchObject({ status: "solved", robot: "lwr-arm", group: "arm" });
    expect(answer.ramps).toHaveLength(7);
    expect(answer.successProbability).toBeGreaterThan(0.9);
  });

  it("takes robot, mode and starts of the configuration where the request says nothing", async () => {
    const answer = (await post("/v1/plan", { ball })).json<PlanAnswer>();
    expect(answer).toMatchObject({ robot: "lwr-arm", mode: "soft", statistics: { starts: 4 } });
  });

  it("lets the body help", async () => {
    const answer = (await post("/v1/plan", { ...shipped("agile-justin"), body: "rule" })).json<PlanAnswer>();
    expect(findProblems(PlanAnswerSchema, answer)).toEqual([]);
    expect(answer).toMatchObject({ status: "solved", robot: "agile-justin", body: "moved" });
    expect(answer.ramps?.map(({ joint }) => joint)).toEqual(expect.arrayContaining(["torso1", "baseY", "neckPan"]));
  });

  it("answers normally for a ball that cannot be caught", async () => {
    const response = await post("/v1/plan", { ball: { state: { ...ball.state, position: [4.5, 3, 1.4] } } });
    expect(response.statusCode).toBe(200);
    const { status, reasons } = response.json<PlanAnswer>();
    expect(status).toBe("unreachable");
    expect(reasons?.[0]).toMatchObject({ kind: "out-of-reach", distance: expect.any(Number) });
  });

  it.each([
    ["a wrong size", { ball: { state: { ...ball.state, position: [1, 2] } } }, "#/ball/state/position"],
    ["no ball", {}, "#/ball"],
    [
      "a number too large for JSON's reader",
      '{"ball":{"state":{"position":[1,1,1e999],"velocity":[0,0,0]}}}',
      "#/ball/state/position/2",
    ],
    ["an unknown key", { ball, speed: 1 }, "#/speed"],
    ["two wrong fields' first", { ball: { ...ball, drag: -1 } }, "#/ball/drag"],
  ])("refuses what breaks the schema: %s", async (_, body, pointer) => {
    const problem = expectProblem(await post("/v1/plan", body), "FLY_HTTP_REQUEST_INVALID", 400);
    expect(problem.errors?.map((error) => error.pointer)).toContain(pointer);
  });

  const zero = Array.from({ length: 6 }, () => [0, 0, 0, 0, 0, 0]);
  it.each([
    ["an unknown robot", { ball, robot: "nobody" }, "FLY_ROBOT_UNKNOWN", 404, "#/robot"],
    ["a path for a robot", { ball, robot: "../../etc" }, "FLY_ROBOT_UNKNOWN", 404, "#/robot"],
    ["an unknown group", { ball, group: "leg" }, "FLY_PLAN_GROUP_UNKNOWN", 400, "#/group"],
    [
      "a covariance that is none",
      { ball: { state: { ...ball.state, covariance: zero } } },
      "FLY_PLAN_COVARIANCE",
      400,
      "#/ball/state/covariance",
    ],
    [
      "a start outside limits",
      { ball, start: { position: { arm2: 9 } } },
      "FLY_PLAN_START_OUTSIDE_LIMITS",
      400,
      "#/start/position/arm2",
    ],
    [
      "a ball under the floor",
      { ball: { state: { ...ball.state, position: [4, 0, -1] } } },
      "FLY_PLAN_BALL_UNDER_FLOOR",
      400,
      "#/ball/state/position",
    ],
  ] as const)("refuses what the schema cannot see: %s", async (_, body, code, status, pointer) => {
    const problem = expectProblem(await post("/v1/plan", body), code, status);
    expect(problem.errors?.[0]?.pointer).toBe(pointer);
  });

  it("refuses ten megabytes, deep JSON and what is no JSON", async () => {
    expectProblem(await post("/v1/plan", `{"robot":"${"x".repeat(10_000_000)}"}`), "FLY_HTTP_BODY_TOO_LARGE", 413);
    expectProblem(await post("/v1/plan", `{"ball":${"[".repeat(5000)}`), "FLY_HTTP_BODY_TOO_DEEP", 400);
    expectProblem(await post("/v1/plan", '{"ball": NaN}'), "FLY_JSON_MALFORMED", 400);
  });

  it("is only there in profiles that plan", async () => {
    const without = await createService(serviceOptions("parts=service"));
    expectProblem(await post("/v1/plan", { ball }, without), "FLY_HTTP_ROUTE_UNKNOWN", 404);
    await without.close();
  });
});

function linesOf(payload: string): BatchLine[] {
  expect(payload.endsWith("\n")).toBe(true);
  return payload
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as BatchLine);
}

describe("POST /v1/plan/batch", () => {
  it("answers each request in a line of its own, the wrong ones with a problem", async () => {
    const response = await post("/v1/plan/batch", [
      { ball },
      { ball: {} },
      { ball, mode: "brave" },
      7,
      { ball, mode: "cool" },
    ]);
    expect(response.statusCode).toBe(200);
    expect(response.headers["content-type"]).toBe("application/x-ndjson");
    const lines = linesOf(response.payload);
    expect(lines.map(({ index }) => index)).toEqual([0, 1, 2, 3, 4]);
    expect(lines.map(({ answer, problem }) => answer?.status ?? problem?.code)).toEqual([
      "solved",
      "FLY_PLAN_BALL_AMBIGUOUS",
      "FLY_PLAN_REQUEST_INVALID",
      "FLY_PLAN_REQUEST_INVALID",
      "solved",
    ]);
    expect(lines[2]?.problem?.errors?.[0]?.pointer).toBe("#/mode");
  });

  it.each([
    ["nothing", [], "#"],
    ["more than a thousand", new Array(1001).fill(0), "#"],
    ["no list", { ball }, "#"],
  ])("refuses %s", async (_, body, pointer) => {
    const problem = expectProblem(await post("/v1/plan/batch", body), "FLY_HTTP_REQUEST_INVALID", 400);
    expect(problem.errors?.[0]).toMatchObject({ pointer, in: "body" });
  });
});

const answer = { status: "solved", robot: "r", group: "g", mode: "soft", body: "none" } as PlanAnswer;
const statistics = { solver: "sqp", starts: 1, iterations: 1, evaluations: 1, milliseconds: 2 } as const;

/** A service whose plans wait until they are let go. */
class WaitingService implements PlanService {
  readonly concurrency: number;
  readonly begun: AbortSignal[] = [];
  readonly #waiting: (() => void)[] = [];
  isClosed = false;

  constructor(concurrency = 1) {
    this.concurrency = concurrency;
  }

  plan(_: PlanRequest, signal: AbortSignal): Promise<PlanAnswer> {
    this.begun.push(signal);
    return new Promise((resolve, reject) => {
      this.#waiting.push(() => resolve({ ...answer, statistics }));
      signal.addEventListener("abort", () => reject(new FlycatcherError("FLY_PLAN_CANCELLED", "Gone")));
    });
  }

  move(): Promise<MotionAnswer> {
    return Promise.reject(new FlycatcherError("FLY_PLAN_CANCELLED", "Gone"));
  }

  letGo(): void {
    for (const go of this.#waiting.splice(0)) go();
  }

  async close(): Promise<void> {
    this.isClosed = true;
  }
}

async function serviceWith(plans: PlanService, ...overrides: string[]): Promise<ServiceInstance> {
  const options = serviceOptions(...overrides);
  const others = (options.resources ?? []).filter(({ name }) => name !== "planning");
  return createService({ ...options, resources: [...others, planRoutesWith(() => plans)] });
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5));
}

describe("past capacity", () => {
  it("turns requests away with Retry-After, and lets others in afterwards", async () => {
    const plans = new WaitingService();
    const service = await serviceWith(plans, "service.maxQueue=2");
    const first = Array.from({ length: 3 }, () => post("/v1/plan", { ball }, service));
    await until(() => plans.begun.length === 3);
    for (const url of ["/v1/plan", "/v1/plan/batch"]) {
      const refused = await post(url, url.endsWith("batch") ? [{ ball }] : { ball }, service);
      expectProblem(refused, "FLY_PLAN_OVERLOADED", 503);
      expect(refused.headers["retry-after"]).toBe("1");
    }
    plans.letGo();
    for (const { statusCode } of await Promise.all(first)) expect(statusCode).toBe(200);
    const late = post("/v1/plan", { ball }, service);
    await until(() => plans.begun.length === 4);
    plans.letGo();
    expect((await late).statusCode).toBe(200);
    await service.close();
    expect(plans.isClosed).toBe(true);
  });
});

describe("a client that goes away", () => {
  async function listening(plans: PlanService): Promise<{ service: ServiceInstance; port: number }> {
    const service = await serviceWith(plans, "service.maxQueue=0");
    await service.listen({ host: "127.0.0.1", port: 0 });
    return { service, port: (service.server.address() as AddressInfo).port };
  }

  it("calls its plan off and frees its place", async () => {
    const plans = new WaitingService();
    const { service, port } = await listening(plans);
    const body = JSON.stringify({ ball });
    const client = httpRequest({
      port,
      method: "POST",
      path: "/v1/plan",
      headers: { "content-type": "application/json" },
    });
    client.on("error", () => undefined);
    client.end(body);
    await until(() => plans.begun.length === 1);
    client.destroy();
    await until(() => plans.begun[0]!.aborted);
    const next = post("/v1/plan", { ball }, service);
    await until(() => plans.begun.length === 2);
    plans.letGo();
    expect((await next).statusCode).toBe(200);
    await service.close();
  });

  it("ends its batch between two plans and frees its place", async () => {
    const plans = new WaitingService();
    const { service, port } = await listening(plans);
    const body = JSON.stringify(new Array(5).fill({ ball }));
    const socket = connect(port, "127.0.0.1");
    socket.write(
      `POST /v1/plan/batch HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
    );
    await until(() => plans.begun.length === 1);
    plans.letGo();
    const [text] = await once(socket, "data");
    expect(String(text)).toContain("200 OK");
    await until(() => plans.begun.length === 2);
    socket.destroy();
    await until(() => plans.begun[1]!.aborted);
    const next = post("/v1/plan", { ball }, service);
    await until(() => plans.begun.length === 3);
    plans.letGo();
    expect((await next).statusCode).toBe(200);
    expect(plans.begun).toHaveLength(3);
    await service.close();
  });
});

describe("answerBatch", () => {
  it("has as many plans under way as the service makes at a time, and reads no further ahead", async () => {
    const plans = new WaitingService(3);
    const lines = answerBatch(new Array(5).fill({ ball }), plans, new AbortController().signal);
    const first = lines.next();
    await until(() => plans.begun.length === 3);
    plans.letGo();
    expect((await first).value).toMatchObject({ index: 0, answer: { status: "solved" } });
    expect(plans.begun).toHaveLength(3);
    const indices: number[] = [];
    const rest = (async () => {
      for await (const { index } of lines) indices.push(index);
    })();
    await until(() => plans.begun.length === 5);
    plans.letGo();
    await rest;
    expect(indices.sort()).toEqual([1, 2, 3, 4]);
  });
});

describe("metrics of planning", () => {
  it("count plans by mode and status, time them, and count errors by code", async () => {
    const plans = new WaitingService();
    const service = await serviceWith(plans);
    const planned = post("/v1/plan", { ball }, service);
    await until(() => plans.begun.length === 1);
    const during = (await service.inject("/metrics")).payload;
    expect(during).toContain("flycatcher_plans_under_way 1");
    plans.letGo();
    await planned;
    const failing = await serviceWith({
      concurrency: 1,
      plan: () => Promise.reject(new FlycatcherError("FLY_PLAN_TIMES", "No")),
      move: () => Promise.reject(new FlycatcherError("FLY_PLAN_TIMES", "No")),
      close: async () => undefined,
    });
    await post("/v1/plan", { ball }, failing);
    const { payload } = await service.inject("/metrics");
    expect(payload).toContain('flycatcher_plans_total{mode="soft",status="solved"} 1');
    expect(payload).toContain('flycatcher_plan_seconds_bucket{mode="soft",le="0.001"} 0');
    expect(payload).toContain('flycatcher_plan_seconds_bucket{mode="soft",le="0.0025"} 1');
    expect(payload).toContain("flycatcher_plans_under_way 0");
    expect((await failing.inject("/metrics")).payload).toContain(
      'flycatcher_plans_refused_total{code="FLY_PLAN_TIMES"} 1',
    );
    await service.close();
    await failing.close();
  });
});

describe("OpenAPI", () => {
  it("describes requests and answers by the same schemas that check them", async () => {
    const document = dereferenced((await app.inject("/openapi.json")).json());
    const { requestBody, responses } = document.paths["/v1/plan"].post;
    const ajv = new Ajv2020.default({ strict: false });
    const validateRequest = ajv.compile(requestBody.content["application/json"].schema);
    for (const name of ["lwr-arm", "agile-justin", "unreachable"]) expect(validateRequest(shipped(name))).toBe(true);
    expect(validateRequest({ ball, mode: "brave" })).toBe(false);
    const given = (await post("/v1/plan", shipped("lwr-arm"))).json();
    expect(ajv.validate(responses["200"].content["application/json"].schema, given), ajv.errorsText()).toBe(true);
    const batch = document.paths["/v1/plan/batch"].post;
    expect(batch.requestBody.content["application/json"].schema.maxItems).toBe(1000);
    expect(Object.keys(batch.responses["200"].content)).toEqual(["application/x-ndjson"]);
    expect(JSON.stringify(document.paths["/v1/plan"])).not.toContain("prefixItems");
  });
});
