import { expect, it } from "vitest";
import { Random } from "../../../src/math/random.js";
import type { CatchQuestion, CatchSearch } from "../../../src/planning/pool/catch-question.js";
import { PlannerPool } from "../../../src/planning/pool/planner-pool.module.js";
import { deep } from "../../support/deep.js";
import { cold, lwrArm, QuestionMaker, warmFrom } from "./pool-questions.js";

const jobs = deep(20_000, 400_000);
/** What a job may leave behind [B]: less than the smallest object. */
const nothing = 8;
/** Memory that comes and goes with the collectors, of buffers and of the process [B]; a leak is some 50 MB. */
const breath = { arrayBuffers: 4e6, rss: 24e6 };

async function solveMany(pool: PlannerPool, question: CatchQuestion, search: CatchSearch, count: number) {
  for (let k = 0; k < count; k += 2)
    await Promise.all([pool.plan(question, { search }), pool.plan(question, { search })]);
}

it("does not grow over many jobs", { timeout: 600_000 }, async () => {
  const maker = new QuestionMaker(lwrArm);
  const pool = await PlannerPool.start({ arms: [lwrArm], workers: 2, practice: 0, stuckTimeoutMs: 20_000 });
  const question = maker.make(new Random("pool memory"), "soft");
  const { solution } = await pool.plan(question, { search: cold });
  expect(solution.found).toBe(true);
  const search = warmFrom(solution);
  await solveMany(pool, question, search, jobs / 4);
  globalThis.gc?.();
  const before = process.memoryUsage();
  await solveMany(pool, question, search, jobs);
  globalThis.gc?.();
  const after = process.memoryUsage();
  await pool.close();
  expect((after.heapUsed - before.heapUsed) / jobs).toBeLessThan(nothing);
  expect(after.arrayBuffers - before.arrayBuffers).toBeLessThan(breath.arrayBuffers);
  expect(after.rss - before.rss).toBeLessThan(breath.rss);
});
