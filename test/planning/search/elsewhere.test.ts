import { describe, expect, it } from "vitest";
import { Random } from "../../../src/math/random.js";
import * as vec3 from "../../../src/math/vec3.js";
import { iterationBudget } from "../../../src/optimisation/solver-interface.js";
import { CatchProblem } from "../../../src/planning/problem/catch-problem.js";
import { findReachableTimes } from "../../../src/planning/problem/reachable-times.js";
import { CatchSolver } from "../../../src/planning/search/catch-solver.js";
import { MergedSolution, searchPart } from "../../../src/planning/search/merged-solution.js";
import { ReachableStarts } from "../../../src/planning/search/reachable-starts.js";
import { deep } from "../../support/deep.js";
import { catchSetup, catchTask } from "../catch-setup.js";

const BUDGET = { starts: 12, solve: iterationBudget(100) };
const throws = deep(24, 200);

describe.each(["panda", "ur10e-net", "gen3-gripper"])("starts for %s", (robot) => {
  const setup = catchSetup(robot, "arm");

  it("have the hand at the ball where that is in reach, and every joint where it can be in time", () => {
    const random = new Random(`reachable ${robot}`);
    let atBall = 0;
    let inWindow = 0;
    for (let k = 0; k < throws; k++) {
      const task = catchTask(setup, "soft", setup.throwBall(random));
      const problem = new CatchProblem(setup.arm, task);
      const { dofs, lower, upper, ramps, q0 } = problem;
      const window = { from: 0, to: 0 };
      if (!findReachableTimes(task.path, setup.arm, lower[dofs]!, upper[dofs]!, window)) continue;
      inWindow++;
      const t = 0.5 * (window.from + window.to);
      const [ball, velocity] = [task.path.position(t, vec3.create()), task.path.velocity(t, vec3.create())];
      ramps.evaluate(Float64Array.of(...q0, t));
      const starts = new ReachableStarts(problem, 8);
      const count = starts.find(ball, velocity, 0);
      expect(count).toBe(ReachableStarts.capacity);
      let nearest = Number.POSITIVE_INFINITY;
      for (let s = 0; s < count; s++) {
        const q = starts.configurations.subarray(s * dofs, (s + 1) * dofs);
        for (let i = 0; i < dofs; i++) {
          expect(q[i]).toBeGreaterThanOrEqual(Math.max(lower[i]!, ramps.lowest[i]!) - 1e-12);
          expect(q[i]).toBeLessThanOrEqual(Math.min(upper[i]!, ramps.highest[i]!) + 1e-12);
        }
        expect(starts.branches[s]).toBeLessThan(8);
        setup.arm.chain.update(q);
        const tip = setup.arm.chain.baseFromTip;
        nearest = Math.min(nearest, Math.hypot(tip[9] - ball[0], tip[10] - ball[1], tip[11] - ball[2]));
      }
      if (nearest < 1e-3) atBall++;
    }
    expect(inWindow).toBeGreaterThan(throws / 4);
    // The Gen3 is slow: few of these balls are where it can be in time.
    expect(atBall).toBeGreaterThan(robot === "gen3-gripper" ? 0 : inWindow / 4);
  });
});

describe("a search whose best catches are refused", () => {
  const setup = catchSetup("ur10e-net", "arm");
  const solver = new CatchSolver(setup.arm, catchTask(setup, "soft", setup.throwBall(new Random(1))));
  const whole = solver.createSolution();

  it("finds the same in parts as in one, to the last bit", () => {
    const random = new Random("parts");
    let looked = 0;
    for (let k = 0; k < throws; k++) {
      const task = catchTask(setup, k % 2 === 0 ? "latest" : "sure", setup.throwBall(random));
      solver.cold(task, BUDGET, whole);
      const merged = new MergedSolution(solver.problem.dofs);
      for (const part of [2, 0, 1]) merged.addPart(searchPart(solver, task, BUDGET, { part, parts: 3 }));
      if (merged.deservesMore) {
        looked++;
        const more = solver.createSolution();
        solver.elsewhere(task, BUDGET, merged, more);
        merged.addStart(more, BUDGET.starts);
      }
      expect(merged.found).toBe(whole.found);
      expect(merged.lookedElsewhere).toBe(whole.lookedElsewhere);
      if (whole.found) expect([...merged.x, merged.cost]).toEqual([...whole.x, whole.cost]);
    }
    expect(looked).toBeGreaterThan(0);
  });

  it("catches late what it catches softly", () => {
    const random = new Random("late and soft");
    let [soft, found, earlier] = [0, 0, 0];
    for (let k = 0; k < throws; k++) {
      const path = setup.throwBall(random);
      solver.cold(catchTask(setup, "soft", path), BUDGET, whole);
      if (!whole.found) continue;
      soft++;
      const time = whole.x.at(-1)!;
      solver.cold(catchTask(setup, "latest", path), BUDGET, whole);
      if (whole.found) found++;
      if (whole.found && whole.x.at(-1)! < time - 1e-6) earlier++;
    }
    expect(soft).toBeGreaterThan(throws / 3);
    expect(found).toBe(soft);
    // More room for a refused catch may end before the softest one.
    expect(earlier).toBeLessThanOrEqual(Math.ceil(0.02 * soft));
  });
});
