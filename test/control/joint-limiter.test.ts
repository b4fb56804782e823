import { describe, expect, it } from "vitest";
import { JointLimiter } from "../../src/control/joint-limiter.js";
import { Random } from "../../src/math/random.js";
import { JointRamps } from "../../src/motion/joint-ramps.js";
import { RampStatus } from "../../src/motion/ramp.js";
import { allocationFree, heapBytesPerCall } from "../support/heap.js";

const period = 1e-3;
const limits = {
  lower: Float64Array.of(-1, -2, Number.NEGATIVE_INFINITY),
  upper: Float64Array.of(1, 2, Number.POSITIVE_INFINITY),
  maxVelocity: Float64Array.of(2, 1, 3),
  maxAcceleration: Float64Array.of(20, 5, 30),
};
const count = 3;

describe("JointLimiter", () => {
  it("lets motions through that use their limits to the full", () => {
    const random = new Random("full");
    const zero = new Float64Array(count);
    const ramps = new JointRamps(count);
    for (let n = 0; n < 50; n++) {
      const start = Float64Array.from({ length: count }, () => random.uniformIn(-0.9, 0.9));
      const end = Float64Array.from({ length: count }, () => random.uniformIn(-0.9, 0.9));
      const { maxVelocity, maxAcceleration } = limits;
      const times = new Float64Array(count);
      const T = ramps.minimalTimes(start, zero, end, maxVelocity, maxAcceleration, times);
      expect(ramps.plan(start, zero, end, T, maxVelocity, maxAcceleration)).toBe(RampStatus.ok);
      const limiter = new JointLimiter(limits, start, period);
      const [q, qd, qdd] = [new Float64Array(count), new Float64Array(count), new Float64Array(count)];
      for (let t = period; t < T + 0.01; t += period) {
        ramps.evaluate(t, q, qd, qdd);
        limiter.limit(q, qd);
      }
      expect(limiter.limitedTicks).toBe(0);
      expect(limiter.q).toEqual(q);
    }
  });

  it("keeps position, speed and acceleration within limits whatever is commanded", () => {
    const random = new Random("anything");
    const anything = () => {
      const kind = random.uniform();
      if (kind < 0.05) return Number.NaN;
      if (kind < 0.1) return kind < 0.075 ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY;
      return random.normal() * (kind < 0.5 ? 0.5 : 20);
    };
    let [outside, tooFast, tooHard] = [Number.NEGATIVE_INFINITY, 0, 0];
    for (let run = 0; run < 40; run++) {
      const start = Float64Array.from({ length: count }, () => random.uniformIn(-0.9, 0.9));
      const limiter = new JointLimiter(limits, start, period);
      const [q, qd] = [new Float64Array(count), new Float64Array(count)];
      for (let n = 0; n < 2000; n++) {
        if (n % 50 === 0) for (let i = 0; i < count; i++) [q[i], qd[i]] = [anything(), anything()];
        const [lastQ, lastQd] = [limiter.q.slice(), limiter.qd.slice()];
        limiter.limit(q, qd);
        for (let i = 0; i < count; i++) {
          const speed = limits.maxVelocity[i]!;
          const step = limiter.q[i]! - lastQ[i]!;
          const change = limiter.qd[i]! - lastQd[i]!;
          outside = Math.max(outside, limits.lower[i]! - limiter.q[i]!, limiter.q[i]! - limits.upper[i]!);
          tooFast = Math.max(tooFast, Math.abs(limiter.qd[i]!) / speed, Math.abs(step) / (speed * period));
          tooHard = Math.max(tooHard, Math.abs(change) / (limits.maxAcceleration[i]! * period));
        }
      }
    }
    const slack = 1.0011;
    expect(outside).toBeLessThanOrEqual(1e-12);
    expect(tooFast).toBeLessThanOrEqual(slack);
    expect(tooHard).toBeLessThanOrEqual(slack);
  });

  it("reaches a place that was commanded at once, and stays there", () => {
    const limiter = new JointLimiter(limits, new Float64Array(count), period);
    const goal = Float64Array.of(0.8, -1.5, 2);
    const still = new Float64Array(count);
    for (let n = 0; n < 4000; n++) limiter.limit(goal, still);
    for (let i = 0; i < count; i++) expect(limiter.q[i]).toBeCloseTo(goal[i]!, 6);
    expect(limiter.limitedTicks).toBeGreaterThan(100);
  });

  it("allocates nothing", () => {
    const limiter = new JointLimiter(limits, new Float64Array(count), period);
    const goal = Float64Array.of(0.8, -1.5, 2);
    const still = new Float64Array(count);
    expect(heapBytesPerCall(() => limiter.limit(goal, still))).toBeLessThan(allocationFree);
  });
});
