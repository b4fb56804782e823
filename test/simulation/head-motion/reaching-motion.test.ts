import { expect, it } from "vitest";
import { ReachingMotion } from "../../../bench/simulation/reaching-motion.js";
import { Random } from "../../../src/math/random.js";
import { loadRobot } from "../../../src/robot/loading/load-robot.js";

const robot = loadRobot("agile-justin");
const ready = robot.postures.get("ready")!;
const { dofCount, maxVelocity, maxAcceleration, lower, upper } = robot.model;

/** By how much one joint breaks its limits or jumps within a step, as shares of its limits. */
function violation(
  dof: number,
  step: number,
  q: Float64Array,
  qd: Float64Array,
  qdd: Float64Array,
  last: Float64Array,
  lastSpeed: Float64Array,
): number {
  const amax = maxAcceleration[dof]!;
  const mean = last[dof]! + 0.5 * step * (qd[dof]! + lastSpeed[dof]!);
  return Math.max(
    Math.abs(qd[dof]!) / maxVelocity[dof]! - 1,
    Math.abs(qdd[dof]!) / amax - 1,
    Math.abs(qd[dof]! - lastSpeed[dof]!) / (amax * step) - 1,
    Math.abs(q[dof]! - mean) / (amax * step * step) - 1,
    lower[dof]! - q[dof]!,
    q[dof]! - upper[dof]!,
  );
}

it("starts and ends at rest, is continuous in position and speed, and keeps every limit", () => {
  for (let seed = 0; seed < 5; seed++) {
    const motion = new ReachingMotion(robot, ready, 1, new Random(seed));
    const [q, qd, qdd, last, lastSpeed] = Array.from({ length: 5 }, () => new Float64Array(dofCount)) as Float64Array[];
    const step = 0.0005;
    motion.evaluate(0.9, last!, lastSpeed!, qdd!);
    expect(last).toEqual(ready);
    expect(Math.max(...qdd!.map(Math.abs), ...lastSpeed!.map(Math.abs))).toBe(0);
    for (let time = 0.9 + step; time < motion.end + 0.1; time += step) {
      motion.evaluate(time, q!, qd!, qdd!);
      const worst = Math.max(...q!.map((_, dof) => violation(dof, step, q!, qd!, qdd!, last!, lastSpeed!)));
      expect(worst).toBeLessThan(1e-6);
      last!.set(q!);
      lastSpeed!.set(qd!);
    }
    expect(Math.max(...qd!.map(Math.abs))).toBe(0);
    expect(motion.end - motion.start).toBeGreaterThan(0.3);
    expect(motion.end - motion.start).toBeLessThan(1);
  }
});
