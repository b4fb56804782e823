import { describe, expect, it } from "vitest";
import * as mat3 from "../../src/math/mat3.js";
import * as quat from "../../src/math/quat.js";
import { Random } from "../../src/math/random.js";
import * as vec3 from "../../src/math/vec3.js";
import { randomQuaternion, unitVector } from "../support/random-draws.js";
import { fromAxisAngle, fromRotationVector, rotate } from "../support/rotations.js";
import { maxDifference, normalVector } from "./reference.js";

const random = new Random("quat");

function matrixOf(q: quat.Quat): mat3.Mat3 {
  return quat.toMat3(q, mat3.create());
}

describe("quat", () => {
  it("is ordered x, y, z, w", () => {
    expect([...quat.create()]).toEqual([0, 0, 0, 1]);
    const half = mat3.fromAxisAngle(vec3.create(0, 1, 0), Math.PI, mat3.create());
    expect(maxDifference(quat.fromMat3(half, quat.create()), [0, 1, 0, 0])).toBeLessThan(1e-15);
  });

  it("rotates as its matrix does", () => {
    for (let i = 0; i < 500; i++) {
      const [q, v] = [randomQuaternion(random, quat.create()), normalVector(random)];
      const turned = mat3.transform(matrixOf(q), v, vec3.create());
      expect(maxDifference(rotate(q, v, vec3.create()), turned)).toBeLessThan(5e-15);
    }
  });

  it("comes back from its matrix, at small angles and half turns too", () => {
    for (const angle of [0, 1e-12, 1e-6, 0.1, 1, 2, 2.5, 3, Math.PI - 1e-6, Math.PI - 1e-12, Math.PI]) {
      for (let i = 0; i < 100; i++) {
        const q = fromAxisAngle(unitVector(random, vec3.create()), angle);
        const back = quat.fromMat3(matrixOf(q), quat.create());
        expect(back[3]).toBeGreaterThanOrEqual(0);
        const sign = q[0] * back[0] + q[1] * back[1] + q[2] * back[2] + q[3] * back[3] < 0 ? -1 : 1;
        for (let k = 0; k < 4; k++) expect(Math.abs(q[k]! - sign * back[k]!)).toBeLessThan(1e-15);
      }
    }
  });

  it("gives the rotation vector, of either sign of the quaternion", () => {
    for (const angle of [0, 1e-300, 1e-160, 1e-9, 0.5, 2, 3.1, Math.PI - 1e-9]) {
      for (let i = 0; i < 50; i++) {
        const w = vec3.scale(unitVector(random, vec3.create()), angle, vec3.create());
        const q = fromRotationVector(w);
        expect(maxDifference(quat.toRotationVector(q, vec3.create()), w)).toBeLessThanOrEqual(2e-15 * angle);
        const negated = q.map((x) => -x) as quat.Quat;
        expect(maxDifference(quat.toRotationVector(negated, vec3.create()), w)).toBeLessThanOrEqual(2e-15 * angle);
      }
    }
  });
});
