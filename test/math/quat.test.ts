import { describe, expect, it } from "vitest";
import * as mat3 from "../../src/math/mat3.js";
import * as quat from "../../src/math/quat.js";
import { Random } from "../../src/math/random.js";
import * as vec3 from "../../src/math/vec3.js";
import { expectAliasSafe, expectAliasSafeUnary, maxDifference, normals, normalVector } from "./reference.js";

const random = new Random("quat");

function rotation(): quat.Quat {
  return random.rotation(quat.create());
}

function matrixOf(q: quat.Quat): mat3.Mat3 {
  return mat3.fromQuat(q, mat3.create());
}

describe("quat", () => {
  it("is ordered x, y, z, w", () => {
    expect([...quat.create()]).toEqual([0, 0, 0, 1]);
    const half = quat.fromAxisAngle(vec3.create(0, 1, 0), Math.PI, quat.create());
    expect(maxDifference(half, [0, 1, 0, 0])).toBeLessThan(1e-15);
  });

  it("multiplies, inverts and rotates as the matrices do", () => {
    for (let i = 0; i < 500; i++) {
      const [a, b, v] = [rotation(), rotation(), normalVector(random)];
      const product = matrixOf(quat.multiply(a, b, quat.create()));
      expect(maxDifference(product, mat3.multiply(matrixOf(a), matrixOf(b), mat3.create()))).toBeLessThan(3e-15);
      const inverse = matrixOf(quat.conjugate(a, quat.create()));
      expect(maxDifference(inverse, mat3.transpose(matrixOf(a), mat3.create()))).toBeLessThan(1e-15);
      const turned = mat3.transform(matrixOf(a), v, vec3.create());
      expect(maxDifference(quat.rotate(a, v, vec3.create()), turned)).toBeLessThan(5e-15);
    }
  });

  it("comes back from its matrix, at small angles and half turns too", () => {
    for (const angle of [0, 1e-12, 1e-6, 0.1, 1, 2, 2.5, 3, Math.PI - 1e-6, Math.PI - 1e-12, Math.PI]) {
      for (let i = 0; i < 100; i++) {
        const axis = random.unitVector(vec3.create());
        const q = quat.fromAxisAngle(axis, angle, quat.create());
        const back = quat.fromMat3(matrixOf(q), quat.create());
        expect(back[3]).toBeGreaterThanOrEqual(0);
        const sign = q[0] * back[0] + q[1] * back[1] + q[2] * back[2] + q[3] * back[3] < 0 ? -1 : 1;
        for (let k = 0; k < 4; k++) expect(Math.abs(q[k]! - sign * back[k]!)).toBeLessThan(1e-15);
      }
    }
  });

  it("normalizes, and makes the identity of zero", () => {
    const q = normals(random, 4) as quat.Quat;
    quat.normalize(q, q);
    expect(Math.abs(q[0] ** 2 + q[1] ** 2 + q[2] ** 2 + q[3] ** 2 - 1)).toBeLessThan(4e-16);
    expect([...quat.normalize(q.fill(0) as quat.Quat, q)]).toEqual([0, 0, 0, 1]);
  });

  it("measures the angle between rotations to its last digits, whichever sign they have", () => {
    const identity = quat.create();
    for (const angle of [0, 1e-12, 1e-9, 1e-4, 1, 3, Math.PI]) {
      const axis = random.unitVector(vec3.create());
      const turn = quat.fromAxisAngle(axis, angle, quat.create());
      const negated = Float64Array.from(turn, (x) => -x) as quat.Quat;
      const a = rotation();
      const b = quat.multiply(a, turn, quat.create());
      expect(Math.abs(quat.angleBetween(identity, turn) - angle)).toBeLessThanOrEqual(1e-15 * angle);
      expect(Math.abs(quat.angleBetween(negated, identity) - angle)).toBeLessThanOrEqual(1e-15 * angle);
      expect(Math.abs(quat.angleBetween(a, b) - angle)).toBeLessThan(2e-15);
    }
  });

  it("converts rotation vectors there and back", () => {
    for (const angle of [0, 1e-300, 1e-160, 1e-9, 0.5, 2, 3.1, Math.PI - 1e-9]) {
      for (let i = 0; i < 50; i++) {
        const w = vec3.scale(random.unitVector(vec3.create()), angle, vec3.create());
        const q = quat.fromRotationVector(w, quat.create());
        expect(maxDifference(quat.toRotationVector(q, vec3.create()), w)).toBeLessThanOrEqual(2e-15 * angle);
        const negated = q.map((x) => -x) as quat.Quat;
        expect(maxDifference(quat.toRotationVector(negated, vec3.create()), w)).toBeLessThanOrEqual(2e-15 * angle);
      }
    }
  });

  it("views a buffer without copying it", () => {
    const buffer = new Float64Array(6).fill(5);
    quat.identity(quat.view(buffer, 1));
    expect([...buffer]).toEqual([5, 0, 0, 0, 1, 5]);
  });

  it("may write over its inputs", () => {
    const [a, b] = [rotation(), rotation()];
    expectAliasSafe(quat.multiply, a, b);
    for (const f of [quat.copy, quat.conjugate, quat.normalize])
      expectAliasSafeUnary(f, normals(random, 4) as quat.Quat);
    expectAliasSafeUnary((v, out) => quat.rotate(a, v, out), normalVector(random));
  });
});
