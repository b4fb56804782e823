import { describe, expect, it } from "vitest";
import { Random } from "../../src/math/random.js";
import { JointRamps } from "../../src/motion/joint-ramps.js";
import { RampStatus } from "../../src/motion/ramp.js";
import { RampFunctions } from "../../src/motion/ramp-functions.js";
import { allocationFree, heapBytesPerCall } from "../support/heap.js";
import { randomCase } from "./random-ramps.js";

const of = (...values: number[]): Float64Array => Float64Array.from(values);

interface Point {
  readonly w0: number;
  readonly q: number;
  readonly T: number;
  readonly wmax: number;
  readonly amax: number;
}

/** Start at 0.3, any speed up to 1.5 times the limit, feasible or not. */
function randomPoint(random: Random): Point {
  const wmax = random.uniformIn(0.5, 4);
  const amax = random.uniformIn(2, 40);
  const w0 = random.uniform() < 0.2 ? 0 : wmax * random.uniformIn(-1.5, 1.5);
  const T = Math.max(0, Math.abs(w0) - wmax) / amax + random.uniformIn(0.05, 2);
  return { w0, q: 0.3 + random.uniformIn(-3, 3), T, wmax, amax };
}

type Name = {
  [K in keyof RampFunctions]: RampFunctions[K] extends Float64Array ? K : never;
}[keyof RampFunctions];

const functions = new RampFunctions(1, 0.05);

function begin(point: Point): void {
  functions.begin(of(0.3), of(point.w0), of(point.wmax), of(point.amax));
}

function valueAt(name: Name, q: number, T: number): number {
  functions.evaluate(of(q, T));
  return functions[name][0]!;
}

/** The kink's coordinate x = 2D − w·t after the brake to the speed limit. */
function kink({ w0, q, T, wmax, amax }: Point): number {
  const w = Math.sign(w0) * Math.min(Math.abs(w0), wmax);
  const tb = Math.max(0, Math.abs(w0) - wmax) / amax;
  return 2 * (q - 0.3 - 0.5 * (w0 + w) * tb) - w * (T - tb);
}

/**
 * Central difference, and how far it may be off: the second derivative, estimated on both sides, times the step. Where a
 * function is C¹ but bent (triangle against trapezoid) this covers the bend; across a kink it would cover nothing.
 */
function difference(f: (h: number) => number, h: number): { slope: number; tolerance: number } {
  const [farBelow, below, middle, above, farAbove] = [f(-2 * h), f(-h), f(0), f(h), f(2 * h)];
  const bends = [middle - 2 * below + farBelow, above - 2 * middle + below, farAbove - 2 * above + middle];
  const bend = Math.max(...bends.map(Math.abs)) / h;
  const rounding = (Math.abs(middle) * 1e-15 + 1e-15) / h;
  return { slope: (above - below) / (2 * h), tolerance: bend + 4 * rounding };
}

function expectSlopes(name: Name, point: Point): void {
  begin(point);
  const h = 1e-6;
  const byTarget = difference((step) => valueAt(name, point.q + step, point.T), h);
  const byTime = difference((step) => valueAt(name, point.q, point.T + step), h);
  functions.evaluate(of(point.q, point.T));
  const target = name === "lowest" || name === "highest" ? 0 : functions[`${name}ByTarget` as Name][0]!;
  const time = functions[`${name}ByTime` as Name][0]!;
  const message = `slope of ${name} ${JSON.stringify(point)}`;
  if (!(Math.abs(target - byTarget.slope) <= byTarget.tolerance)) expect.fail(`${message} by target`);
  if (!(Math.abs(time - byTime.slope) <= byTime.tolerance)) expect.fail(`${message} by time`);
  // The tolerance must be one: small against the slope, or against the scale 1/T² of an acceleration's slope.
  const scale = 1 + Math.abs(target) + Math.abs(time) + point.amax / point.T;
  if (!(byTarget.tolerance + byTime.tolerance < 1e-2 * scale)) expect.fail(`${message}: the tolerance is none`);
}

describe("the derivatives by target and time", () => {
  it("of the acceleration agree with finite differences away from the kink", () => {
    const random = new Random("acceleration slopes");
    for (let i = 0; i < 5_000; i++) {
      const point = randomPoint(random);
      if (Math.abs(kink(point)) > 1e-4) expectSlopes("acceleration", point);
    }
  });

  it("of smoothed magnitude, overshoot and reachable interval agree everywhere, the kink included", () => {
    const random = new Random("other slopes");
    for (let i = 0; i < 5_000; i++) {
      const point = randomPoint(random);
      const atKink = { ...point, q: point.q - 0.5 * kink(point) };
      for (const name of ["overshoot", "lowest", "highest"] as const) {
        expectSlopes(name, point);
        expectSlopes(name, atKink);
      }
      // The smoothed V is as sharp as η·|w0|·T: too sharp for differences if the joint hardly moves.
      if (Math.abs(point.w0) < 0.2) continue;
      expectSlopes("magnitude", point);
      expectSlopes("magnitude", atKink);
    }
  });

  it("at the kink are those from x > 0, and jump by 4/T² in |a|", () => {
    const [T, w0] = [0.5, 1];
    functions.begin(of(0.25), of(w0), of(2), of(20));
    const brake = 0.25 + 0.5 * w0 * T;
    functions.evaluate(of(brake, T));
    expect(functions.acceleration[0]).toBe(w0 / T);
    expect(functions.accelerationByTarget[0]).toBe(2 / T ** 2);
    functions.evaluate(of(brake - 1e-12, T));
    expect(functions.acceleration[0]).toBeCloseTo(-w0 / T, 9);
    // a < 0 grows in magnitude as the target falls.
    expect(functions.accelerationByTarget[0]).toBeCloseTo(2 / T ** 2, 9);
  });

  it("of a joint at rest that stays are those of a = 4D/T²", () => {
    begin({ w0: 0, q: 0.3, T: 0.5, wmax: 2, amax: 20 });
    functions.evaluate(of(0.3, 0.5));
    expect([functions.acceleration[0], functions.accelerationByTarget[0], functions.accelerationByTime[0]]).toEqual([
      0, 16, 0,
    ]);
    expect([functions.magnitude[0], functions.overshoot[0], functions.overshootByTarget[0]]).toEqual([0, 0.3, 1]);
  });
});

