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
      const bt = fromMl(mb.transpose());
      const out = new Float64Array(rows * cols);
      expect(maxDifference(matrix.multiply(a, b, rows, inner, cols, out), expected)).toBeLessThan(TOLERANCE);
      expect(maxDifference(matrix.multiplyTransposeRight(a, bt, rows, inner, cols, out), expected)).toBeLessThan(
        TOLERANCE,
      );
    }
  });

  it("multiplies vectors as ml-matrix does", () => {
    for (let i = 0; i < 200; i++) {
      const [rows, cols] = [1 + random.integer(13), 1 + random.integer(13)];
      const a = normals(random, rows * cols);
      const x = normals(random, cols);
      const m = toMl(a, rows, cols);
      const forward = matrix.multiplyVector(a, x, rows, cols, new Float64Array(rows));
      expect(maxDifference(forward, fromMl(m.mmul(toMl(x, cols, 1))))).toBeLessThan(TOLERANCE);
    }
  });

  it("makes the symmetric part", () => {
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

  it("may write over its inputs, also when they outgrow the scratch", () => {
    for (const n of [1, 3, 6, 20]) {
      const [a, b] = [normals(random, n * n), normals(random, n * n)];
      expectAliasSafe((x, y, out) => matrix.multiply(x, y, n, n, n, out), a, b);
      expectAliasSafe((x, y, out) => matrix.multiplyTransposeRight(x, y, n, n, n, out), a, b);
      expectAliasSafeUnary((x, out) => matrix.symmetrize(x, n, out), a);
      const x = normals(random, n);
      expectAliasSafeUnary((v, out) => matrix.multiplyVector(a, v, n, n, out), x);
    }
  });
});
