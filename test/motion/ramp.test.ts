import { describe, expect, it } from "vitest";
import { Random } from "../../src/math/random.js";
import { JointRamps } from "../../src/motion/joint-ramps.js";
import { minimalTime } from "../../src/motion/minimal-time.js";
import { LIMIT_TOLERANCE, RampStatus } from "../../src/motion/ramp.js";
import { deep } from "../support/deep.js";
import { type RampCase, randomCase } from "./random-ramps.js";

const TOLERANCE = 1e-9;
const ramps = new JointRamps(1);
const [q, qd, qdd, low, high] = Array.from({ length: 5 }, () => new Float64Array(1)) as [
  Float64Array,
  Float64Array,
  Float64Array,
  Float64Array,
  Float64Array,
];
const inputs = Array.from({ length: 5 }, () => new Float64Array(1));

/** Plans one joint: the numbers in the order of `JointRamps.plan`. */
function planOne(q0: number, w0: number, target: number, T: number, wmax: number, amax: number): RampStatus {
  const values = [q0, w0, target, wmax, amax];
  for (let k = 0; k < values.length; k++) inputs[k]![0] = values[k]!;
  return ramps.plan(inputs[0]!, inputs[1]!, inputs[2]!, T, inputs[3]!, inputs[4]!);
}

function plan({ q0, w0, D, T, wmax, amax }: RampCase): RampStatus {
  return planOne(q0, w0, q0 + D, T, wmax, amax);
}

/** Position, speed and acceleration at t. */
function at(t: number): [number, number, number] {
  ramps.evaluate(t, q, qd, qdd);
  return [q[0]!, qd[0]!, qdd[0]!];
}

/** Does the joint go beyond both its ends? */
function turns(): boolean {
  ramps.extremes(low, high);
  return low[0]! < Math.min(ramps.q0[0]!, ramps.end[0]!) || high[0]! > Math.max(ramps.q0[0]!, ramps.end[0]!);
}

/** The phases as (acceleration, end time), integrated anew: position and speed at t by nothing but q̈. */
function integrate(t: number): { q: number; w: number } {
  const phases = [
    [ramps.ab[0]!, ramps.tb[0]!],
    [ramps.a[0]!, ramps.t1[0]!],
    [0, ramps.t2[0]!],
    [-ramps.a[0]!, ramps.T[0]!],
  ] as const;
  let q = ramps.q0[0]!;
  let w = ramps.w0[0]!;
  let time = 0;
  for (const [acceleration, end] of phases) {
    const duration = Math.max(0, Math.min(end, t) - time);
    q += w * duration + 0.5 * acceleration * duration * duration;
    w += acceleration * duration;
    time = Math.max(time, end);
  }
  return { q, w };
}

/** What is wrong with the planned ramp, or undefined. */
function findFault(c: RampCase, random: Random): string | undefined {
  const [tb, t1, t2, T] = [ramps.tb[0]!, ramps.t1[0]!, ramps.t2[0]!, ramps.T[0]!];
  if (!(0 <= tb && tb <= t1 && t1 <= t2 && t2 <= T && T === c.T)) return "phases out of order";
  const limit = c.amax * (1 + LIMIT_TOLERANCE);
  if (!(Math.abs(ramps.a[0]!) <= limit && Math.abs(ramps.ab[0]!) <= limit)) return "acceleration beyond its limit";
  const end = integrate(T);
  if (!(Math.abs(end.q - c.q0 - c.D) <= TOLERANCE && Math.abs(end.w) <= TOLERANCE)) return "misses its end";
  for (const t of [tb, t1, t2]) {
    if (!(Math.abs(integrate(t).w) <= c.wmax + TOLERANCE)) return "speed beyond its limit";
  }
  if (!(ramps.peakSpeeds(q)[0]! <= Math.max(c.wmax, Math.abs(c.w0)) + TOLERANCE)) return "peak speed is wrong";
  for (const t of [0, tb, t1, t2, T, T * random.uniform(), T * random.uniform()]) {
    const expected = integrate(t);
    ramps.evaluate(t, q, qd, qdd);
    if (!(Math.abs(q[0]! - expected.q) <= TOLERANCE)) return `position at ${t}`;
    if (!(Math.abs(qd[0]! - expected.w) <= TOLERANCE)) return `speed at ${t}`;
  }
  if (at(0)[0] !== (T === 0 ? c.q0 + c.D : c.q0)) return "does not begin at its start";
  if (at(T)[0] !== c.q0 + c.D || at(T)[1] !== 0) return "is not at rest at its end";
  return undefined;
}

