import { describe, expect, it } from "vitest";
import { wrapAngle } from "../../src/math/angle.js";
import * as cholesky from "../../src/math/cholesky.js";
import * as lie from "../../src/math/lie.js";
import * as mat3 from "../../src/math/mat3.js";
import * as matrix from "../../src/math/matrix.js";
import * as pose from "../../src/math/pose.js";
import { QrWorkspace } from "../../src/math/qr.js";
import * as quat from "../../src/math/quat.js";
import { Random } from "../../src/math/random.js";
import { quantile } from "../../src/math/statistics.js";
import * as vec3 from "../../src/math/vec3.js";
import { allocationFree, heapBytesPerCall } from "../support/heap.js";
import { randomQuaternion } from "../support/random-draws.js";
import { normals, normalVector, positiveDefinite, randomPose, randomRotation } from "./reference.js";

const random = new Random("allocation");
const n = 6;
const sink = Float64Array.from({ length: 8 }, () => random.normal());
const [u, v, w] = [normalVector(random), normalVector(random), vec3.create()];
const [q, s] = [randomQuaternion(random, quat.create()), quat.create()];
const [m, k, o] = [randomRotation(random), randomRotation(random), mat3.create()];
const [a, b, c] = [randomPose(random), randomPose(random), pose.create()];
const spd = positiveDefinite(random, n, 1);
const [big, big2, big3] = [normals(random, n * n), normals(random, n * n), new Float64Array(n * n)];
const [x6, y6] = [normals(random, n), new Float64Array(n)];
const factor = new Float64Array(n * n);
cholesky.factor(spd, n, factor);
const qr = new QrWorkspace(n, n);
const sorted = Float64Array.of(1, 2, 3, 4);

/** A number that is returned stays out of the heap where the call is inlined, so those functions are called alone. */
const HOT: Record<string, () => void> = {
  "vec3 arithmetic": () => {
    vec3.copy(vec3.set(1, 2, 3, w), w);
    vec3.add(u, v, w);
    vec3.subtract(u, w, w);
    vec3.addScaled(u, w, 0.5, w);
    vec3.cross(u, w, w);
    vec3.lerp(u, vec3.negate(vec3.normalize(vec3.scale(w, 2, w), w), w), 0.5, w);
  },
  "vec3 lengths": () => {
    sink[0] = vec3.dot(u, v);
    sink[1] = vec3.norm(u);
    sink[2] = vec3.distance(u, v);
    sink[3] = vec3.squaredNorm(v);
    sink[4] = vec3.isFinite(u) ? 1 : 0;
  },
  "mat3 products": () => {
    mat3.copy(m, o);
    mat3.multiply(m, k, o);
    mat3.multiplyTransposed(o, m, o);
    mat3.transpose(o, o);
    mat3.transformTransposed(o, mat3.transform(m, u, w), w);
  },
  "mat3 conversions": () => {
    mat3.fromAxisAngle(u, 0.3, o);
    quat.toMat3(q, o);
    mat3.fromRpy(0.1, 0.2, 0.3, o);
    mat3.skew(u, o);
  },
  "mat3 inversion": () => {
    sink[0] = mat3.invert(m, o);
  },
  quat: () => {
    quat.toRotationVector(quat.fromMat3(m, s), w);
  },
  pose: () => {
    pose.compose(a, b, c);
    pose.invert(c, c);
    pose.composeInverse(a, c, c);
    pose.transformPointInverse(a, pose.transformPoint(a, u, w), w);
    pose.rotateVectorInverse(a, pose.rotateVector(b, w, w), w);
    pose.setTranslation(pose.copy(c, c), pose.getTranslation(a, w), c);
    pose.fromRpyTranslation(0.1, 0.2, 0.3, 1, 2, 3, c);
  },
  "so3 functions": () => {
    lie.so3Exp(u, o);
    lie.so3Log(o, w);
    lie.so3LeftJacobian(w, o);
    lie.so3LeftJacobianInverse(w, o);
  },
  "se3 functions": () => {
    lie.se3Exp(x6, c);
    lie.se3Log(c, y6);
    lie.adjoint(a, big3);
  },
  matrix: () => {
    matrix.multiply(big, big2, n, n, n, big3);
    matrix.multiply(big, big3, n, n, n, big3);
    matrix.multiplyTransposeRight(big, big2, n, n, n, big3);
    matrix.multiplyVector(big, x6, n, n, y6);
    matrix.symmetrize(big, n, big3);
  },
  cholesky: () => {
    sink[0] = cholesky.factor(spd, n, big3);
    cholesky.solve(factor, x6, n, y6);
    cholesky.invert(factor, n, big3);
  },
  "cholesky determinant": () => {
    sink[2] = cholesky.logDeterminant(factor, n);
  },
  qr: () => {
    sink[0] = qr.factor(big);
    qr.solve(x6, y6);
  },
  "angle wrapping": () => {
    sink[0] = wrapAngle(sink[0]! + 7);
  },
  quantile: () => {
    sink[1] = quantile(sorted, 0.3);
  },
  "random uniform numbers": () => {
    sink[0] = random.uniform();
  },
  "random integers": () => {
    sink[1] = random.integer(9);
  },
  "random normal numbers": () => {
    sink[0] = random.normal();
  },
};

describe("allocation", () => {
  it("is noticed by this test where it happens, be it one boxed number a call", () => {
    const kept: unknown[] = [null];
    const boxing = (): void => {
      kept[0] = sink[0]! + 0.5;
    };
    expect(heapBytesPerCall(boxing)).toBeGreaterThan(allocationFree);
  });

  for (const [name, call] of Object.entries(HOT)) {
    it(`does not happen in ${name}`, () => {
      expect(heapBytesPerCall(call)).toBeLessThan(allocationFree);
    });
  }
});
