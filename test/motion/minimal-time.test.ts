import { describe, expect, it } from "vitest";
import { Random } from "../../src/math/random.js";
import { minimalTime, reachableDistance, reachableSlope, stoppingTime } from "../../src/motion/minimal-time.js";
import { deep } from "../support/deep.js";
import { randomCase } from "./random-ramps.js";

/**
 * Reference, without any closed form of a ramp: of all motions that end at rest at T, the one that gets farthest has at
 * each moment the highest speed from which it could have come and can still stop: the least of three straight lines,
 * w0 + amax·t, wmax (or the brake to it), amax·(T − t). Between the lines' crossings it is straight, so the trapezoid
 * rule over them is exact.
 */
function farthest(T: number, w0: number, wmax: number, amax: number): number {
  const limit = (t: number): number => Math.max(wmax, w0 - amax * t);
  const speed = (t: number): number => Math.min(w0 + amax * t, limit(t), amax * (T - t));
  const crossings = [
    0,
    T,
    (wmax - w0) / amax,
    (w0 - wmax) / amax,
    T - wmax / amax,
    0.5 * (T - w0 / amax),
    0.5 * (T + w0 / amax),
  ]
    .filter((t) => t >= 0 && t <= T)
    .sort((a, b) => a - b);
  let distance = 0;
  for (let k = 1; k < crossings.length; k++) {
    const [from, to] = [crossings[k - 1]!, crossings[k]!];
    distance += 0.5 * (speed(from) + speed(to)) * (to - from);
  }
  return distance;
}

/** The same downwards, by mirroring. */
function nearest(T: number, w0: number, wmax: number, amax: number): number {
  return -farthest(T, -w0, wmax, amax);
}

/** The first time at which D is within reach, by bisection on the reference. */
function searchedMinimalTime(w0: number, D: number, wmax: number, amax: number): number {
  let low = Math.abs(w0) / amax;
  const isWithin = (T: number): boolean => nearest(T, w0, wmax, amax) <= D && D <= farthest(T, w0, wmax, amax);
  let high = low + 1e-3;
  while (!isWithin(high)) high = 2 * high + 1e-3;
  for (let k = 0; k < 100 && high - low > 1e-14; k++) {
    const middle = 0.5 * (low + high);
    if (isWithin(middle)) high = middle;
    else low = middle;
  }
  return high;
}

/**
 * How much of a distance is rounding. Where the slope of the time is infinite, this is all a reference can tell: so the
 * time must lie between those of D ∓ this.
 */
const ROUNDING = 1e-13;

describe("minimalTime", () => {
  it("agrees with bisection on what can be reached", () => {
    const random = new Random("minimal time");
    for (let i = 0; i < deep(2_500, 50_000); i++) {
      const { w0, D, wmax, amax } = randomCase(random);
      const time = minimalTime(w0, D, wmax, amax);
      const earlier = searchedMinimalTime(w0, D - ROUNDING, wmax, amax);
      const later = searchedMinimalTime(w0, D + ROUNDING, wmax, amax);
      const here = searchedMinimalTime(w0, D, wmax, amax);
      const low = Math.min(earlier, later, here) - 1e-9;
      const high = Math.max(earlier, later, here) + 1e-9;
      if (!(time >= low && time <= high)) {
        expect.fail(`${JSON.stringify({ w0, D, wmax, amax })}: ${time}, searched ${low} … ${high}`);
      }
    }
  }, 120_000);

  it("is beaten by no random motion within the limits", () => {
    const random = new Random("random motions");
    for (let i = 0; i < 5_000; i++) {
      const wmax = random.uniformIn(0.5, 4);
      const amax = random.uniformIn(1, 40);
      const start = random.uniformIn(-wmax, wmax);
      let w = start;
      let D = 0;
      let T = 0;
      const pieces = 1 + random.integer(6);
      for (let k = 0; k <= pieces; k++) {
        const next = k === pieces ? 0 : random.uniformIn(-wmax, wmax);
        const duration = (Math.abs(next - w) / amax) * (1 + (random.uniform() < 0.5 ? 0 : random.uniform()));
        D += 0.5 * (w + next) * duration;
        T += duration;
        w = next;
      }
      expect(minimalTime(start, D, wmax, amax)).toBeLessThanOrEqual(T + 1e-7);
    }
  });

  it("is known by heart in simple cases", () => {
    expect(minimalTime(0, 1, 2, 4)).toBe(1);
    expect(minimalTime(0, 0, 2, 4)).toBe(0);
    expect(minimalTime(0, 4, 2, 4)).toBe(2.5);
    expect(minimalTime(2, 0.5, 2, 4)).toBe(0.5);
    expect(minimalTime(-2, -0.5, 2, 4)).toBe(0.5);
    // Stop (0.5 s, 0.5 rad too far), then 0.5 rad back.
    expect(minimalTime(2, 0, 2, 4)).toBeCloseTo(0.5 + 2 * Math.sqrt(0.5 / 4), 12);
    expect(minimalTime(4, 2, 2, 4)).toBeCloseTo(1, 12);
    expect(minimalTime(0, 1, Number.POSITIVE_INFINITY, 4)).toBe(1);
    expect(minimalTime(Number.NaN, 1, 2, 4)).toBeNaN();
  });

  it("does not turn rounding at the brake point into time", () => {
    const random = new Random("brake point");
    for (let i = 0; i < 10_000; i++) {
      const amax = random.uniformIn(1, 40);
      const w0 = random.uniformIn(-3, 3);
      expect(minimalTime(w0, (w0 * Math.abs(w0)) / (2 * amax), 4, amax)).toBeCloseTo(Math.abs(w0) / amax, 13);
    }
  });
});

