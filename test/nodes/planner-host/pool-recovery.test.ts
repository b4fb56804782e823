import { afterEach, describe, expect, it } from "vitest";
import { PlannerPool } from "../../../src/nodes/planner-host/planner-pool.module.js";
import type { PoolOptions } from "../../../src/nodes/planner-host/pool-options.js";
import { InlinePlanner } from "../../../src/planning/pool/inline-planner.js";
import type { PlannerAnswer } from "../../../src/planning/pool/jobs.js";
import { easy, planOf } from "./pool-jobs.js";

const robots = ["lwr-arm"];
const settings = { starts: 2 };
const job = planOf(easy);
const expected = bitsOf(await new InlinePlanner({ robots, settings }).plan(job));
const pools: PlannerPool[] = [];

async function startPool(options: Partial<PoolOptions> = {}): Promise<PlannerPool> {
  const pool = await PlannerPool.start({ robots, settings, warmUpRounds: 0, stuckTimeoutMs: 20_000, ...options });
  pools.push(pool);
  return pool;
}

/** All but the time it took. */
function bitsOf(answer: PlannerAnswer<"plan">): object {
  if (answer.status !== "answered") throw new Error(answer.status);
  return { ...answer.result, statistics: { ...answer.result.statistics, milliseconds: 0 } };
}

afterEach(async () => {
  await Promise.all(pools.splice(0).map((pool) => pool.close()));
});

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 10));
}

describe("a worker that dies in the middle of a job", () => {
  it("is replaced and its job done again", async () => {
    const pool = await startPool({ workers: 2 });
    expect(bitsOf(await pool.plan(job, { drill: "exit" }))).toEqual(expected);
    await until(() => pool.statistics().workers === 2);
    expect(pool.statistics().replaced).toBe(1);
    expect(bitsOf(await pool.plan(job))).toEqual(expected);
  });

  it("from outside is replaced as well", async () => {
    const pool = await startPool({ workers: 1 });
    const answer = pool.plan(job, { drill: "spin" });
    await pool.killWorker(0);
    expect(bitsOf(await answer)).toEqual(expected);
    expect(pool.statistics().replaced).toBe(1);
  });

  it("for every job like that ends in a failure, and the pool goes on", async () => {
    const pool = await startPool({ workers: 1 });
    const answer = await pool.plan(job, { drill: "die" });
    expect(answer).toMatchObject({ status: "failed", error: { code: "FLY_POOL_JOB_FAILED" } });
    expect(bitsOf(await pool.plan(job))).toEqual(expected);
  });
});

describe("a worker that is stuck", () => {
  it("is replaced and its job done again", async () => {
    const pool = await startPool({ workers: 2, stuckTimeoutMs: 400 });
    expect(bitsOf(await pool.plan(job, { drill: "spin" }))).toEqual(expected);
    expect(pool.statistics().replaced).toBeGreaterThanOrEqual(1);
  });
});
