import { describe, expect, it } from "vitest";
import { erf, erfc } from "../../src/math/error-function.js";

/** From Abramowitz & Stegun, tables 7.1 to 7.3, and the arbitrary-precision value of erfc(0.5) and beyond. */
const values: readonly (readonly [number, number, number])[] = [
  [0, 0, 1],
  [0.1, 0.1124629160182849, 0.887537083981715],
  [0.5, 0.5204998778130465, 0.4795001221869535],
  [1, 0.8427007929497149, 0.15729920705028513],
  [2, 0.9953222650189527, 0.004677734981047266],
  [3, 0.9999779095030014, 2.209049699858544e-5],
  [5, 0.9999999999984626, 1.5374597944280349e-12],
  [10, 1, 2.088487583762545e-45],
];

/** Simpson's rule on the definition. */
function integrate(x: number): number {
  const steps = 2000;
  const h = x / steps;
  let sum = 1 + Math.exp(-x * x);
  for (let k = 1; k < steps; k++) sum += (k % 2 === 1 ? 4 : 2) * Math.exp(-((k * h) ** 2));
  return (2 / Math.sqrt(Math.PI)) * (h / 3) * sum;
}

describe("erf and erfc", () => {
  it.each(values)("at %d are as tabulated", (x, value, complement) => {
    expect(Math.abs(erf(x) - value)).toBeLessThan(1e-15);
    expect(Math.abs(erfc(x) / complement - 1)).toBeLessThan(1e-13);
    expect(erf(-x)).toBe(-erf(x));
    expect(Math.abs(erfc(-x) - (1 + value))).toBeLessThan(1e-15);
  });

  it("agree with the integral, and with one another across every change of method", () => {
    for (let x = 0; x < 6; x += 0.01) {
      expect(Math.abs(erf(x) - integrate(x))).toBeLessThan(1e-12);
      expect(Math.abs(erf(x) + erfc(x) - 1)).toBeLessThan(1e-15);
    }
  });

  it("are exact at the ends and NaN at NaN", () => {
    expect(erf(Number.POSITIVE_INFINITY)).toBe(1);
    expect(erf(Number.NEGATIVE_INFINITY)).toBe(-1);
    expect(erfc(Number.POSITIVE_INFINITY)).toBe(0);
    expect(erf(Number.NaN)).toBeNaN();
    expect(erfc(Number.NaN)).toBeNaN();
  });
});