describe("the functions", () => {
  it("are those of the ramp that is executed", () => {
    const random = new Random("same ramp");
    const ramps = new JointRamps(1);
    const low = of(0);
    const high = of(0);
    for (let i = 0; i < 5_000; i++) {
      const { q0, w0, D, T, wmax, amax } = randomCase(random);
      const q = q0 + D;
      if (T < 1e-5) continue;
      expect(ramps.plan(of(q0), of(w0), of(q), T, of(wmax), of(amax))).toBe(RampStatus.ok);
      functions.begin(of(q0), of(w0), of(wmax), of(amax));
      functions.evaluate(of(q, T));
      // At the kink rounding decides on the sign: both describe the one constant brake.
      expect(Math.abs(Math.abs(functions.acceleration[0]!) - Math.abs(ramps.a[0]!))).toBeLessThan(1e-9 * amax);
      ramps.extremes(low, high);
      const bound = [q0, q, functions.overshoot[0]!];
      expect(Math.abs(Math.min(...bound) - low[0]!)).toBeLessThan(1e-9);
      expect(Math.abs(Math.max(...bound) - high[0]!)).toBeLessThan(1e-9);
    }
  });

  it("bound the reachable targets exactly where the ramp needs amax", () => {
    const random = new Random("bound");
    const ramps = new JointRamps(1);
    for (let i = 0; i < 5_000; i++) {
      const { w0, T, wmax, amax } = randomPoint(random);
      functions.begin(of(0.3), of(w0), of(wmax), of(amax));
      functions.evaluate(of(0.3, T));
      if (T < functions.stoppingTime + 0.02) continue;
      const inside = of(functions.highest[0]! - 1e-6);
      const outside = of(functions.highest[0]! + 1e-6);
      expect(ramps.plan(of(0.3), of(w0), inside, T, of(wmax), of(amax))).toBe(RampStatus.ok);
      expect(ramps.plan(of(0.3), of(w0), outside, T, of(wmax), of(amax))).not.toBe(RampStatus.ok);
    }
  });

  it("smooth |a| from above by no more than their share", () => {
    const random = new Random("smoothing");
    const fine = new RampFunctions(1, 0.01);
    const none = new RampFunctions(1, 0);
    for (let i = 0; i < 5_000; i++) {
      const point = randomPoint(random);
      const q = random.uniform() < 0.3 ? point.q - 0.5 * kink(point) : point.q;
      for (const f of [functions, fine, none]) {
        f.begin(of(0.3), of(point.w0), of(point.wmax), of(point.amax));
        f.evaluate(of(q, point.T));
      }
      const exact = Math.abs(functions.acceleration[0]!);
      expect(Math.abs(none.magnitude[0]! - exact)).toBeLessThanOrEqual(1e-12 * exact);
      expect(fine.magnitude[0]!).toBeGreaterThanOrEqual(exact * (1 - 1e-12));
      expect(fine.magnitude[0]!).toBeLessThanOrEqual(exact * (1.01 + 1e-12));
      expect(functions.magnitude[0]!).toBeLessThanOrEqual(exact * (1.05 + 1e-12));
    }
  });

  it("stay finite where no ramp exists", () => {
    for (const T of [1e-9, 1e-3, 0.05, 0.3]) {
      for (const w0 of [-9, -1, 0, 2, 9]) {
        for (const q of [-100, -1, 0.3, 1, 100]) {
          begin({ w0, q, T, wmax: 2, amax: 20 });
          functions.evaluate(of(q, T));
          for (const value of Object.values(functions)) {
            if (value instanceof Float64Array) expect(Number.isFinite(value[0])).toBe(true);
          }
        }
      }
    }
  });

  it("allocate nothing", () => {
    const random = new Random("heap");
    const n = 7;
    const many = new RampFunctions(n);
    const [q0, w0, wmax, amax, x] = [1, 1, 3, 20, 1].map((scale) =>
      Float64Array.from({ length: n + 1 }, () => scale * random.uniformIn(0.5, 1)),
    ) as [Float64Array, Float64Array, Float64Array, Float64Array, Float64Array];
    const bytes = heapBytesPerCall((i) => {
      many.begin(q0, w0, wmax, amax);
      x[i % n] = q0[i % n]! + 0.001 * (i % 1000) - 0.5;
      x[n] = 0.3 + (i % 100) / 100;
      many.evaluate(x);
    });
    expect(bytes).toBeLessThan(allocationFree);
  });
});
