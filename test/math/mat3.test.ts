import { determinant, inverse } from "ml-matrix";
import { describe, expect, it } from "vitest";
import * as mat3 from "../../src/math/mat3.js";
import * as quat from "../../src/math/quat.js";
import { Random } from "../../src/math/random.js";
import * as vec3 from "../../src/math/vec3.js";
import { unitVector } from "../support/random-draws.js";
import { fromAxisAngle } from "../support/rotations.js";
import {
  expectAliasSafe,
  expectAliasSafeUnary,
  fromMl,
  maxDifference,
  normals,
  normalVector,
  randomRotation,
  toMl,
} from "./reference.js";

const random = new Random("mat3");
const X = vec3.create(1, 0, 0);
const Y = vec3.create(0, 1, 0);
const Z = vec3.create(0, 0, 1);

function normalMat3(): mat3.Mat3 {
  return normals(random, 9) as mat3.Mat3;
}

function about(axis: vec3.Vec3, angle: number): mat3.Mat3 {
  return mat3.fromAxisAngle(axis, angle, mat3.create());
}

function product(...factors: mat3.Mat3[]): mat3.Mat3 {
  return factors.reduce((a, b) => mat3.multiply(a, b, mat3.create()), mat3.create());
}

describe("mat3", () => {
  it("multiplies, transposes, inverts and transforms as ml-matrix does", () => {
    for (let i = 0; i < 500; i++) {
      const a = normalMat3();
      const b = normalMat3();
      const v = normalVector(random);
      const [ma, mb, mv] = [toMl(a, 3, 3), toMl(b, 3, 3), toMl(v, 3, 1)];
      const out = mat3.create();
      const vector = vec3.create();
      expect(maxDifference(mat3.multiply(a, b, out), fromMl(ma.mmul(mb)))).toBeLessThan(1e-14);
      expect(maxDifference(mat3.multiplyTransposed(a, b, out), fromMl(ma.transpose().mmul(mb)))).toBeLessThan(1e-14);
      expect(maxDifference(mat3.transpose(a, out), fromMl(ma.transpose()))).toBe(0);
      expect(maxDifference(mat3.transform(a, v, vector), fromMl(ma.mmul(mv)))).toBeLessThan(1e-14);
      expect(maxDifference(mat3.transformTransposed(a, v, vector), fromMl(ma.transpose().mmul(mv)))).toBeLessThan(
        1e-14,
      );
      const det = mat3.invert(a, out);
      expect(Math.abs(det - determinant(ma))).toBeLessThan(1e-13);
      expect(maxDifference(out, fromMl(inverse(ma))) * Math.min(1, det * det)).toBeLessThan(1e-12);
    }
  });

  it("leaves `out` alone when there is no inverse", () => {
    const singular = Float64Array.of(1, 2, 3, 2, 4, 6, 1, 0, 1) as mat3.Mat3;
    const out = mat3.create();
    expect(mat3.invert(singular, out)).toBe(0);
    expect([...out]).toEqual([...mat3.create()]);
    expect(mat3.invert(singular.fill(Number.NaN) as mat3.Mat3, out)).toBeNaN();
    expect([...out]).toEqual([...mat3.create()]);
  });

  it("rotates right-handed about an axis", () => {
    const quarter = Math.PI / 2;
    const out = vec3.create();
    expect(maxDifference(mat3.transform(about(Z, quarter), X, out), Y)).toBeLessThan(1e-15);
    expect(maxDifference(mat3.transform(about(X, quarter), Y, out), Z)).toBeLessThan(1e-15);
    expect(maxDifference(mat3.transform(about(Y, quarter), Z, out), X)).toBeLessThan(1e-15);
  });

  it("gives rotations: orthonormal, determinant one, agreeing with the quaternion", () => {
    for (let i = 0; i < 500; i++) {
      const axis = unitVector(random, vec3.create());
      const angle = random.uniformIn(-7, 7);
      const m = about(axis, angle);
      expect(maxDifference(mat3.multiplyTransposed(m, m, mat3.create()), mat3.create())).toBeLessThan(2e-15);
      expect(Math.abs(mat3.invert(m, mat3.create()) - 1)).toBeLessThan(2e-15);
      const q = fromAxisAngle(axis, angle);
      expect(maxDifference(quat.toMat3(q, mat3.create()), m)).toBeLessThan(2e-15);
    }
  });

  it("composes roll, pitch and yaw as URDF does, and takes them apart again", () => {
    for (let i = 0; i < 500; i++) {
      const roll = random.uniformIn(-Math.PI, Math.PI);
      const pitch = random.uniformIn(-1.57, 1.57);
      const yaw = random.uniformIn(-Math.PI, Math.PI);
      const m = mat3.fromRpy(roll, pitch, yaw, mat3.create());
      expect(maxDifference(m, product(about(Z, yaw), about(Y, pitch), about(X, roll)))).toBeLessThan(1e-15);
    }
  });

  it("makes the matrix of a cross product", () => {
    const a = normalVector(random);
    const b = normalVector(random);
    const product = mat3.transform(mat3.skew(a, mat3.create()), b, vec3.create());
    expect(maxDifference(product, vec3.cross(a, b, vec3.create()))).toBeLessThan(1e-15);
  });

  it("may write over its inputs", () => {
    const a = randomRotation(random);
    const b = normalMat3();
    for (const f of [mat3.multiply, mat3.multiplyTransposed]) expectAliasSafe(f, a, b);
    for (const f of [mat3.copy, mat3.transpose, mat3.invert]) expectAliasSafeUnary(f, b);
    const v = normalVector(random);
    for (const f of [mat3.transform, mat3.transformTransposed]) expectAliasSafeUnary((x, out) => f(a, x, out), v);
  });
});
