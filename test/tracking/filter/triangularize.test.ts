import { describe, expect, it } from "vitest";
import * as matrix from "../../../src/math/matrix.js";
import { Random } from "../../../src/math/random.js";
import { triangularize } from "../../../src/tracking/filter/triangularize.js";

/** Gram matrix a·aᵀ of a row-major rows × cols matrix. */
function gram(a: Float64Array, rows: number, cols: number): Float64Array {
  return matrix.multiplyTransposeRight(a, a, rows, cols, rows, new Float64Array(rows * rows));
}

describe("triangularize", () => {
  const random = new Random("triangularize");

  it("keeps a·aᵀ, below a diagonal that is not negative", () => {
    for (let k = 0; k < 500; k++) {
      const rows = 1 + random.integer(8);
      const cols = rows + random.integer(10);
      const a = Float64Array.from({ length: rows * cols }, () => (random.uniform() < 0.2 ? 0 : random.normal()));
      const before = gram(a, rows, cols);
      triangularize(a, rows, cols);
      const isLower = a.every((x, n) => (n % cols > Math.floor(n / cols) ? x === 0 : true));
      const isPositive = a.every((x, n) => (n % cols === Math.floor(n / cols) ? x >= 0 : true));
      expect([isLower, isPositive]).toEqual([true, true]);
      const worst = Math.max(...gram(a, rows, cols).map((x, n) => Math.abs(x - before[n]!)));
      expect(worst).toBeLessThan(1e-12);
    }
  });

  it("leaves zeros where there is nothing", () => {
    const a = new Float64Array(12);
    triangularize(a, 3, 4);
    expect([...a].every((x) => x === 0)).toBe(true);
  });

  it("does not lose a small row beside a great one", () => {
    const a = Float64Array.of(1e8, 1e8, 1e8, 1e-8, 2e-8, -1e-8);
    triangularize(a, 2, 3);
    // What of the second row is not along the first: |(1, 2, −1) − ⅔·(1, 1, 1)|·1e-8.
    expect(a[4]! / 1e-8).toBeCloseTo(Math.sqrt(6 - 4 / 3), 7);
  });
});
