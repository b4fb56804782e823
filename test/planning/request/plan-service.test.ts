import { describe, expect, it } from "vitest";
import { InlinePlanner } from "../../../src/planning/pool/inline-planner.js";
import {
  AnswerStatus,
  type JobOptions,
  type JobPlanner,
  type PlannerAnswer,
  type PlannerJob,
} from "../../../src/planning/pool/jobs.js";
import { InlinePlanService, PooledPlanService } from "../../../src/planning/pool/plan-service.js";
import { Planner } from "../../../src/planning/request/plan-catch.js";
import { standardSettings } from "../../../src/planning/request/planner-settings.js";
import type { PlanRequest } from "../../../src/planning/request/request.js";
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

/** A pool that does its jobs at once, and writes down what they were. */
class InstantPool implements JobPlanner {
  status: AnswerStatus = AnswerStatus.answered;
  readonly asked: { job: PlannerJob; options: JobOptions }[] = [];
  isClosed = false;
  readonly #idle: number;
  readonly #planner = new InlinePlanner({ settings });

  constructor(idle = 1) {
    this.#idle = idle;
  }

  idleWorkers(): number {
    return this.#idle;
  }

  async plan<J extends PlannerJob>(job: J, options: JobOptions = {}): Promise<PlannerAnswer<J["kind"]>> {
    this.asked.push({ job, options });
    if (this.status === AnswerStatus.answered) return this.#planner.plan(job, options);
    return this.status === AnswerStatus.failed
      ? { status: this.status, error: new Error("on purpose") }
      : { status: this.status };
  }

  submit(): void {
    throw new Error("not used");
  }

  poll(): void {}

  async close(): Promise<void> {
    this.isClosed = true;
  }

  get kinds(): string[] {
    return this.asked.map(({ job }) => job.kind);
  }
}

function pooled(pool: InstantPool, extra: object = {}): PooledPlanService {
  const all = { ...standardSettings, ...settings, ...extra };
  return new PooledPlanService(pool, { clock: new RealTimeClock(), concurrency: 2, robots, settings: all });
}

describe("PooledPlanService", () => {
  const justin: PlanRequest = {
    robot: "agile-justin",
    start: { position: { torso1: 0.1 } },
    ball: { state: { time: -0.2, position: [5, -0.1, 1.5], velocity: [-4.9, -0.3, 4.6] } },
  };
  const { catch: first } = new Planner({ robots, settings }).plan(request());
  const near = { joints: first!.joints, time: first!.time };

  const requests: [string, PlanRequest][] = [
    ["one arm", request()],
    ["a sure catch of two arms", { ...justin, mode: "sure" }],
    ["a ball out of time", request({ limits: { accelerationScale: 0.01 } })],
    ["an earlier catch", request({ near })],
    ["an earlier catch that leads nowhere", request({ near, limits: { accelerationScale: 0.01 } })],
    ["many starts", request({ budget: { starts: 24 } })],
    ["the body's help", { ...justin, body: "rule" }],
    ["a robot that the pool has not loaded", request({ robot: "iiwa-14" })],
  ];
  it.each(requests)("answers as the calling thread would, whole or shared out: %s", async (_, value) => {
    const { statistics: other, ...expected } = new Planner({ robots, settings }).plan(value);
    for (const idle of [0, 1, 2, 5]) {
      const pool = new InstantPool(idle);
      const { statistics: one, ...answer } = await pooled(pool).plan(value, never);
      expect(answer).toEqual(expected);
      expect({ ...one, milliseconds: 0 }).toEqual({ ...other, milliseconds: 0 });
      expect(pool.asked.length).toBeGreaterThan(0);
      if (idle < 2) expect(pool.kinds).toEqual(["plan"]);
    }
  });

  it("shares the searches of arms and starts out over idle workers", async () => {
    const pool = new InstantPool(5);
    await pooled(pool).plan({ ...justin, budget: { starts: 16 } }, never);
    expect(pool.kinds).toEqual([...Array.from({ length: 4 }, () => "search"), "answer"]);
    const searches = pool.asked.flatMap(({ job }) => (job.kind === "search" ? [[job.arm, job.part]] : []));
    expect(searches).toEqual([0, 1].flatMap((arm) => [0, 1].map((part) => [arm, { part, parts: 2 }])));
  });

  it("has the arms searched at once where the body helps, and nothing in the calling thread", async () => {
    const pool = new InstantPool(5);
    const answer = await pooled(pool).plan({ ...justin, body: "rule", budget: { starts: 5 } }, never);
    expect(answer.body).toBe("moved");
    expect(pool.kinds).toEqual(["search", "search", "answer"]);
  });

  it("gives the request's budget as a deadline", async () => {
    const pool = new InstantPool();
    await pooled(pool, { milliseconds: 40 }).plan(request(), never);
    const { job } = pool.asked[0]!;
    const times = job.kind === "plan" ? job.times! : null;
    expect(times!.deadline - times!.started).toBeCloseTo(0.04, 9);
  });

  it("refuses a wrong request at once", async () => {
    const pool = new InstantPool();
    await expect(pooled(pool).plan(request({ group: "leg" }), never)).rejects.toMatchObject({
      code: "FLY_PLAN_GROUP_UNKNOWN",
    });
    expect(pool.asked).toEqual([]);
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

  it("asks nothing for a signal that is aborted, and closes its pool", async () => {
    const pool = new InstantPool();
    const service = pooled(pool);
    await expect(service.plan(request(), AbortSignal.abort())).rejects.toMatchObject({ code: "FLY_PLAN_CANCELLED" });
    expect(pool.asked).toEqual([]);
    await service.close();
    expect(pool.isClosed).toBe(true);
  });
});
