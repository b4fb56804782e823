import { describe, expect, it } from "vitest";
import * as matrix from "../../src/math/matrix.js";
import { Random } from "../../src/math/random.js";
import { expectAliasSafe, expectAliasSafeUnary, fromMl, maxDifference, normals, toMl } from "./reference.js";

const random = new Random("matrix");
const TOLERANCE = 1e-13;

describe("matrix", () => {
  it("multiplies as ml-matrix does, at every size from 1 to 13", () => {
    for (let i = 0; i < 400; i++) {
      const [rows, inner, cols] = [1 + random.integer(13), 1 + random.integer(13), 1 + random.integer(13)];
      const a = normals(random, rows * inner);
      const b = normals(random, inner * cols);
      const [ma, mb] = [toMl(a, rows, inner), toMl(b, inner, cols)];
      const expected = fromMl(ma.mmul(mb));
      const [at, bt] = [fromMl(ma.transpose()), fromMl(mb.transpose())];
      const out = new Float64Array(rows * cols);
      expect(maxDifference(matrix.multiply(a, b, rows, inner, cols, out), expected)).toBeLessThan(TOLERANCE);
      expect(maxDifference(matrix.multiplyTransposeLeft(at, b, inner, rows, cols, out), expected)).toBeLessThan(
        TOLERANCE,
      );
      expect(maxDifference(matrix.multiplyTransposeRight(a, bt, rows, inner, cols, out), expected)).toBeLessThan(
        TOLERANCE,
      );
    }
  });

  it("multiplies vectors and transposes as ml-matrix does", () => {
    for (let i = 0; i < 200; i++) {
      const [rows, cols] = [1 + random.integer(13), 1 + random.integer(13)];
      const a = normals(random, rows * cols);
      const [x, y] = [normals(random, cols), normals(random, rows)];
      const m = toMl(a, rows, cols);
      const forward = matrix.multiplyVector(a, x, rows, cols, new Float64Array(rows));
      expect(maxDifference(forward, fromMl(m.mmul(toMl(x, cols, 1))))).toBeLessThan(TOLERANCE);
      const backward = matrix.multiplyTransposedVector(a, y, rows, cols, new Float64Array(cols));
      expect(maxDifference(backward, fromMl(m.transpose().mmul(toMl(y, rows, 1))))).toBeLessThan(TOLERANCE);
      const transposed = matrix.transpose(a, rows, cols, new Float64Array(rows * cols));
      expect(maxDifference(transposed, fromMl(m.transpose()))).toBe(0);
    }
  });

  it("makes the identity and the symmetric part", () => {
    expect([...matrix.identity(2, new Float64Array(4).fill(9))]).toEqual([1, 0, 0, 1]);
    expect([...matrix.symmetrize(Float64Array.of(1, 2, 4, 3), 2, new Float64Array(4))]).toEqual([1, 3, 3, 3]);
  });

  it("writes no further than the result in a longer workspace", () => {
    const out = new Float64Array(10).fill(9);
    expect(matrix.multiply(normals(random, 4), normals(random, 4), 2, 2, 2, out)).toBe(out);
    expect([...out.subarray(4)]).toEqual([9, 9, 9, 9, 9, 9]);
  });

  it("carries NaN into every entry it touches", () => {
    const a = Float64Array.of(1, Number.NaN, 3, 4);
    const out = matrix.multiply(a, Float64Array.of(1, 0, 0, 1), 2, 2, 2, new Float64Array(4));
    expect([...out]).toEqual([Number.NaN, Number.NaN, 3, 4]);
  });

  it("may write over its inputs, also when they change shape or outgrow the scratch", () => {
    for (const n of [1, 3, 6, 20]) {
      const [a, b] = [normals(random, n * n), normals(random, n * n)];
      expectAliasSafe((x, y, out) => matrix.multiply(x, y, n, n, n, out), a, b);
      expectAliasSafe((x, y, out) => matrix.multiplyTransposeLeft(x, y, n, n, n, out), a, b);
      expectAliasSafe((x, y, out) => matrix.multiplyTransposeRight(x, y, n, n, n, out), a, b);
      expectAliasSafeUnary((x, out) => matrix.transpose(x, n, n, out), a);
      expectAliasSafeUnary((x, out) => matrix.symmetrize(x, n, out), a);
      const x = normals(random, n);
      expectAliasSafeUnary((v, out) => matrix.multiplyVector(a, v, n, n, out), x);
      expectAliasSafeUnary((v, out) => matrix.multiplyTransposedVector(a, v, n, n, out), x);
    }
    expectAliasSafeUnary((x, out) => matrix.transpose(x, 2, 5, out), normals(random, 10));
  });
});
