import { afterAll, describe, expect, it, vi } from "vitest";
import type { ThrowResult } from "../../src/catching/run-summary.js";
import { PlannerPool } from "../../src/nodes/planner-host/planner-pool.module.js";
import { catchGroups } from "../../src/planning/problem/catch-arm.js";
import { loadRobot } from "../../src/robot/loading/load-robot.js";
import { lockStepRun } from "../../src/run/lock-step-host.js";
import { poolPlanners } from "../../src/run/pool-planners.js";
import { deep } from "../support/deep.js";

vi.setConfig({ testTimeout: 240_000 });

const robot = loadRobot("agile-justin");
const arms = catchGroups(robot).map(({ name }) => name);
const STARTS = 8;

/** Results of some pairs of balls in lock-step, planned in so many workers; none: in the run's own thread. */
async function play(workers: number): Promise<ThrowResult[]> {
  const jobArms = arms.map((group) => ({ robot: robot.name, group, starts: STARTS }));
  const pool = workers === 0 ? null : await PlannerPool.start({ robots: [], arms: jobArms, workers, warmUpRounds: 0 });
  const run = await lockStepRun({
    robot,
    world: "kinematic",
    perception: "circles",
    balls: 2,
    seed: 5,
    settlingNs: 400_000_000,
    planner: { starts: STARTS },
    ...(pool !== null && { planners: poolPlanners(pool, arms) }),
  });
  const results: ThrowResult[] = [];
  for (let k = 0; k < deep(1, 10); k++) results.push(...(await run.throwBalls([2 * k + 2, 2 * k + 3])));
  await run.close();
  await pool?.close();
  return results;
}

describe("a lock-step run with planner workers", () => {
  const inline = play(0);
  afterAll(() => inline);

  it.each([1, 2, ...[4].slice(0, deep(0, 1))])("gives the same bits with %i of them as with none", async (workers) => {
    const expected = await inline;
    expect(expected.some(({ outcome }) => outcome === "caught")).toBe(true);
    expect(await play(workers)).toEqual(expected);
  });
});
