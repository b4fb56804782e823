import { describe, expect, it } from "vitest";
import { Flight } from "../../../src/flight/flight.js";
import type { CatchQuestion } from "../../../src/planning/pool/catch-question.js";
import type { PlannerArm } from "../../../src/planning/pool/planner-arm.js";
import { AnswerStatus, type CatchPlanner, type PlanOptions } from "../../../src/planning/pool/planner-interface.js";
import { buildCatchArm } from "../../../src/planning/problem/catch-arm.js";
import { KeepOutSet } from "../../../src/planning/problem/keep-out.js";
import { SuccessCurve } from "../../../src/planning/problem/success-curve.js";
import { Planner } from "../../../src/planning/request/plan-catch.js";
import { InlinePlanService, PooledPlanService } from "../../../src/planning/request/plan-service.js";
import type { PlanRequest } from "../../../src/planning/request/request.js";
import { CatchSolution, CatchSolver } from "../../../src/planning/search/catch-solver.js";
import { MergedSolution } from "../../../src/planning/search/merged-solution.js";
import { iterationBudget } from "../../../src/planning/solver/solver-interface.js";
import { RealTimeClock } from "../../../src/runtime/clock.js";
import { request, robots } from "./requests.js";

const never = new AbortController().signal;
const settings = { starts: 3 };

describe("InlinePlanService", () => {
  it("answers in order, one turn of the event loop each", async () => {
    const service = new InlinePlanService(new Planner({ robots, settings }));
    const order: string[] = [];
    const plans = ["soft", "cool"].map(async (mode) => {
      const answer = await service.plan(request({ mode } as Partial<PlanRequest>), never);
      order.push(answer.mode);
    });
    setImmediate(() => order.push("turn"));
    await Promise.all(plans);
    expect(order.filter((entry) => entry !== "turn")).toEqual(["soft", "cool"]);
    expect(order.indexOf("turn")).toBeLessThan(2);
  });

  it("plans nothing for those who have gone, and goes on with the others", async () => {
    const planner = new Planner({ robots, settings });
    let planned = 0;
    const counting = new InlinePlanService({
      plan: (value: PlanRequest) => {
        planned++;
        return planner.plan(value);
      },
    } as unknown as Planner);
    const gone = new AbortController();
    const plans = [counting.plan(request(), gone.signal), counting.plan(request(), never)];
    gone.abort();
    await expect(plans[0]).rejects.toMatchObject({ code: "FLY_PLAN_CANCELLED" });
    expect((await plans[1])?.status).toBe("solved");
    expect(planned).toBe(1);
    await counting.close();
  });

  it("hands on what is wrong with a request", async () => {
    const service = new InlinePlanService(new Planner({ robots, settings }));
    await expect(service.plan(request({ group: "leg" }), never)).rejects.toMatchObject({
      code: "FLY_PLAN_GROUP_UNKNOWN",
    });
    expect((await service.plan(request(), never)).status).toBe("solved");
  });
});

const arms: PlannerArm[] = [
  { robot: "agile-justin", group: "leftArm", clearance: "hulls" },
  { robot: "agile-justin", group: "rightArm", clearance: "hulls" },
  { robot: "lwr-arm", group: "arm", clearance: "hulls" },
];

/** A pool that solves at once, from the question's numbers alone. */
class InstantPool implements CatchPlanner {
  status: AnswerStatus = AnswerStatus.answered;
  readonly asked: { question: CatchQuestion; options: PlanOptions }[] = [];
  isClosed = false;

  async plan(question: CatchQuestion, options: PlanOptions) {
    this.asked.push({ question, options });
    const { robot, group } = arms[question.arm]!;
    const arm = buildCatchArm(robots.get(robot), group, question.posture!);
    const merged = new MergedSolution(question.q0.length);
    if (this.status !== AnswerStatus.answered) return { status: this.status, solution: merged, failure: "on purpose" };
    const path = new Flight();
    path.reset(question.ball, question.gravity, question.flightBegin, question.flightEnd);
    const named = question.keepOut.map(({ geometry }, link) => ({ name: `shape ${link}`, link, geometry }));
    const keepOut = KeepOutSet.compile(named, (index) => question.keepOut[index]!.baseFromLink);
    const { success } = question;
    const curve = success === null ? null : new SuccessCurve(success.from, success.step, success.values);
    const task = { ...question, path, keepOut, success: curve };
    const solver = new CatchSolver(arm, task);
    const solution = new CatchSolution(solver.problem);
    const { search } = options;
    const solve = iterationBudget(search.iterations);
    if (search.kind === "cold") solver.cold(task, { starts: search.starts, solve }, solution);
    else if (search.kind === "polish") solver.polish(task, search.starts, 1, solve, solution);
    else throw new Error("no warm search is expected");
    merged.addStart(solution, 0);
    return { status: this.status, solution: merged };
  }

