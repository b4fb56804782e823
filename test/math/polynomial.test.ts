import { describe, expect, it } from "vitest";
import { evaluatePolynomial, rootsWithin } from "../../src/math/polynomial.js";
import { Random } from "../../src/math/random.js";

/** Coefficients of Π (x − root), ascending. */
function fromRoots(roots: readonly number[]): Float64Array {
  let c = [1];
  for (const root of roots) c = [...c, 0].map((_, k) => (c[k - 1] ?? 0) - root * (c[k] ?? 0));
  return Float64Array.from(c);
}

describe("roots of a polynomial", () => {
  const out = new Float64Array(10);

  it("are those it was made of, within the interval", () => {
    const random = new Random("roots");
    for (let i = 0; i < 5000; i++) {
      const roots = Array.from({ length: 1 + random.integer(6) }, () => random.uniformIn(-2, 2)).sort((a, b) => a - b);
      if (roots.some((root, k) => k > 0 && root - roots[k - 1]! < 0.02)) continue;
      const c = fromRoots(roots);
      const [low, high] = [random.uniformIn(-2.5, 0), random.uniformIn(0, 2.5)];
      const inside = roots.filter((root) => root > low && root < high);
      const count = rootsWithin(c, 0, c.length, low, high, out);
      expect(count).toBe(inside.length);
      for (const [k, root] of inside.entries()) expect(Math.abs(out[k]! - root)).toBeLessThan(1e-7);
    }
  });

  it("are found at the ends of the interval, in the middle of an array, and of lower degree than there is room for", () => {
    const c = Float64Array.from([9, ...fromRoots([0, 0.5, 1]), 0, 0, 7]);
    expect(rootsWithin(c, 1, 6, 0, 1, out)).toBe(3);
    expect(Array.from(out.subarray(0, 3))).toEqual([0, 0.5, 1]);
    expect(evaluatePolynomial(c, 1, 4, 2)).toBe(3);
    expect(rootsWithin(Float64Array.of(2), 0, 1, -1, 1, out)).toBe(0);
    expect(rootsWithin(Float64Array.of(1, 0, 1), 0, 3, -9, 9, out)).toBe(0);
  });
});
