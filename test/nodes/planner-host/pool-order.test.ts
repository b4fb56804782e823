import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { PlannerPool } from "../../../src/nodes/planner-host/planner-pool.module.js";
import type { PoolOptions } from "../../../src/nodes/planner-host/pool-options.js";
import { InlinePlanner } from "../../../src/planning/pool/inline-planner.js";
import type { JobOptions, PlannerAnswer } from "../../../src/planning/pool/jobs.js";
import { easy, planOf } from "./pool-jobs.js";

const robots = ["lwr-arm"];
const settings = { starts: 2 };
const long = planOf({ ...easy, budget: { starts: 40 } });
const job = planOf(easy);

/** A pool whose workers have done a first job. */
async function startPool(options: Partial<PoolOptions>): Promise<PlannerPool> {
  const pool = await PlannerPool.start({ robots, settings, warmUpRounds: 0, stuckTimeoutMs: 20_000, ...options });
  await pool.plan(job);
  return pool;
}

/** Asks, and writes down what becomes of it. */
function ask(pool: PlannerPool, log: string[], name: string, options: JobOptions = {}, asked = job) {
  return new Promise<PlannerAnswer>((resolve) =>
    pool.submit(asked, options, (answer) => {
      log.push(`${name} ${answer.status}`);
      resolve(answer);
    }),
  );
}

/** All but the time it took. */
function bitsOf(answer: PlannerAnswer<"plan"> | undefined): object {
  if (answer?.status !== "answered") throw new Error(`${answer?.status}`);
  return { ...answer.result, statistics: { ...answer.result.statistics, milliseconds: 0 } };
}

describe("a pool of one worker", () => {
  let pool: PlannerPool;
  beforeAll(async () => {
    pool = await startPool({ workers: 1, capacity: 2 });
  }, 60_000);
  afterAll(() => pool.close());

  it("lets only the newest job about a ball wait", async () => {
    const log: string[] = [];
    const asked = [
      ask(pool, log, "first", { track: 7 }),
      ask(pool, log, "second", { track: 7 }),
      ask(pool, log, "other", { track: 8 }),
      ask(pool, log, "third", { track: 7 }),
    ];
    await Promise.all(asked);
    expect(log).toEqual(["second superseded", "first answered", "other answered", "third answered"]);
  });

  it("does live jobs before all others", async () => {
    const log: string[] = [];
    const asked = [ask(pool, log, "running"), ask(pool, log, "service"), ask(pool, log, "live", { priority: "live" })];
    await Promise.all(asked);
    expect(log).toEqual(["running answered", "live answered", "service answered"]);
  });

  it("refuses more than may wait, and loses none of those that do", async () => {
    const log: string[] = [];
    const before = pool.statistics().settled;
    const asked = ["a", "b", "c", "d"].map((name) => ask(pool, log, name));
    expect(log).toEqual(["d refused"]);
    expect(pool.statistics()).toMatchObject({ waiting: 2, busyWorkers: 1 });
    const goesOn = ask(pool, log, "e", { place: "first" });
    await Promise.all([...asked, goesOn]);
    expect(log.slice(1)).toEqual(["a answered", "e answered", "b answered", "c answered"]);
    const { answered, refused } = pool.statistics().settled;
    expect([answered - before.answered, refused - before.refused]).toEqual([4, 1]);
  });

  it("does not start what is called off already", async () => {
    expect((await pool.plan(job, { signal: AbortSignal.abort() })).status).toBe("cancelled");
  });

  it("settles at once what is called off, waiting or running, and does the next", async () => {
    const { signal, abort } = controller();
    const log: string[] = [];
    const asked = [
      ask(pool, log, "running", { signal }, long),
      ask(pool, log, "waiting", { signal }, long),
      ask(pool, log, "next"),
    ];
    abort();
    expect(log).toEqual(["running cancelled", "waiting cancelled"]);
    await Promise.all(asked);
    expect(log.at(-1)).toBe("next answered");
    expect(pool.statistics().replaced).toBe(0);
  });

  it("keeps a deadline that comes in the middle of a search, or before it", async () => {
    const started = pool.clock.nowSeconds();
    for (const deadline of [started + 0.002, started - 1]) {
      const answer = await pool.plan({ ...long, times: { started, deadline } });
      expect(pool.clock.nowSeconds() - started).toBeLessThan(10);
      expect(["feasible", "budget-exhausted"]).toContain(answer.status === "answered" && answer.result.status);
    }
  });

  it("gives its answers to a thread that polls, without any event", async () => {
    const expected = await new InlinePlanner({ robots, settings }).plan(job);
    let answer: PlannerAnswer<"plan"> | undefined;
    pool.submit(job, {}, (settled) => {
      answer = settled;
    });
    while (answer === undefined) pool.poll(100);
    expect(bitsOf(answer)).toEqual(bitsOf(expected));
  });

  it("refuses a job for an arm that it does not have", () => {
    const submit = () => pool.submit({ kind: "arm", arm: 0, request: {} as never }, {}, () => undefined);
    expect(submit).toThrowError(expect.objectContaining({ code: "FLY_POOL_ARM_UNKNOWN" }));
  });

  it("hands on what is wrong with a request, with its code and its place", async () => {
    const answer = await pool.plan(planOf({ ...easy, group: "leg" }));
    expect(answer).toMatchObject({
      status: "failed",
      error: { code: "FLY_PLAN_GROUP_UNKNOWN", details: { path: "/group" } },
    });
  });
});

describe("a pool with a worker that hangs", () => {
  let pool: PlannerPool;
  afterEach(() => pool.close());

  it("answers about a ball in order: what would come after a newer answer is dropped", async () => {
    pool = await startPool({ workers: 2 });
    const log: string[] = [];
    const stuck = ask(pool, log, "first", { track: 7, drill: "spin" });
    const newer = ask(pool, log, "second", { track: 7 });
    await Promise.all([stuck, newer]);
    expect(log).toEqual(["first superseded", "second answered"]);
  });

  it("has another for live jobs, if one is reserved", async () => {
    pool = await startPool({ workers: 1, liveWorkers: 1 });
    expect(pool.statistics().workers).toBe(2);
    const log: string[] = [];
    const stuck = ask(pool, log, "stuck", { drill: "spin" });
    const waiting = ask(pool, log, "waiting");
    await ask(pool, log, "live", { priority: "live" });
    expect(log).toEqual(["live answered"]);
    expect(pool.statistics().waiting).toBe(1);
    await pool.close();
    await Promise.all([stuck, waiting]);
    expect(log.slice(1)).toEqual(["stuck cancelled", "waiting cancelled"]);
    expect(() => pool.submit(job, {}, () => undefined)).toThrowError(/closed/);
  });
});

function controller() {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => controller.abort() };
}
