import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { Random } from "../../../src/math/random.js";
import { InlinePlanner } from "../../../src/planning/pool/inline-planner.module.js";
import type { PlannerAnswer, PlanOptions } from "../../../src/planning/pool/planner-interface.js";
import { PlannerPool } from "../../../src/planning/pool/planner-pool.module.js";
import type { PoolOptions } from "../../../src/planning/pool/pool-options.js";
import { bitsOf, cold, lwrArm, QuestionMaker } from "./pool-questions.js";

const arms = [lwrArm];
const one = { kind: "cold", starts: 1, iterations: 60 } as const;
const question = catchableQuestion();

/** A question whose very first start leads to a catch. */
function catchableQuestion() {
  const maker = new QuestionMaker(lwrArm);
  const inline = new InlinePlanner({ arms });
  const random = new Random("pool order");
  for (;;) {
    const candidate = maker.make(random, "soft");
    let found = false;
    inline.submit(candidate, { search: one }, ({ solution }) => {
      found = solution.found;
    });
    if (found) return candidate;
  }
}

/** A pool whose workers have done a first job. */
async function startPool(options: Partial<PoolOptions>): Promise<PlannerPool> {
  const pool = await PlannerPool.start({ arms, practice: 0, stuckTimeoutMs: 20_000, ...options });
  await pool.plan(question, { search: cold });
  return pool;
}

/** Asks, and writes down what becomes of it. */
function ask(pool: PlannerPool, log: string[], name: string, options: PlanOptions): Promise<PlannerAnswer> {
  return new Promise((resolve) =>
    pool.submit(question, options, (answer) => {
      log.push(`${name} ${answer.status}`);
      resolve(answer);
    }),
  );
}

describe("a pool of one worker", () => {
  let pool: PlannerPool;
  beforeAll(async () => {
    pool = await startPool({ workers: 1, capacity: 2 });
  }, 60_000);
  afterAll(() => pool.close());

  it("lets only the newest question about a ball wait", async () => {
    const log: string[] = [];
    const running = ask(pool, log, "first", { search: cold, track: 7 });
    const waiting = ask(pool, log, "second", { search: cold, track: 7 });
    const other = ask(pool, log, "other", { search: cold, track: 8 });
    const newest = ask(pool, log, "third", { search: cold, track: 7 });
    await Promise.all([running, waiting, other, newest]);
    expect(log).toEqual(["second superseded", "first answered", "other answered", "third answered"]);
  });

  it("answers live questions before all others", async () => {
    const log: string[] = [];
    const asked = [
      ask(pool, log, "running", { search: one }),
      ask(pool, log, "service", { search: one }),
      ask(pool, log, "live", { search: one, priority: "live" }),
    ];
    await Promise.all(asked);
    expect(log).toEqual(["running answered", "live answered", "service answered"]);
  });

  it("refuses more than may wait, and loses none of those that do", async () => {
    const log: string[] = [];
    const before = pool.statistics().settled;
    const asked = ["a", "b", "c", "d"].map((name) => ask(pool, log, name, { search: one }));
    expect(log).toEqual(["d refused"]);
    expect(pool.statistics()).toMatchObject({ waiting: 2, busyWorkers: 1 });
    await Promise.all(asked);
    expect(log.slice(1)).toEqual(["a answered", "b answered", "c answered"]);
    const { answered, refused } = pool.statistics().settled;
    expect([answered - before.answered, refused - before.refused]).toEqual([3, 1]);
  });

  it("does not start what is called off already", async () => {
    const { status } = await pool.plan(question, { search: cold, signal: AbortSignal.abort() });
    expect(status).toBe("cancelled");
  });

  it("settles at once what is called off, waiting or running, and does the next", async () => {
    const abort = new AbortController();
    const log: string[] = [];
    const running = ask(pool, log, "running", { search: cold, signal: abort.signal });
    const waiting = ask(pool, log, "waiting", { search: cold, signal: abort.signal });
    const next = ask(pool, log, "next", { search: one });
    abort.abort();
    expect(log).toEqual(["running cancelled", "waiting cancelled"]);
    await Promise.all([running, waiting, next]);
    expect(log.at(-1)).toBe("next answered");
    expect(pool.statistics().replaced).toBe(0);
  });

  it("keeps a deadline that comes in the middle of a search", async () => {
    const longest = { kind: "cold", starts: 1000, iterations: 1000 } as const;
    const deadline = pool.clock.nowSeconds() + 0.005;
    const { status, solution } = await pool.plan(question, { search: longest, deadline });
    expect(pool.clock.nowSeconds() - deadline).toBeLessThan(10);
    expect(status).toBe("answered");
    expect(solution.cutShort).toBe(true);
  });

  it("gives its answers to a thread that polls, without any event", async () => {
    const expected = await new InlinePlanner({ arms }).plan(question, { search: cold });
    let answer: PlannerAnswer | undefined;
    pool.submit(question, { search: cold }, (settled) => {
      answer = settled;
    });
    while (answer === undefined) pool.poll(100);
    expect(bitsOf((answer as PlannerAnswer).solution)).toEqual(bitsOf(expected.solution));
  });

  it("refuses a question for an arm that it does not have, or that fits into no job", () => {
    const submit = (wrong: object) => pool.submit({ ...question, ...wrong }, { search: cold }, () => undefined);
    expect(() => submit({ arm: 1 })).toThrowError(expect.objectContaining({ code: "FLY_POOL_JOB_SIZE" }));
    expect(() => submit({ w0: new Float64Array(6) })).toThrowError(
      expect.objectContaining({ code: "FLY_POOL_JOB_SIZE" }),
    );
  });

  it("reports a ball that cannot fly as one that cannot be caught", async () => {
    const ball = { ...question.ball, drag: Number.NaN };
    const { status, solution } = await pool.plan({ ...question, ball }, { search: cold });
    expect(status).toBe("answered");
    expect(solution).toMatchObject({ found: false, starts: 0 });
  });
});