describe("reachableDistance", () => {
  it("agrees with the fastest motions", () => {
    const random = new Random("reachable");
    for (let i = 0; i < 5_000; i++) {
      const { w0, wmax, amax } = randomCase(random);
      const T = stoppingTime(w0, amax) + 2 * random.uniform() ** 3;
      expect(Math.abs(reachableDistance(1, T, w0, wmax, amax) - farthest(T, w0, wmax, amax))).toBeLessThan(1e-10);
      expect(Math.abs(reachableDistance(-1, T, w0, wmax, amax) - nearest(T, w0, wmax, amax))).toBeLessThan(1e-10);
    }
  });

  it("is the inverse of minimalTime: the bound at t takes exactly t", () => {
    const random = new Random("inverse");
    for (let i = 0; i < 5_000; i++) {
      const { w0, wmax, amax } = randomCase(random);
      const T = stoppingTime(w0, amax) + 0.01 + random.uniform();
      for (const s of [1, -1] as const) {
        const D = reachableDistance(s, T, w0, wmax, amax);
        expect(Math.abs(minimalTime(w0, D, wmax, amax) - T)).toBeLessThan(1e-8);
      }
    }
  });

  it("shrinks to the brake distance at the stopping time, and is empty before", () => {
    const [w0, wmax, amax] = [1.5, 2, 10];
    const t = stoppingTime(w0, amax);
    expect(reachableDistance(1, t, w0, wmax, amax)).toBeCloseTo(w0 ** 2 / (2 * amax), 14);
    expect(reachableDistance(-1, t, w0, wmax, amax)).toBeCloseTo(w0 ** 2 / (2 * amax), 14);
    expect(reachableDistance(-1, 0.9 * t, w0, wmax, amax)).toBeGreaterThan(
      reachableDistance(1, 0.9 * t, w0, wmax, amax),
    );
  });

  it("has the slope it says, before the stopping time too", () => {
    const random = new Random("slopes");
    const h = 1e-6;
    for (let i = 0; i < 5_000; i++) {
      const { w0, wmax, amax } = randomCase(random);
      const t = 1e-3 + random.uniform();
      for (const s of [1, -1] as const) {
        const difference =
          (reachableDistance(s, t + h, w0, wmax, amax) - reachableDistance(s, t - h, w0, wmax, amax)) / (2 * h);
        // The slope itself changes at the rate amax/2 at most.
        expect(Math.abs(reachableSlope(s, t, w0, wmax, amax) - difference)).toBeLessThan(1e-8 + amax * h);
      }
    }
  });
});
