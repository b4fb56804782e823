import { describe, expect, it } from "vitest";
import * as pose from "../../../src/math/pose.js";
import { Random } from "../../../src/math/random.js";
import * as vec3 from "../../../src/math/vec3.js";
import { Evaluation } from "../../../src/optimisation/problem-interface.js";
import { CatchProblem, type CatchTask } from "../../../src/planning/problem/catch-problem.js";
import type { CatchMode } from "../../../src/planning/problem/objectives.js";
import { findReachableTimes } from "../../../src/planning/problem/reachable-times.js";
import { ReachableStarts } from "../../../src/planning/search/reachable-starts.js";
import { defaultSeedGrid, handPose, SeedSearch } from "../../../src/planning/search/seeds.js";
import { deep } from "../../support/deep.js";
import { type CatchSetup, catchSetup, catchTask } from "../catch-setup.js";

const VIOLATION_WEIGHT = 30;
const BRANCHES = 8;

interface Scored {
  readonly bucket: number;
  readonly score: number;
  readonly x: readonly number[];
}

/** Every candidate of the grid, evaluated in full: the best of each time and branch, best first. */
function bruteForce(problem: CatchProblem): Scored[] {
  const { arm, dofs, path, lower, upper } = problem;
  const window = { from: 0, to: 0 };
  if (!findReachableTimes(path, arm, lower[dofs]!, upper[dofs]!, window)) return [];
  const best = new Map<number, Scored>();
  for (let k = 0; k < defaultSeedGrid.times; k++) {
    const t = window.from + ((window.to - window.from) * (k + 0.5)) / defaultSeedGrid.times;
    for (const { q, branch } of candidates(problem, t, k)) {
      const x = [...q, t];
      const scored = { bucket: k * BRANCHES + branch, score: scoreOf(problem, x), x };
      if (!(scored.score >= (best.get(scored.bucket)?.score ?? Number.POSITIVE_INFINITY)))
        best.set(scored.bucket, scored);
    }
  }
  return [...best.values()].sort((a, b) => a.score - b.score || a.bucket - b.bucket);
}

/** What `ReachableStarts` gives at a time. */
function reachable(
  problem: CatchProblem,
  t: number,
  round: number,
  ball: vec3.Vec3,
  velocity: vec3.Vec3,
): { q: number[]; branch: number }[] {
  const { dofs, q0, ramps } = problem;
  ramps.evaluate(Float64Array.of(...q0, t));
  const starts = new ReachableStarts(problem, BRANCHES);
  const count = starts.find(ball, velocity, round);
  return Array.from({ length: count }, (_, b) => {
    return { q: [...starts.configurations.subarray(b * dofs, (b + 1) * dofs)], branch: starts.branches[b]! };
  });
}

function candidates(problem: CatchProblem, t: number, k: number): { q: number[]; branch: number }[] {
  const { arm, dofs, path } = problem;
  const [ball, velocity] = [path.position(t, vec3.create()), path.velocity(t, vec3.create())];
  const found = new Float64Array(BRANCHES * dofs);
  const take = (b: number, branch: number) => ({ q: [...found.subarray(b * dofs, (b + 1) * dofs)], branch });
  if (arm.srs === null) return reachable(problem, t, k, ball, velocity);
  const { rolls, elbows } = defaultSeedGrid;
  const all: { q: number[]; branch: number }[] = [];
  for (let r = 0; r < rolls; r++) {
    const hand = handPose(ball, velocity, (2 * Math.PI * r) / rolls, pose.create());
    for (let e = 0; e < elbows; e++) {
      const count = arm.srs.solve(hand, (2 * Math.PI * (e + (k % 2) / 2)) / elbows, found);
      for (let b = 0; b < count; b++) all.push(take(b, arm.srs.branches[b]!));
    }
  }
  return all;
}

function scoreOf(problem: CatchProblem, x: readonly number[]): number {
  const evaluation = new Evaluation(problem);
  problem.evaluateValues(Float64Array.from(x), evaluation);
  const { objective, equality, inequality } = evaluation;
  const violation = [...equality.map(Math.abs), ...inequality.map((value) => Math.max(0, -value))];
  return objective + VIOLATION_WEIGHT * violation.reduce((sum, value) => sum + value, 0);
}

function moving(setup: CatchSetup, mode: CatchMode, random: Random): CatchTask {
  const task = catchTask(setup, mode, setup.throwBall(random));
  const speed = random.uniformIn(0, 0.3);
  return { ...task, w0: task.maxVelocity.map((limit) => random.uniformIn(-speed, speed) * limit) };
}

describe.each([
  ["agile-justin", "rightArm"],
  ["iiwa-14", "arm"],
  ["panda", "arm"],
])("starts for %s %s", (robot, group) => {
  const setup = catchSetup(robot, group);
  const random = new Random(`seeds ${robot}`);

  it.each(["soft", "latest", "cool", "sure"] as const)("are the best of the whole grid, in mode %s", (mode) => {
    for (let trial = 0; trial < deep(3, 60); trial++) {
      const problem = new CatchProblem(setup.arm, moving(setup, mode, random));
      const search = new SeedSearch(problem);
      const expected = bruteForce(problem);
      for (const count of [1, 5, 16]) {
        const out = new Float64Array(count * problem.n);
        const found = search.find(count, out);
        expect(found).toBe(Math.min(count, expected.length));
        const wanted = expected.slice(0, found).flatMap(({ x }) => x);
        expect([...out.subarray(0, found * problem.n)]).toEqual(wanted);
      }
    }
  });
});
