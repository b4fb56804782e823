import { describe, expect, it } from "vitest";
import { Random } from "../../src/math/random.js";
import { JointRamps, rampFields } from "../../src/motion/joint-ramps.js";
import { RampStatus } from "../../src/motion/ramp.js";
import { heapBytesPerCall } from "../support/heap.js";

const n = 7;
const wmax = Float64Array.of(1.9, 1.9, 2.2, 2.2, 2.6, 2.6, 2.6);
const amax = Float64Array.from(wmax, (w) => w / 0.1);

function randomVector(random: Random, scale: Float64Array, low: number, high: number): Float64Array {
  return scale.map((s) => s * random.uniformIn(low, high));
}

function worstDifference(a: Float64Array, b: Float64Array): number {
  return Math.max(...a.map((value, i) => Math.abs(value - b[i]!)));
}

const ones = new Float64Array(n).fill(1);
const start = (random: Random): [Float64Array, Float64Array, Float64Array] => [
  randomVector(random, ones, -2, 2),
  randomVector(random, wmax, -1.2, 1.2),
  randomVector(random, ones, -2, 2),
];

describe("JointRamps", () => {
  it("lets all joints arrive together at the time of the slowest, and not before it", () => {
    const random = new Random("together");
    const ramps = new JointRamps(n);
    const times = new Float64Array(n);
    for (let i = 0; i < 2_000; i++) {
      const [q0, w0, q] = start(random);
      const longest = ramps.minimalTimes(q0, w0, q, wmax, amax, times);
      const slowest = ramps.limitingJoint;
      expect(longest).toBe(Math.max(...times));
      expect(times[slowest]).toBe(longest);
      expect(ramps.plan(q0, w0, q, longest * 1.3 + 0.2, wmax, amax)).toBe(RampStatus.ok);
      expect(ramps.plan(q0, w0, q, longest * 0.999, wmax, amax)).not.toBe(RampStatus.ok);
      expect(ramps.duration).toBe(longest * 0.999);
    }
  });

  it("reports the worst status and the joint that has it", () => {
    const ramps = new JointRamps(3);
    const zero = new Float64Array(3);
    const limits = new Float64Array(3).fill(2);
    expect(ramps.plan(zero, zero, Float64Array.of(0, 0.5, 9), 1, limits, limits)).toBe(RampStatus.unreachable);
    expect(ramps.limitingJoint).toBe(2);
    expect(ramps.plan(zero, zero, Float64Array.of(0, 0.9, 0.1), 1, limits, limits)).toBe(RampStatus.tooFast);
    expect(ramps.limitingJoint).toBe(1);
    expect(ramps.plan(zero, zero, Float64Array.of(0, 0.5, 0.1), 1, limits, limits)).toBe(RampStatus.ok);
  });

  it("bounds the motion, the whole and any part, tightly", () => {
    const random = new Random("extremes");
    const ramps = new JointRamps(n);
    const [low, high, q] = [new Float64Array(n), new Float64Array(n), new Float64Array(n)];
    for (let k = 0; k < 300; k++) {
      const [q0, w0, goal] = start(random);
      if (ramps.plan(q0, w0, goal, 2.5, wmax, amax) !== RampStatus.ok) continue;
      const from = k % 3 === 0 ? 0 : 2.5 * random.uniform();
      const to = k % 3 === 0 ? 2.5 : from + (2.5 - from) * random.uniform();
      if (k % 3 === 0) ramps.extremes(low, high);
      else ramps.extremesBetween(from, to, low, high);
      const [sampledLow, sampledHigh] = [new Float64Array(n).fill(9), new Float64Array(n).fill(-9)];
      for (let step = 0; step <= 2000; step++) {
        ramps.positions(from + ((to - from) * step) / 2000, q);
        for (let i = 0; i < n; i++) {
          sampledLow[i] = Math.min(sampledLow[i]!, q[i]!);
          sampledHigh[i] = Math.max(sampledHigh[i]!, q[i]!);
        }
      }
      for (let i = 0; i < n; i++) {
        expect(low[i]!).toBeLessThanOrEqual(sampledLow[i]! + 1e-12);
        expect(high[i]!).toBeGreaterThanOrEqual(sampledHigh[i]! - 1e-12);
        // Between two samples 1.25 ms apart a joint at its turn moves by ½·amax·(0.6 ms)².
        expect(sampledLow[i]! - low[i]!).toBeLessThan(1e-5);
        expect(high[i]! - sampledHigh[i]!).toBeLessThan(1e-5);
      }
    }
  });

  it("comes back from its eight numbers a joint to 1e-12", () => {
    const random = new Random("packet");
    const [sent, received] = [new JointRamps(n), new JointRamps(n)];
    const [a, b] = [0, 1].map(() => [new Float64Array(n), new Float64Array(n), new Float64Array(n)] as const);
    for (let k = 0; k < 1_000; k++) {
      const [q0, w0, goal] = start(random);
      if (sent.plan(q0, w0, goal, 2.5, wmax, amax) !== RampStatus.ok) continue;
      for (const field of rampFields) received[field].set(sent[field]);
      received.restoreEnds();
      for (const t of [-1, 0, 2.5 * random.uniform(), 2.5 * random.uniform(), 2.5, 3]) {
        sent.evaluate(t, ...a!);
        received.evaluate(t, ...b!);
        expect(worstDifference(a![0], b![0])).toBeLessThan(1e-12);
        expect(worstDifference(a![1], b![1]) + worstDifference(a![2], b![2])).toBe(0);
      }
      received.copyFrom(sent);
      expect(received.end).toEqual(sent.end);
    }
  });

  it("goes on where another ramp is: replanning from a point of a motion keeps position and speed", () => {
    const random = new Random("replan");
    const [ramps, next] = [new JointRamps(n), new JointRamps(n)];
    const [q, qd, qdd, q2, qd2] = Array.from({ length: 5 }, () => new Float64Array(n));
    for (let k = 0; k < 1_000; k++) {
      const [q0, w0, goal] = start(random);
      if (ramps.plan(q0, w0, goal, 2.5, wmax, amax) !== RampStatus.ok) continue;
      const t = 2.5 * random.uniform();
      ramps.evaluate(t, q!, qd!, qdd!);
      // To the same goal in the remaining time: the same motion.
      expect(next.plan(q!, qd!, goal, 2.5 - t, wmax, amax)).toBeLessThanOrEqual(RampStatus.tooFast);
      next.evaluate(0, q2!, qd2!, qdd!);
      expect(q2).toEqual(q);
      expect(qd2).toEqual(qd);
      const later = t + (2.5 - t) * random.uniform();
      ramps.evaluate(later, q!, qd!, qdd!);
      next.evaluate(later - t, q2!, qd2!, qdd!);
      expect(worstDifference(q!, q2!)).toBeLessThan(1e-9);
    }
  });

  it("holds a posture", () => {
    const ramps = new JointRamps(n);
    const [q, qd, qdd] = [new Float64Array(n), new Float64Array(n), new Float64Array(n)];
    ramps.hold(wmax);
    ramps.evaluate(0.1, q, qd, qdd);
    expect(q).toEqual(wmax);
    expect(qd).toEqual(new Float64Array(n));
    expect(ramps.duration).toBe(0);
  });

  it("gives the peak speeds", () => {
    const ramps = new JointRamps(2);
    const limits = Float64Array.of(1, 1);
    ramps.plan(Float64Array.of(0, 0), Float64Array.of(0, 1.2), Float64Array.of(1, 1), 2, limits, Float64Array.of(9, 9));
    expect(ramps.peakSpeeds(new Float64Array(2))[0]).toBeCloseTo(2 * ramps.a[0]! * ramps.t1[0]! * 0.5, 12);
    expect(ramps.peakSpeeds(new Float64Array(2))[1]).toBe(1.2);
  });

  it("allocates nothing", () => {
    const random = new Random("heap");
    const ramps = new JointRamps(n);
    const [q0, w0, goal] = start(random);
    const [q, qd, qdd] = [7, 7, 7].map((length) => new Float64Array(length));
    const bytes = heapBytesPerCall((i) => {
      goal[i % n] = 0.001 * (i % 1000);
      // Whole seconds: V8 itself may box another number that is passed to a function it does not inline.
      ramps.plan(q0, w0, goal, 2, wmax, amax);
      ramps.evaluate(i % 3, q!, qd!, qdd!);
      ramps.extremes(q!, qd!);
      ramps.minimalTimes(q0, w0, goal, wmax, amax, qdd!);
      ramps.restoreEnds();
    });
    // One number that `minimalTimes` returns may be boxed, likewise: 16 bytes.
    expect(bytes).toBeLessThan(17);
  });
});
