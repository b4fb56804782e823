import { Matrix } from "ml-matrix";
import { expect } from "vitest";
import * as mat3 from "../../src/math/mat3.js";
import * as pose from "../../src/math/pose.js";
import * as quat from "../../src/math/quat.js";
import type { Random } from "../../src/math/random.js";
import * as vec3 from "../../src/math/vec3.js";
import { randomQuaternion } from "../support/random-draws.js";
import { fromQuatTranslation } from "../support/rotations.js";

/** Inputs and the independent reference (ml-matrix) of the math tests. */

export function toMl(a: Float64Array, rows: number, cols: number): Matrix {
  return Matrix.from1DArray(rows, cols, Array.from(a.subarray(0, rows * cols)));
}

export function fromMl(m: Matrix): Float64Array {
  return Float64Array.from(m.to1DArray());
}

export function normals(random: Random, count: number): Float64Array {
  return new Float64Array(count).map(() => random.normal());
}

export function normalVector(random: Random): vec3.Vec3 {
  return vec3.create(random.normal(), random.normal(), random.normal());
}

export function randomRotation(random: Random): mat3.Mat3 {
  return quat.toMat3(randomQuaternion(random, quat.create()), mat3.create());
}

export function randomPose(random: Random): pose.Pose {
  return fromQuatTranslation(randomQuaternion(random, quat.create()), normalVector(random), pose.create());
}

/** Symmetric, with eigenvalues of at least `floor`. */
export function positiveDefinite(random: Random, n: number, floor: number): Float64Array {
  const a = toMl(normals(random, n * n), n, n);
  return fromMl(a.mmul(a.transpose()).add(Matrix.eye(n).mul(floor)));
}

/** NaN where either holds one, so that no comparison passes by accident. */
export function maxDifference(a: ArrayLike<number>, b: ArrayLike<number>): number {
  expect(a.length).toBe(b.length);
  let largest = 0;
  for (let i = 0; i < a.length; i++) largest = Math.max(largest, Math.abs(a[i]! - b[i]!));
  return largest;
}

/** Compares, with the bits of a call into a fresh `out`, the calls whose `out` is one input or both. */
export function expectAliasSafe<T extends Float64Array>(
  f: (a: T, b: T, out: T) => unknown,
  a: T,
  b: T,
  tolerance = 0,
): void {
  const clone = (x: T): T => x.slice() as T;
  const call = (x: T, y: T, out: T): T => {
    f(x, y, out);
    return out;
  };
  const [first, second, both] = [clone(a), clone(b), clone(a)];
  const apart = call(clone(a), clone(b), clone(a).fill(7) as T);
  expect(maxDifference(call(first, b, first), apart)).toBeLessThanOrEqual(tolerance);
  expect(maxDifference(call(a, second, second), apart)).toBeLessThanOrEqual(tolerance);
  const apartBoth = call(clone(a), clone(a), clone(a).fill(7) as T);
  expect(maxDifference(call(both, both, both), apartBoth)).toBeLessThanOrEqual(tolerance);
}

/** The same for functions of one input. */
export function expectAliasSafeUnary<T extends Float64Array>(f: (a: T, out: T) => unknown, a: T): void {
  expectAliasSafe((x, _, out) => f(x, out), a, a);
}