describe("a ramp", () => {
  it("meets start, end, speed and acceleration limits to 1e-9, whatever the case", () => {
    const random = new Random("ramps");
    const count = deep(300_000, 1_000_000);
    let overLimit = 0;
    let reversals = 0;
    for (let i = 0; i < count; i++) {
      const c = randomCase(random);
      const status = plan(c);
      const fault = status === RampStatus.ok ? findFault(c, random) : `status ${status}`;
      if (fault !== undefined) expect.fail(`case ${i} ${JSON.stringify(c)}: ${fault}`);
      overLimit += Math.abs(c.w0) > c.wmax ? 1 : 0;
      reversals += turns() ? 1 : 0;
    }
    expect(overLimit).toBeGreaterThan(0.2 * count);
    expect(reversals).toBeGreaterThan(0.2 * count);
  }, 120_000);

  it("is the one of least acceleration: a shorter time needs more", () => {
    const random = new Random("less");
    for (let i = 0; i < 20_000; i++) {
      const c = randomCase(random);
      if (Math.abs(c.w0) > c.wmax) continue;
      plan(c);
      const limit = Math.abs(ramps.a[0]!);
      if (limit < 1e-6) continue;
      expect(minimalTime(c.w0, c.D, c.wmax, limit * (1 + 1e-9))).toBeLessThanOrEqual(c.T * (1 + 1e-9));
      if (c.T > 2 * minimalTime(c.w0, c.D, c.wmax, c.amax)) {
        expect(minimalTime(c.w0, c.D, c.wmax, limit * 0.99)).toBeGreaterThan(c.T);
      }
    }
  });

  it("turns round where its speed vanishes, and nowhere else", () => {
    const random = new Random("turns");
    for (let i = 0; i < 20_000; i++) {
      const c = randomCase(random);
      plan(c);
      ramps.extremes(low, high);
      const ends = [ramps.tb[0]!, ramps.t1[0]!, ramps.t2[0]!].map(integrate);
      let [least, greatest] = [Math.min(c.q0, ramps.end[0]!), Math.max(c.q0, ramps.end[0]!)];
      // The speed is linear within a phase: where it changes sign, the zero is found by proportion.
      let [time, w] = [0, c.w0];
      for (const [k, end] of [ramps.tb[0]!, ramps.t1[0]!, ramps.t2[0]!].entries()) {
        if (w * ends[k]!.w < 0) {
          const turn = integrate(time + ((end - time) * w) / (w - ends[k]!.w)).q;
          [least, greatest] = [Math.min(least, turn), Math.max(greatest, turn)];
        }
        [time, w] = [end, ends[k]!.w];
      }
      expect(Math.abs(low[0]! - least)).toBeLessThan(TOLERANCE);
      expect(Math.abs(high[0]! - greatest)).toBeLessThan(TOLERANCE);
    }
  });

  it("stands still for D = 0 from rest, in any time, none included", () => {
    for (const T of [0, 1e-12, 1, 5]) {
      expect(planOne(0.3, 0, 0.3, T, 2, 10)).toBe(RampStatus.ok);
      expect(ramps.a[0]).toBe(0);
      expect(at(T / 2).map((value) => value + 0)).toEqual([0.3, 0, 0]);
    }
  });

  it("is the same ramp at any scale, also where squares vanish", () => {
    for (const [w0, D] of [
      [0, 1],
      [1, 0],
      [0.3, -0.2],
      [-0.4, -0.2],
    ] as const) {
      for (const scale of [1e-100, 1e-160, 1e-250]) {
        for (const t of [0, 0.25, 0.5, 0.9]) {
          expect(planOne(0, w0, D, 1, 5, 10)).toBe(RampStatus.ok);
          const [position, speed] = at(t);
          expect(planOne(0, w0 * scale, D * scale, 1, 5, 10)).toBe(RampStatus.ok);
          expect(at(t)[0] / scale).toBeCloseTo(position, 12);
          expect(at(t)[1] / scale).toBeCloseTo(speed, 12);
        }
      }
    }
    expect(planOne(0, -5e-324, 5e-324, 1, 2, 10)).toBe(RampStatus.ok);
    expect(Math.abs(at(0.5)[0])).toBeLessThan(1e-300);
  });

  it("gives the start state before 0 and rest after T", () => {
    planOne(0.1, -0.5, 1, 2, 2, 10);
    expect(at(-1)).toEqual([0.1, -0.5, ramps.a[0]]);
    expect(at(9)).toEqual([1, 0, 0]);
    expect(at(Number.NaN)[0]).toBeNaN();
    // The constant brake begins with its last phase.
    planOne(0, 1, 0.5, 1, 2, 10);
    expect(at(-1)).toEqual([0, 1, -1]);
  });

  it("passes NaN on instead of hiding it, and names what cannot be planned", () => {
    expect(planOne(0, 0, 1, 0.1, 2, 100)).toBe(RampStatus.unreachable);
    expect(ramps.a[0]).toBeNaN();
    expect(planOne(0, 0, 1, 0.6, 2, 1)).toBe(RampStatus.tooFast);
    expect(planOne(0, 1, 0, 0, 2, 1)).toBe(RampStatus.unreachable);
    expect(planOne(0, 9, 1, 0.1, 2, 10)).toBe(RampStatus.unreachable);
    const good = [0, 0, 1, 2, 2, 10];
    for (let k = 0; k < good.length; k++) {
      for (const bad of [Number.NaN, k < 3 ? Number.POSITIVE_INFINITY : -1]) {
        const [q0, w0, q, T, wmax, amax] = good.with(k, bad) as [number, number, number, number, number, number];
        expect(planOne(q0, w0, q, T, wmax, amax)).toBe(RampStatus.invalid);
      }
    }
    expect(planOne(0, 0, 1, 2, 2, Number.POSITIVE_INFINITY)).toBe(RampStatus.invalid);
    expect(planOne(0, 0, 1, 2, Number.POSITIVE_INFINITY, 10)).toBe(RampStatus.ok);
  });
});
