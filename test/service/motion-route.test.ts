import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type MotionAnswer, MotionAnswerSchema } from "../../src/planning/motions/motion-answer.js";
import type { MotionRequest } from "../../src/planning/motions/motion-request.js";
import type { ErrorCode } from "../../src/runtime/error-catalogue.js";
import { packageRoot } from "../../src/runtime/package-root.js";
import { findProblems } from "../../src/runtime/schema-problems.js";
import { createService } from "../../src/service/service.js";
import type { ServiceInstance } from "../../src/service/service-types.js";
import { expectProblem, serviceOptions } from "./make-service.js";

let app: ServiceInstance;
beforeAll(async () => {
  app = await createService(serviceOptions("planning.execution=inline", "planning.motionBudgetMs=20000"));
});
afterAll(() => app.close());

const file = join(packageRoot, "data", "requests", "move-panda.json");
const shipped = JSON.parse(readFileSync(file, "utf8")) as MotionRequest;

function post(payload: unknown) {
  return app.inject({ method: "POST", url: "/v1/motions", payload: payload as object });
}

describe("POST /v1/motions", () => {
  it("answers with a motion that follows its schema, exports included", async () => {
    const response = await post({ ...shipped, sample: { rateHz: 20 }, export: ["csv", "ros", "ur"] });
    expect(response.statusCode).toBe(200);
    const answer = response.json<MotionAnswer>();
    expect(findProblems(MotionAnswerSchema, answer)).toEqual([]);
    expect(answer).toMatchObject({ status: "planned", robot: "panda", groups: ["arm"], from: 0 });
    expect(answer.verified).toContain("motion");
    expect(Object.keys(answer.exports!).sort()).toEqual(["csv", "ros", "ur"]);
  });

  it("answers normally where there is no motion", async () => {
    const response = await post({ robot: "panda", goal: { position: [3, 0, 0.5] } });
    expect(response.statusCode).toBe(200);
    expect(response.json<MotionAnswer>()).toMatchObject({ status: "unreachable", reasons: [{ kind: "out-of-reach" }] });
  });

  it.each<[ErrorCode, object]>([
    ["FLY_MOTION_GOAL_OUTSIDE_LIMITS", { robot: "panda", goal: { joints: { arm1: 9 } } }],
    ["FLY_MOTION_TIME_PAST", { ...shipped, when: { at: -1 } }],
    ["FLY_ROBOT_UNKNOWN", { ...shipped, robot: "nobot" }],
    ["FLY_HTTP_REQUEST_INVALID", { ...shipped, goal: { joints: { arm1: "far" } } }],
  ])("refuses with %s", async (code, payload) => {
    expectProblem(await post(payload), code, (await post(payload)).statusCode);
  });

  it("is counted", async () => {
    const { payload } = await app.inject({ method: "GET", url: "/metrics" });
    expect(payload).toMatch(/flycatcher_motions_total\{planner="[\w-]+",status="planned"\} [1-9]/);
  });
});
