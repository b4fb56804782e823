import { describe, expect, it } from "vitest";
import { chiSquareProbability, chiSquareQuantile, type Freedom } from "../../../src/math/error-function.js";

/** The density integrated by Simpson's rule over √x, where it is smooth. */
function integral(x: number, freedom: Freedom): number {
  const gamma = freedom === 3 ? Math.sqrt(Math.PI) / 2 : 2;
  const steps = 2000;
  const h = Math.sqrt(x) / steps;
  let sum = 0;
  for (let n = 0; n <= steps; n++) {
    const root = n * h;
    const weight = n === 0 || n === steps ? 1 : n % 2 === 1 ? 4 : 2;
    sum += weight * 2 * root ** (freedom - 1) * Math.exp((-root * root) / 2);
  }
  return (sum * h) / 3 / (2 ** (freedom / 2) * gamma);
}

describe.each([3, 6] as const)("chi-square with %i degrees of freedom", (freedom) => {
  it("is the integral of its density", () => {
    for (const x of [0.01, 0.5, 1, 3, 7.8, 12, 21, 40]) {
      expect(chiSquareProbability(x, freedom)).toBeCloseTo(integral(x, freedom), 10);
    }
  });

  it("has the inverse of its probability as quantile", () => {
    for (const probability of [0.1, 0.5, 0.9, 0.99, 0.9999]) {
      expect(chiSquareProbability(chiSquareQuantile(probability, freedom), freedom)).toBeCloseTo(probability, 12);
    }
  });
});