  submit(): void {
    throw new Error("not used");
  }

  poll(): void {}

  async close(): Promise<void> {
    this.isClosed = true;
  }
}

function pooled(pool: InstantPool, extra: object = {}): PooledPlanService {
  const clock = new RealTimeClock();
  return new PooledPlanService(pool, { arms, clock, concurrency: 2, robots, settings: { ...settings, ...extra } });
}

describe("PooledPlanService", () => {
  const justin: PlanRequest = {
    robot: "agile-justin",
    start: { position: { torso1: 0.1 } },
    ball: { state: { time: -0.2, position: [5, -0.1, 1.5], velocity: [-4.9, -0.3, 4.6] } },
  };

  it.each([
    ["one arm", request()],
    ["a sure catch of two arms", { ...justin, mode: "sure" as const }],
    ["a ball out of time", request({ limits: { accelerationScale: 0.01 } })],
  ])("answers as the calling thread would: %s", async (_, value) => {
    const { statistics: one, ...answer } = await pooled(new InstantPool()).plan(value, never);
    const { statistics: other, ...expected } = new Planner({ robots, settings }).plan(value);
    expect(answer).toEqual(expected);
    expect({ ...one, milliseconds: 0 }).toEqual({ ...other, milliseconds: 0 });
  });

  it("asks all arms at once, with the request's budget as a deadline", async () => {
    const pool = new InstantPool();
    await pooled(pool, { milliseconds: 40 }).plan({ ...justin, budget: { starts: 5 } }, never);
    expect(pool.asked.map(({ question }) => question.arm)).toEqual([0, 1]);
    for (const { options } of pool.asked) {
      expect(options.search).toMatchObject({ kind: "cold", starts: 5 });
      expect(options.deadline).toBeGreaterThan(0);
    }
  });

  it("follows an earlier catch, and searches everywhere if that leads nowhere", async () => {
    const { catch: first } = new Planner({ robots, settings }).plan(request());
    const near = { joints: first!.joints, time: first!.time };
    for (const [accelerationScale, kinds] of [
      [1, ["polish"]],
      [0.01, ["polish", "cold"]],
    ] as const) {
      const pool = new InstantPool();
      const value = request({ near, limits: { accelerationScale } });
      const { statistics: _, ...answer } = await pooled(pool).plan(value, never);
      const { statistics: __, ...expected } = new Planner({ robots, settings }).plan(value);
      expect(answer).toEqual(expected);
      expect(pool.asked.map(({ options }) => options.search.kind)).toEqual(kinds);
    }
  });

  it("plans for other robots in the calling thread", async () => {
    const pool = new InstantPool();
    expect((await pooled(pool).plan(request({ robot: "iiwa-14" }), never)).robot).toBe("iiwa-14");
    expect(pool.asked).toEqual([]);
  });

  it("plans in the calling thread where the body moves, and asks the pool where it does not", async () => {
    const pool = new InstantPool();
    const value = { ...justin, body: "rule" as const };
    const { statistics: _, ...answer } = await pooled(pool).plan(value, never);
    const { statistics: __, ...expected } = new Planner({ robots, settings }).plan(value);
    expect(answer).toEqual(expected);
    expect(answer.body).toBe("moved");
    expect(pool.asked).toEqual([]);
    expect((await pooled(pool).plan(request({ body: "rule" }), never)).body).toBe("none");
    expect(pool.asked).toHaveLength(1);
  });

  it.each([
    [AnswerStatus.refused, "FLY_PLAN_OVERLOADED"],
    [AnswerStatus.cancelled, "FLY_PLAN_CANCELLED"],
    [AnswerStatus.superseded, "FLY_PLAN_CANCELLED"],
    [AnswerStatus.failed, "FLY_INTERNAL"],
  ])("turns %s into %s", async (status, code) => {
    const pool = new InstantPool();
    pool.status = status;
    await expect(pooled(pool).plan(request(), never)).rejects.toMatchObject({ code });
  });

  it("asks nothing for those who have gone, and closes its pool", async () => {
    const pool = new InstantPool();
    const service = pooled(pool);
    await expect(service.plan(request(), AbortSignal.abort())).rejects.toMatchObject({ code: "FLY_PLAN_CANCELLED" });
    expect(pool.asked).toEqual([]);
    await service.close();
    expect(pool.isClosed).toBe(true);
  });
});