describe("a pool with a worker that hangs", () => {
  let pool: PlannerPool;
  afterEach(() => pool.close());

  it("answers about a ball in order: what would come after a newer answer is dropped", async () => {
    pool = await startPool({ workers: 2 });
    const log: string[] = [];
    const stuck = ask(pool, log, "first", { search: one, track: 7, drill: "spin" });
    const newer = ask(pool, log, "second", { search: one, track: 7 });
    await Promise.all([stuck, newer]);
    expect(log).toEqual(["first superseded", "second answered"]);
  });

  it("keeps a deadline with what the others have found", async () => {
    pool = await startPool({ workers: 2 });
    const deadline = pool.clock.nowSeconds() + 1;
    const { status, solution } = await pool.plan(question, { search: cold, deadline, drill: "spin" });
    expect(status).toBe("answered");
    expect(solution.cutShort).toBe(true);
    expect(solution.found).toBe(true);
    expect(solution.starts).toBeGreaterThan(1);
  });

  it("keeps a deadline with what the only worker had found before, and one that it never came to", async () => {
    pool = await startPool({ workers: 1 });
    const deadline = pool.clock.nowSeconds() + 1;
    const hanging = pool.plan(question, { search: cold, deadline, drill: "spin" });
    const waiting = pool.plan(question, { search: cold, deadline: pool.clock.nowSeconds() + 0.05 });
    expect((await waiting).solution).toMatchObject({ found: false, cutShort: true, starts: 0 });
    expect((await hanging).solution).toMatchObject({ found: true, cutShort: true, starts: 1 });
  });

  it("has another for live questions, if one is reserved", async () => {
    pool = await startPool({ workers: 1, liveWorkers: 1 });
    expect(pool.statistics().workers).toBe(2);
    const log: string[] = [];
    const stuck = ask(pool, log, "stuck", { search: one, drill: "spin" });
    const waiting = ask(pool, log, "waiting", { search: one });
    await ask(pool, log, "live", { search: one, priority: "live" });
    expect(log).toEqual(["live answered"]);
    expect(pool.statistics().waiting).toBe(1);
    await pool.close();
    await Promise.all([stuck, waiting]);
    expect(log.slice(1)).toEqual(["stuck cancelled", "waiting cancelled"]);
    expect(() => pool.submit(question, { search: one }, () => undefined)).toThrowError(/closed/);
  });
});
