import { describe, expect, it } from "vitest";
import { Random } from "../../../src/math/random.js";
import { jerkLimitedMotion } from "../../../src/motion/jerk-limited-motion.js";
import { checkMotion } from "../../../src/motion/motion-extremes.js";
import { splineMotion } from "../../../src/motion/spline-motion.js";
import { timePath } from "../../../src/planning/paths/time-path.js";
import { deep } from "../../support/deep.js";

const random = new Random("time path");
const draw = (n: number, low: number, high: number) =>
  Float64Array.from({ length: n }, () => random.uniformIn(low, high));

/** Distance of a point to a polyline. */
function distanceTo(path: readonly Float64Array[], q: Float64Array): number {
  let least = Number.POSITIVE_INFINITY;
  for (let k = 1; k < path.length; k++) {
    const [a, b] = [path[k - 1]!, path[k]!];
    const square = a.reduce((sum, value, i) => sum + (b[i]! - value) ** 2, 0);
    const along = square > 0 ? a.reduce((sum, value, i) => sum + (b[i]! - value) * (q[i]! - value), 0) / square : 0;
    const share = Math.min(1, Math.max(0, along));
    least = Math.min(least, Math.hypot(...a.map((value, i) => value + share * (b[i]! - value) - q[i]!)));
  }
  return least;
}

describe("timePath", () => {
  it("keeps its limits exactly, begins and ends at rest, and stays within the corners' hull", () => {
    for (let k = 0; k < deep(60, 20_000); k++) {
      const joints = 1 + random.integer(7);
      const path = Array.from({ length: 2 + random.integer(5) }, () => draw(joints, -2, 2));
      const limits = {
        maxVelocity: draw(joints, 0.3, 3),
        maxAcceleration: draw(joints, 1, 20),
        maxJerk: draw(joints, 5, 2000),
      };
      for (const corner of [1, 0.3, 0]) {
        const motion = timePath(path, limits, { corner });
        const isBeyond = ({ value, limit }: { value: number; limit: number }) =>
          Math.abs(value) > Math.abs(limit) * (1 + 1e-7) + 1e-9;
        expect(checkMotion(motion, limits).filter(isBeyond)).toEqual([]);
        for (let i = 0; i < joints; i++) {
          expect(motion.endPosition[i]).toBeCloseTo(path.at(-1)![i]!, 9);
          expect(motion.endVelocity[i]).toBe(0);
        }
        const q = new Float64Array(joints);
        if (corner > 0) continue;
        for (let m = 0; m <= 20; m++)
          expect(distanceTo(path, motion.positions((motion.duration * m) / 20, q))).toBeLessThan(1e-9);
      }
      expect(timePath(path, limits).duration).toBeLessThanOrEqual(
        timePath(path, limits, { corner: 0 }).duration * 1.0001,
      );
    }
  });

  it("runs a single edge as fast as a jerk-limited motion of its slowest joint", () => {
    for (let k = 0; k < deep(300, 50_000); k++) {
      const ends = [draw(1, -3, 3), draw(1, -3, 3)] as const;
      const limits = { maxVelocity: draw(1, 0.3, 3), maxAcceleration: draw(1, 1, 20), maxJerk: draw(1, 5, 2000) };
      const shortest = jerkLimitedMotion({ position: ends[0] }, { position: ends[1] }, limits).motion.duration;
      expect(timePath(ends, limits).duration / shortest).toBeCloseTo(1, 6);
    }
  });
});

describe("splineMotion", () => {
  it("passes its inner knots, from rest to rest without acceleration", () => {
    const times = Array.from({ length: 20 }, (_, k) => k * 0.1 + 0.03 * (k % 2));
    const knots = times.map((t) => Float64Array.of(t ** 4, Math.sin(t)));
    const motion = splineMotion(knots, times);
    const q = new Float64Array(2);
    for (let k = 2; k < 18; k++) {
      motion.positions(times[k]! - times[0]!, q);
      expect(q[0]).toBeCloseTo(knots[k]![0]!, 9);
      expect(q[1]).toBeCloseTo(knots[k]![1]!, 9);
    }
    const first = motion.pieces.subarray(0, 7);
    expect(first[2]).toBeCloseTo(0, 9);
    expect(first[3]).toBeCloseTo(0, 9);
  });
});
