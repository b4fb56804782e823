import { describe, expect, it } from "vitest";
import { erf } from "../../src/math/error-function.js";

/** From Abramowitz & Stegun, tables 7.1 to 7.3. */
const values: readonly (readonly [number, number])[] = [
  [0, 0],
  [0.1, 0.1124629160182849],
  [0.5, 0.5204998778130465],
  [1, 0.8427007929497149],
  [2, 0.9953222650189527],
  [3, 0.9999779095030014],
  [5, 0.9999999999984626],
  [10, 1],
];

/** Simpson's rule on the definition. */
function integrate(x: number): number {
  const steps = 2000;
  const h = x / steps;
  let sum = 1 + Math.exp(-x * x);
  for (let k = 1; k < steps; k++) sum += (k % 2 === 1 ? 4 : 2) * Math.exp(-((k * h) ** 2));
  return (2 / Math.sqrt(Math.PI)) * (h / 3) * sum;
}

describe("erf", () => {
  it.each(values)("at %d is as tabulated", (x, value) => {
    expect(Math.abs(erf(x) - value)).toBeLessThan(1e-15);
    expect(erf(-x)).toBe(-erf(x));
  });

  it("agrees with the integral across every change of method", () => {
    for (let x = 0; x < 6; x += 0.01) {
      expect(Math.abs(erf(x) - integrate(x))).toBeLessThan(1e-12);
    }
  });

  it("is exact at the ends and NaN at NaN", () => {
    expect(erf(Number.POSITIVE_INFINITY)).toBe(1);
    expect(erf(Number.NEGATIVE_INFINITY)).toBe(-1);
    expect(erf(Number.NaN)).toBeNaN();
  });
});
