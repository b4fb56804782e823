import { describe, expect, it } from "vitest";
import type { MotionAnswer } from "../../src/planning/motions/motion-answer.js";
import type { PlanService } from "../../src/planning/pool/plan-service.js";
import type { PlanAnswer } from "../../src/planning/request/answer.js";
import { StartingPlanService } from "../../src/service/plan-routes.js";

const answer = { status: "solved" } as PlanAnswer;
const request = { ball: {} };
const { signal } = new AbortController();

class QuickService implements PlanService {
  readonly concurrency = 3;
  isClosed = false;

  async plan(): Promise<PlanAnswer> {
    return answer;
  }

  async move(): Promise<MotionAnswer> {
    return { status: "planned" } as MotionAnswer;
  }

  async close(): Promise<void> {
    this.isClosed = true;
  }
}

describe("a plan service that is still starting", () => {
  it("says so, lets requests wait, and hands them on once it has started", async () => {
    const { promise, resolve } = withResolvers<PlanService>();
    const starting = new StartingPlanService(promise);
    expect(starting.obstacle).toContain("starting");
    expect(starting.concurrency).toBe(1);
    const early = starting.plan(request, signal);
    resolve(new QuickService());
    expect(await early).toBe(answer);
    expect(starting.obstacle).toBeUndefined();
    expect(starting.concurrency).toBe(3);
  });

  it("says why it did not start, and fails requests with that", async () => {
    const starting = new StartingPlanService(Promise.reject(new Error("no workers")));
    await expect(starting.plan(request, signal)).rejects.toThrow("no workers");
    expect(starting.obstacle).toBe("the planners did not start: no workers");
    await starting.close();
  });

  it("closes what it started", async () => {
    const service = new QuickService();
    await new StartingPlanService(service).close();
    expect(service.isClosed).toBe(true);
  });
});

function withResolvers<T>(): { promise: Promise<T>; resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => undefined;
  const promise = new Promise<T>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
