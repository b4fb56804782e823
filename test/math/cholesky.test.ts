import { CholeskyDecomposition, determinant, inverse, solve } from "ml-matrix";
import { describe, expect, it } from "vitest";
import * as cholesky from "../../src/math/cholesky.js";
import { Random } from "../../src/math/random.js";
import { expectAliasSafeUnary, fromMl, maxDifference, normals, positiveDefinite, toMl } from "./reference.js";

const { MatrixStatus } = cholesky;
const random = new Random("cholesky");

function factorOf(a: Float64Array, n: number): Float64Array {
  const l = new Float64Array(n * n).fill(9);
  expect(cholesky.factor(a, n, l)).toBe(MatrixStatus.ok);
  return l;
}

describe("factor", () => {
  it("gives ml-matrix's factor, with zeros above the diagonal", () => {
    for (let i = 0; i < 300; i++) {
      const n = 1 + random.integer(12);
      const a = positiveDefinite(random, n, 0.1);
      const expected = fromMl(new CholeskyDecomposition(toMl(a, n, n)).lowerTriangularMatrix);
      expect(maxDifference(factorOf(a, n), expected)).toBeLessThan(1e-12);
    }
  });

  it("reads the lower part only", () => {
    const a = positiveDefinite(random, 4, 1);
    const expected = factorOf(a, 4);
    for (let i = 0; i < 4; i++) for (let j = i + 1; j < 4; j++) a[4 * i + j] = Number.NaN;
    expect(maxDifference(factorOf(a, 4), expected)).toBe(0);
  });

  it("tells definite matrices from indefinite ones as ml-matrix does", () => {
    let indefinite = 0;
    for (let i = 0; i < 500; i++) {
      const n = 2 + random.integer(6);
      const a = positiveDefinite(random, n, random.uniformIn(-2, 1));
      const expected = new CholeskyDecomposition(toMl(a, n, n)).isPositiveDefinite();
      const status = cholesky.factor(a, n, new Float64Array(n * n));
      expect(status).toBe(expected ? MatrixStatus.ok : MatrixStatus.notPositiveDefinite);
      if (!expected) indefinite++;
    }
    expect(indefinite).toBeGreaterThan(100);
  });

  it("refuses zero, NaN and Infinity, wherever they stand in the lower part", () => {
    const n = 4;
    expect(cholesky.factor(new Float64Array(16), n, new Float64Array(16))).toBe(MatrixStatus.notPositiveDefinite);
    for (const bad of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]) {
      for (let i = 0; i < n; i++) {
        for (let j = 0; j <= i; j++) {
          const a = positiveDefinite(random, n, 1);
          a[n * i + j] = bad;
          expect(cholesky.factor(a, n, new Float64Array(n * n))).toBe(MatrixStatus.notPositiveDefinite);
        }
      }
    }
  });
});

describe("what follows from the factor", () => {
  it("solves, inverts and takes the determinant as ml-matrix does", () => {
    for (let i = 0; i < 200; i++) {
      const n = 1 + random.integer(12);
      const a = positiveDefinite(random, n, 1);
      const l = factorOf(a, n);
      const b = normals(random, n);
      const m = toMl(a, n, n);
      const x = cholesky.solve(l, b, n, new Float64Array(n));
      expect(maxDifference(x, fromMl(solve(m, toMl(b, n, 1))))).toBeLessThan(1e-12);
      expect(maxDifference(cholesky.invert(l, n, new Float64Array(n * n)), fromMl(inverse(m)))).toBeLessThan(1e-12);
      expect(Math.abs(cholesky.logDeterminant(l, n) - Math.log(determinant(m)))).toBeLessThan(1e-12);
    }
  });

  it("solves triangular systems, and inverts the factor", () => {
    for (let i = 0; i < 200; i++) {
      const n = 1 + random.integer(12);
      const l = factorOf(positiveDefinite(random, n, 1), n);
      const b = normals(random, n);
      const m = toMl(l, n, n);
      const lower = cholesky.solveLower(l, b, n, new Float64Array(n));
      expect(maxDifference(fromMl(m.mmul(toMl(lower, n, 1))), b)).toBeLessThan(1e-13);
      const inverted = cholesky.invertLower(l, n, new Float64Array(n * n).fill(9));
      expect(maxDifference(inverted, fromMl(inverse(m)))).toBeLessThan(1e-13);
    }
  });

  it("gives an inverse that is symmetric to the bit", () => {
    const n = 9;
    const inverted = cholesky.invert(factorOf(positiveDefinite(random, n, 1), n), n, new Float64Array(n * n));
    expect(maxDifference(inverted, fromMl(toMl(inverted, n, n).transpose()))).toBe(0);
  });

  it("may write over its inputs", () => {
    const n = 7;
    const a = positiveDefinite(random, n, 1);
    const l = factorOf(a, n);
    const b = normals(random, n);
    expectAliasSafeUnary((x, out) => cholesky.factor(x, n, out), a);
    expectAliasSafeUnary((x, out) => cholesky.invert(x, n, out), l);
    expectAliasSafeUnary((x, out) => cholesky.invertLower(x, n, out), l);
    for (const f of [cholesky.solve, cholesky.solveLower]) expectAliasSafeUnary((x, out) => f(l, x, n, out), b);
  });
});
