import { describe, expect, it } from "vitest";
import * as matrix from "../../../src/math/matrix.js";
import type { Pose } from "../../../src/math/pose.js";
import * as pose from "../../../src/math/pose.js";
import { Random } from "../../../src/math/random.js";
import * as vec3 from "../../../src/math/vec3.js";
import { jacobian, jacobianDotVelocity, WORLD } from "../../../src/robot/kinematics/jacobian.js";
import { forwardKinematics, forwardVelocities, relativePose } from "../../../src/robot/kinematics/kinematics.js";
import { RobotState } from "../../../src/robot/state.js";
import { deep } from "../../support/deep.js";
import { boxedNumbers, heapBytesPerCall } from "../../support/heap.js";
import { pointVelocity, relativeJacobian } from "../point-motion.js";
import { randomModel, randomVector } from "../random-model.js";
import { differenceTwist, maxDifference, referencePose } from "./reference-kinematics.js";

const robots = deep(40, 500);
const h = 1e-6;

/** Columns by central differences of `poseAt`. */
function differenceJacobian(q: Float64Array, point: vec3.Vec3, poseAt: (q: Float64Array) => Pose): Float64Array {
  const n = q.length;
  const out = new Float64Array(6 * n);
  for (let d = 0; d < n; d++) {
    const before = q.slice();
    const after = q.slice();
    before[d] = q[d]! - h;
    after[d] = q[d]! + h;
    const twist = differenceTwist(poseAt(before), poseAt(after), point, 2 * h);
    for (let row = 0; row < 6; row++) out[n * row + d] = twist[row]!;
  }
  return out;
}

function randomState(random: Random): { state: RobotState; link: number; axes: number; point: vec3.Vec3 } {
  const model = randomModel(random, { links: 14, coupled: 0.3 });
  const state = new RobotState(model);
  randomVector(random, 3, state.q);
  randomVector(random, 1, state.qd);
  forwardKinematics(state);
  forwardVelocities(state);
  const point = randomVector(random, 0.3, vec3.create()) as vec3.Vec3;
  return { state, link: random.integer(14), axes: random.integer(14), point };
}

describe("jacobian", () => {
  it("equals finite differences of the plain forward kinematics, couplings included", () => {
    const random = new Random(11);
    for (let n = 0; n < robots; n++) {
      const { state, link, point } = randomState(random);
      const J = jacobian(state, link, point, WORLD, new Float64Array(6 * state.model.dofCount));
      const expected = differenceJacobian(state.q, point, (q) => referencePose(state.model, q, link));
      expect(maxDifference(J, expected)).toBeLessThan(1e-8);
    }
  });

  it("times q̇ is the velocity of the point", () => {
    const random = new Random(12);
    for (let n = 0; n < robots; n++) {
      const { state, link, point } = randomState(random);
      const { dofCount } = state.model;
      const J = jacobian(state, link, point, WORLD, new Float64Array(6 * dofCount));
      const velocity = matrix.multiplyVector(J, state.qd, 6, dofCount, new Float64Array(6));
      expect(maxDifference(velocity, pointVelocity(state, link, point, new Float64Array(6)))).toBeLessThan(1e-11);
    }
  });

  it("in the axes of a link is the world one with both halves turned", () => {
    const random = new Random(13);
    for (let n = 0; n < robots; n++) {
      const { state, link, axes, point } = randomState(random);
      const { dofCount } = state.model;
      const world = jacobian(state, link, point, WORLD, new Float64Array(6 * dofCount));
      const local = jacobian(state, link, point, axes, new Float64Array(6 * dofCount));
      const axesFromWorld = referencePose(state.model, state.q, axes);
      for (let d = 0; d < dofCount; d++) {
        for (const half of [0, 3]) {
          const column = vec3.create(...[0, 1, 2].map((row) => world[dofCount * (half + row) + d]!));
          pose.rotateVectorInverse(axesFromWorld, column, column);
          const found = [0, 1, 2].map((row) => local[dofCount * (half + row) + d]!);
          expect(maxDifference(column, found)).toBeLessThan(1e-12);
        }
      }
    }
  });

  it("relative to a base equals finite differences of the relative pose", () => {
    const random = new Random(14);
    for (let n = 0; n < robots; n++) {
      const { state, link, axes: base, point } = randomState(random);
      const J = relativeJacobian(state, base, link, point, new Float64Array(6 * state.model.dofCount));
      const other = new RobotState(state.model);
      const expected = differenceJacobian(state.q, point, (q) => {
        other.q.set(q);
        forwardKinematics(other);
        return relativePose(other, base, link, pose.create());
      });
      expect(maxDifference(J, expected)).toBeLessThan(1e-7);
    }
  });
});

describe("J̇·q̇", () => {
  it("equals the finite difference of J along q̇, times q̇, in world axes and in a link's", () => {
    const random = new Random(15);
    for (let n = 0; n < robots; n++) {
      const { state, link, axes, point } = randomState(random);
      const { dofCount } = state.model;
      const other = new RobotState(state.model);
      for (const reference of [WORLD, axes]) {
        const velocityAt = (t: number): Float64Array => {
          for (let i = 0; i < dofCount; i++) other.q[i] = state.q[i]! + t * state.qd[i]!;
          forwardKinematics(other);
          const J = jacobian(other, link, point, reference, new Float64Array(6 * dofCount));
          return matrix.multiplyVector(J, state.qd, 6, dofCount, new Float64Array(6));
        };
        const before = velocityAt(-h);
        const expected = velocityAt(h).map((v, i) => (v - before[i]!) / (2 * h));
        const found = jacobianDotVelocity(state, link, point, reference, new Float64Array(6));
        expect(maxDifference(found, expected) / (1 + Math.hypot(...expected))).toBeLessThan(1e-7);
      }
    }
  });
});

it("Jacobians allocate nothing", () => {
  const { state, point } = randomState(new Random(16));
  const out = new Float64Array(6 * state.model.dofCount);
  const bias = new Float64Array(6);
  const work = (): void => {
    jacobian(state, 13, point, WORLD, out);
    jacobianDotVelocity(state, 13, point, 5, bias);
  };
  expect(heapBytesPerCall(work)).toBeLessThan(boxedNumbers);
});
