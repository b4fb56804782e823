import { expect, it } from "vitest";
import { PlannerPool } from "../../../src/nodes/planner-host/planner-pool.module.js";
import { deep } from "../../support/deep.js";
import { easy, planOf } from "./pool-jobs.js";

const jobs = deep(2000, 100_000);
/** What a job may leave behind [B], the heap's own breath shared out: an answer has some kilobytes. */
const nothing = 200;
/** Memory that comes and goes with the collectors, of buffers and of the process [B]; a leak is some 50 MB. */
const breath = { arrayBuffers: 4e6, rss: 48e6 };

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
  globalThis.gc?.();
  const before = process.memoryUsage();
  await solveMany(jobs);
  globalThis.gc?.();
  const after = process.memoryUsage();
  await pool.close();
  expect((after.heapUsed - before.heapUsed) / jobs).toBeLessThan(nothing);
  expect(after.arrayBuffers - before.arrayBuffers).toBeLessThan(breath.arrayBuffers);
  expect(after.rss - before.rss).toBeLessThan(breath.rss);
});
