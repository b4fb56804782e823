import { determinant, QrDecomposition, SVD } from "ml-matrix";
import { describe, expect, it } from "vitest";
import { MatrixStatus } from "../../src/math/cholesky.js";
import { QrWorkspace } from "../../src/math/qr.js";
import { Random } from "../../src/math/random.js";
import { fromMl, maxDifference, normals, toMl } from "./reference.js";

const random = new Random("qr");

function residual(a: Float64Array, x: Float64Array, b: Float64Array): number {
  const difference = toMl(a, b.length, x.length)
    .mmul(toMl(x, x.length, 1))
    .sub(toMl(b, b.length, 1));
  return difference.norm("frobenius");
}

/** The diagonal of R is zero from the rank on. */
function rankOf(qr: QrWorkspace): number {
  return qr.diagonal.filter((entry) => entry !== 0).length;
}

describe("QrWorkspace", () => {
  it("solves least squares as ml-matrix does by QR and by SVD", () => {
    for (let i = 0; i < 200; i++) {
      const cols = 1 + random.integer(8);
      const rows = cols + random.integer(12);
      const [a, b] = [normals(random, rows * cols), normals(random, rows)];
      const svd = new SVD(toMl(a, rows, cols));
      const qr = new QrWorkspace(rows, cols);
      expect(qr.factor(a)).toBe(MatrixStatus.ok);
      expect(rankOf(qr)).toBe(cols);
      const x = qr.solve(b, new Float64Array(cols));
      const tolerance = 1e-14 * svd.condition ** 2 + 1e-13;
      expect(maxDifference(x, fromMl(new QrDecomposition(toMl(a, rows, cols)).solve(toMl(b, rows, 1))))).toBeLessThan(
        tolerance,
      );
      expect(maxDifference(x, fromMl(svd.solve(toMl(b, rows, 1))))).toBeLessThan(tolerance);
    }
  });

  it("leaves a residual at right angles to every column", () => {
    const [a, b] = [normals(random, 60), normals(random, 20)];
    const qr = new QrWorkspace(20, 3);
    qr.factor(a);
    const x = qr.solve(b, new Float64Array(3));
    const m = toMl(a, 20, 3);
    const rest = m.mmul(toMl(x, 3, 1)).sub(toMl(b, 20, 1));
    expect(maxDifference(fromMl(m.transpose().mmul(rest)), [0, 0, 0])).toBeLessThan(1e-13);
  });

  it("has a falling diagonal whose product is the determinant", () => {
    for (let i = 0; i < 100; i++) {
      const n = 1 + random.integer(8);
      const a = normals(random, n * n);
      const qr = new QrWorkspace(n, n);
      qr.factor(a);
      const sizes = qr.diagonal.map(Math.abs);
      for (let k = 1; k < n; k++) expect(sizes[k]).toBeLessThanOrEqual(sizes[k - 1]! * (1 + 1e-14));
      const size = sizes.reduce((product, d) => product * d, 1);
      expect(Math.abs(size / Math.abs(determinant(toMl(a, n, n))) - 1)).toBeLessThan(1e-10);
    }
  });

  it("finds the rank that the SVD finds, and still the least residual", () => {
    for (let i = 0; i < 200; i++) {
      const [rows, cols] = [2 + random.integer(10), 2 + random.integer(8)];
      const rank = 1 + random.integer(Math.min(rows, cols) - 1);
      const a = fromMl(
        toMl(normals(random, rows * rank), rows, rank).mmul(toMl(normals(random, rank * cols), rank, cols)),
      );
      const b = normals(random, rows);
      const svd = new SVD(toMl(a, rows, cols), { autoTranspose: true });
      const qr = new QrWorkspace(rows, cols);
      expect(qr.factor(a)).toBe(MatrixStatus.rankDeficient);
      expect(rankOf(qr)).toBe(rank);
      expect(rank).toBe(svd.rank);
      expect([...qr.diagonal.subarray(rank)].every((d) => d === 0)).toBe(true);
      const x = qr.solve(b, new Float64Array(cols));
      const least = residual(a, fromMl(svd.solve(toMl(b, rows, 1))), b);
      expect(Math.abs(residual(a, x, b) - least)).toBeLessThan(1e-9);
      expect(x.filter((entry) => entry !== 0).length).toBeLessThanOrEqual(rank);
    }
  });

  it("solves an underdetermined system, and says that it is not unique", () => {
    const [a, b] = [normals(random, 12), normals(random, 3)];
    const qr = new QrWorkspace(3, 4);
    expect(qr.factor(a)).toBe(MatrixStatus.rankDeficient);
    expect(rankOf(qr)).toBe(3);
    expect(residual(a, qr.solve(b, new Float64Array(4)), b)).toBeLessThan(1e-13);
  });

  it("refuses NaN and Infinity, answers NaN, and recovers with the next matrix", () => {
    const good = normals(random, 12);
    const qr = new QrWorkspace(4, 3);
    for (const bad of [Number.NaN, Number.POSITIVE_INFINITY]) {
      for (let i = 0; i < 12; i++) {
        const a = good.slice();
        a[i] = bad;
        expect(qr.factor(a)).toBe(MatrixStatus.rankDeficient);
        expect(rankOf(qr)).toBe(0);
        expect([...qr.solve(normals(random, 4), new Float64Array(3))]).toEqual([Number.NaN, Number.NaN, Number.NaN]);
      }
      expect(qr.factor(good)).toBe(MatrixStatus.ok);
    }
    expect(qr.factor(new Float64Array(12))).toBe(MatrixStatus.rankDeficient);
    expect([...qr.solve(normals(random, 4), new Float64Array(3))]).toEqual([0, 0, 0]);
  });

  it("leaves its inputs alone, may write over the right-hand side, and repeats its bits", () => {
    const [a, b] = [normals(random, 15), normals(random, 5)];
    const [aBefore, bBefore] = [a.slice(), b.slice()];
    const qr = new QrWorkspace(5, 3);
    qr.factor(a);
    const x = qr.solve(b, new Float64Array(3));
    expect(maxDifference(a, aBefore)).toBe(0);
    expect(maxDifference(b, bBefore)).toBe(0);
    qr.factor(a);
    qr.solve(b, b);
    expect(maxDifference(b.subarray(0, 3), x)).toBe(0);
    expect([...b.subarray(3)]).toEqual([...bBefore.subarray(3)]);
  });

  it("gives NaN before anything is factored", () => {
    expect([...new QrWorkspace(2, 1).solve(Float64Array.of(1, 2), new Float64Array(1))]).toEqual([Number.NaN]);
  });

  it("refuses sizes that are none", () => {
    for (const size of [0, -1, 1.5, Number.NaN]) {
      expect(() => new QrWorkspace(size, 1)).toThrow(RangeError);
      expect(() => new QrWorkspace(1, size)).toThrow(RangeError);
    }
  });
});
