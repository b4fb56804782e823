import { describe, expect, it } from "vitest";
import type { MotionAnswer } from "../../../src/planning/motions/motion-answer.js";
import type { MotionRequest } from "../../../src/planning/motions/motion-request.js";
import type { JobOptions, JobPlanner, PlannerJob } from "../../../src/planning/pool/jobs.js";
import { raceMotions, racersOf } from "../../../src/planning/pool/motion-race.js";

const post = { name: "post", type: "sphere" as const, center: [1, 0, 1] as [number, number, number], radius: 0.1 };
const request: MotionRequest = { robot: "panda", goal: { position: [0, 0, 1] }, obstacles: [post], seed: 5 };
const times = { started: 0, deadline: Number.POSITIVE_INFINITY };

/** Workers that answer when they are told to, by the seed of their request. */
class SlowPool implements Pick<JobPlanner, "plan"> {
  readonly begun = new Map<
    number,
    { readonly options: JobOptions; readonly end: (answer: Partial<MotionAnswer>) => void }
  >();

  plan(job: PlannerJob, options: JobOptions = {}): Promise<never> {
    const { seed } = (job as { request: MotionRequest }).request;
    return new Promise((resolve) => {
      const end = (result: Partial<MotionAnswer>) => resolve({ status: "answered", result } as never);
      this.begun.set(seed!, { options, end });
      options.signal?.addEventListener("abort", () => resolve({ status: "cancelled" } as never));
    });
  }
}

const found = { status: "planned", motion: { joints: [], duration: 1, pieces: [] } } as unknown as MotionAnswer;
const none = { status: "budget-exhausted" } as MotionAnswer;

describe("a race of planners", () => {
  it("has as many as there are idle workers, and one without a wall clock, an obstacle or a choice", () => {
    expect(racersOf(request, 100, 1)).toEqual([request]);
    const three = racersOf(request, 100, 3);
    expect(three.map(({ seed }) => seed)).toEqual([5, 6, 7]);
    expect(three.map(({ planner }) => planner ?? "auto")).toEqual(["auto", "rrt-connect", "lazy-prm"]);
    expect(racersOf(request, null, 3)).toEqual([request]);
    expect(racersOf({ ...request, obstacles: [] }, 100, 3).length).toBe(1);
    expect(racersOf({ ...request, planner: "lazy-prm" }, 100, 3).length).toBe(1);
  });

  it("is won by the first motion, and calls the others off", async () => {
    const pool = new SlowPool();
    const answer = raceMotions(
      pool as unknown as JobPlanner,
      racersOf(request, 100, 3),
      times,
      new AbortController().signal,
    );
    pool.begun.get(6)!.end(none);
    pool.begun.get(7)!.end(found);
    expect(await answer).toBe(found);
    expect(pool.begun.get(5)!.options.signal!.aborted).toBe(true);
  });

  it("without a motion the answer is that of the request itself", async () => {
    const pool = new SlowPool();
    const answer = raceMotions(
      pool as unknown as JobPlanner,
      racersOf(request, 100, 2),
      times,
      new AbortController().signal,
    );
    pool.begun.get(6)!.end({ ...none });
    pool.begun.get(5)!.end(none);
    expect(await answer).toBe(none);
  });

  it("ends when the client goes away", async () => {
    const pool = new SlowPool();
    const client = new AbortController();
    const answer = raceMotions(pool as unknown as JobPlanner, racersOf(request, 100, 2), times, client.signal);
    client.abort();
    await expect(answer).rejects.toMatchObject({ code: "FLY_PLAN_CANCELLED" });
  });
});
