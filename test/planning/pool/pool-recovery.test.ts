import { afterEach, describe, expect, it } from "vitest";
import { Random } from "../../../src/math/random.js";
import { InlinePlanner } from "../../../src/planning/pool/inline-planner.module.js";
import type { PlanOptions } from "../../../src/planning/pool/planner-interface.js";
import { PlannerPool } from "../../../src/planning/pool/planner-pool.module.js";
import type { PoolOptions } from "../../../src/planning/pool/pool-options.js";
import { bitsOf, cold, lwrArm, QuestionMaker, warmFrom } from "./pool-questions.js";

const arms = [lwrArm];
const maker = new QuestionMaker(lwrArm);
const random = new Random("pool recovery");
const inline = new InlinePlanner({ arms });
const pools: PlannerPool[] = [];

async function startPool(options: Partial<PoolOptions> = {}): Promise<PlannerPool> {
  const pool = await PlannerPool.start({ arms, practice: 0, stuckTimeoutMs: 20_000, ...options });
  pools.push(pool);
  return pool;
}

afterEach(async () => {
  await Promise.all(pools.splice(0).map((pool) => pool.close()));
});

/** A question with a catch, and what one thread makes of it. */
async function catchable(search: PlanOptions["search"] = cold, solver: PlanOptions["solver"] = "sqp") {
  for (;;) {
    const question = maker.make(random, "soft");
    const { solution } = await inline.plan(question, { search, solver });
    if (solution.found) return { question, expected: bitsOf(solution) };
  }
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 10));
}

describe("a worker that dies in the middle of a job", () => {
  it("is replaced and its job done anew", async () => {
    const workers = 2;
    const pool = await startPool({ workers });
    const { question, expected } = await catchable();
    const { status, solution } = await pool.plan(question, { search: cold, drill: "exit" });
    expect(status).toBe("answered");
    expect(bitsOf(solution)).toEqual(expected);
    await until(() => pool.statistics().workers === workers);
    expect(pool.statistics().replaced).toBe(1);
    const again = await pool.plan(question, { search: cold });
    expect(bitsOf(again.solution)).toEqual(expected);
  });

  it("by the hand of another is replaced as well", async () => {
    const pool = await startPool({ workers: 1 });
    const { question, expected } = await catchable();
    const answer = pool.plan(question, { search: cold, drill: "spin" });
    await pool.strikeWorker(0);
    expect(bitsOf((await answer).solution)).toEqual(expected);
    expect(pool.statistics().replaced).toBe(1);
  });

  it("for every job like that ends in a failure, and the pool goes on", async () => {
    const pool = await startPool({ workers: 1 });
    const { question, expected } = await catchable();
    const { status, failure } = await pool.plan(question, { search: cold, drill: "die" });
    expect(status).toBe("failed");
    expect(failure).toContain("3 workers");
    expect(bitsOf((await pool.plan(question, { search: cold })).solution)).toEqual(expected);
  });
});

describe("a worker that is stuck", () => {
  it("is replaced and its job done anew", async () => {
    const pool = await startPool({ workers: 2, stuckTimeoutMs: 400 });
    const { question, expected } = await catchable();
    const { solution } = await pool.plan(question, { search: cold, drill: "spin" });
    expect(bitsOf(solution)).toEqual(expected);
    expect(pool.statistics().replaced).toBeGreaterThanOrEqual(1);
  });
});

describe("NLopt in a worker", () => {
  const search = { kind: "cold", starts: 4, iterations: 200 } as const;

  it("is given up with its worker before its leak kills it", async () => {
    const pool = await startPool({ workers: 1 });
    const { question, expected } = await catchable(search, "nlopt");
    const first = await pool.plan(question, { search, solver: "nlopt" });
    expect(bitsOf(first.solution)).toEqual(expected);
    const warm = warmFrom(first.solution);
    const last = await pool.plan(question, { search: warm, solver: "nlopt", drill: "exhaust" });
    expect(last.status).toBe("answered");
    expect(pool.statistics().recycled).toBe(1);
    const next = await pool.plan(question, { search, solver: "nlopt" });
    expect(bitsOf(next.solution)).toEqual(expected);
    expect(pool.statistics()).toMatchObject({ recycled: 1, replaced: 0 });
  });

  it("has a job done anew in whose middle it is used up", async () => {
    const pool = await startPool({ workers: 1 });
    const { question, expected } = await catchable(search, "nlopt");
    const { status, solution } = await pool.plan(question, { search, solver: "nlopt", drill: "exhaust" });
    expect(status).toBe("answered");
    expect(bitsOf(solution)).toEqual(expected);
    expect(pool.statistics()).toMatchObject({ recycled: 1, replaced: 0 });
  });
});
