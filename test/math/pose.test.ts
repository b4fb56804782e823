import { inverse, Matrix } from "ml-matrix";
import { describe, expect, it } from "vitest";
import * as mat3 from "../../src/math/mat3.js";
import * as pose from "../../src/math/pose.js";
import * as quat from "../../src/math/quat.js";
import { Random } from "../../src/math/random.js";
import * as vec3 from "../../src/math/vec3.js";
import { randomQuaternion } from "../support/random-draws.js";
import { angleBetween, fromQuatTranslation } from "../support/rotations.js";
import {
  expectAliasSafe,
  expectAliasSafeUnary,
  maxDifference,
  normalVector,
  randomPose,
  randomRotation,
} from "./reference.js";

const random = new Random("pose");

function homogeneous(p: pose.Pose): Matrix {
  return new Matrix([
    [p[0], p[1], p[2], p[9]],
    [p[3], p[4], p[5], p[10]],
    [p[6], p[7], p[8], p[11]],
    [0, 0, 0, 1],
  ]);
}

function differenceFrom(p: pose.Pose, m: Matrix): number {
  return maxDifference(homogeneous(p).to1DArray(), m.to1DArray());
}

function transformed(m: Matrix, v: vec3.Vec3, w: 0 | 1): number[] {
  return m
    .mmul(Matrix.columnVector([v[0], v[1], v[2], w]))
    .to1DArray()
    .slice(0, 3);
}

describe("pose", () => {
  it("composes and inverts as homogeneous matrices do", () => {
    for (let i = 0; i < 500; i++) {
      const [a, b] = [randomPose(random), randomPose(random)];
      const [ma, mb] = [homogeneous(a), homogeneous(b)];
      expect(differenceFrom(pose.compose(a, b, pose.create()), ma.mmul(mb))).toBeLessThan(1e-14);
      expect(differenceFrom(pose.invert(a, pose.create()), inverse(ma))).toBeLessThan(2e-14);
      expect(differenceFrom(pose.composeInverse(a, b, pose.create()), inverse(ma).mmul(mb))).toBeLessThan(3e-14);
    }
  });

  it("moves points and turns directions, there and back", () => {
    for (let i = 0; i < 500; i++) {
      const p = randomPose(random);
      const v = normalVector(random);
      const [m, back, out] = [homogeneous(p), inverse(homogeneous(p)), vec3.create()];
      expect(maxDifference(pose.transformPoint(p, v, out), transformed(m, v, 1))).toBeLessThan(1e-14);
      expect(maxDifference(pose.rotateVector(p, v, out), transformed(m, v, 0))).toBeLessThan(1e-14);
      expect(maxDifference(pose.transformPointInverse(p, v, out), transformed(back, v, 1))).toBeLessThan(2e-14);
      expect(maxDifference(pose.rotateVectorInverse(p, v, out), transformed(back, v, 0))).toBeLessThan(2e-14);
    }
  });

  it("is built from, and gives back, its parts", () => {
    const q = randomQuaternion(random, quat.create());
    const t = vec3.create(1, 2, 3);
    const p = fromQuatTranslation(q, t, pose.create());
    expect(angleBetween(quat.fromMat3(p, quat.create()), q)).toBeLessThan(1e-15);
    expect([...pose.getTranslation(p, vec3.create())]).toEqual([1, 2, 3]);
    const m = randomRotation(random);
    pose.fromMat3Translation(m, t, p);
    expect([...p.subarray(0, 9)]).toEqual([...m]);
    expect([...p.subarray(9)]).toEqual([1, 2, 3]);
    pose.fromRpyTranslation(0.1, 0.2, 0.3, 4, 5, 6, p);
    expect([...p.subarray(0, 9)]).toEqual([...mat3.fromRpy(0.1, 0.2, 0.3, mat3.create())]);
    expect([...p.subarray(9)]).toEqual([4, 5, 6]);
    const moved = pose.setTranslation(p, vec3.create(7, 8, 9), pose.create());
    expect([...moved]).toEqual([...p.subarray(0, 9), 7, 8, 9]);
    expect([...p.subarray(9)]).toEqual([4, 5, 6]);
  });

  it("views one of many poses in a buffer", () => {
    const buffer = new Float64Array(36).fill(5);
    const view = pose.view(buffer, 12);
    pose.identity(view);
    expect([...view]).toEqual([...pose.create()]);
    expect([...buffer.subarray(12, 24)]).toEqual([...pose.create()]);
    expect(buffer[11]).toBe(5);
    expect(buffer[24]).toBe(5);
  });

  it("may write over its inputs", () => {
    const [a, b] = [randomPose(random), randomPose(random)];
    for (const f of [pose.compose, pose.composeInverse]) expectAliasSafe(f, a, b);
    for (const f of [pose.copy, pose.invert]) expectAliasSafeUnary(f, a);
    const v = normalVector(random);
    const ofVectors = [
      pose.transformPoint,
      pose.transformPointInverse,
      pose.rotateVector,
      pose.rotateVectorInverse,
    ] as const;
    for (const f of ofVectors) expectAliasSafeUnary((x, out) => f(a, x, out), v);
    expectAliasSafeUnary((p, out) => pose.setTranslation(p, v, out), a);
  });
});
