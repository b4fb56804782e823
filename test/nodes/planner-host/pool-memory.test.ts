import { expect, it } from "vitest";
import { PlannerPool } from "../../../src/nodes/planner-host/planner-pool.module.js";
import { deep } from "../../support/deep.js";
import { easy, planOf } from "./pool-jobs.js";

const jobs = deep(2000, 100_000);
/** What a job may leave behind [B], the heap's own breath shared out: an answer has some kilobytes. */
const nothing = 200;
/** Memory that comes and goes with the collectors, of buffers and of the process [B]; a leak is some 50 MB. */
const breath = { arrayBuffers: 4e6, rss: 48e6 };
/** A leak shows in every round; the young generations of the workers' heaps, which Node 22 and 24 let grow, in the first ones only. */
const rounds = 5;

it("does not grow over many jobs", { timeout: 600_000 }, async () => {
  const settings = { starts: 1 };
  const pool = await PlannerPool.start({
    robots: ["lwr-arm"],
    settings,
    workers: 2,
    warmUpRounds: 0,
    stuckTimeoutMs: 20_000,
  });
  const first = await pool.plan(planOf(easy));
  if (first.status !== "answered") throw new Error(first.status);
  const { joints, time } = first.result.catch!;
  const warm = planOf({ ...easy, near: { joints, time } });
  const solveMany = async (count: number) => {
    for (let k = 0; k < count; k += 2) await Promise.all([pool.plan(warm), pool.plan(warm)]);
  };
  await solveMany(jobs);
  let growth = await growthDuring(() => solveMany(jobs));
  for (let round = 1; round < rounds && growth.rss > breath.rss; round++) {
    growth = await growthDuring(() => solveMany(jobs));
  }
  await pool.close();
  expect(growth.heapUsed / jobs).toBeLessThan(nothing);
  expect(growth.arrayBuffers).toBeLessThan(breath.arrayBuffers);
  expect(growth.rss).toBeLessThan(breath.rss);
});

/** What the process holds more of after some work [B]. */
async function growthDuring(work: () => Promise<void>): Promise<NodeJS.MemoryUsage> {
  globalThis.gc?.();
  const before = process.memoryUsage();
  await work();
  globalThis.gc?.();
  const after = process.memoryUsage();
  const keys = Object.keys(before) as (keyof NodeJS.MemoryUsage)[];
  return Object.fromEntries(keys.map((key) => [key, after[key] - before[key]])) as unknown as NodeJS.MemoryUsage;
}
