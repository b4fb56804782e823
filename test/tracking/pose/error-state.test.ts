import { describe, expect, it } from "vitest";
import * as lie from "../../../src/math/lie.js";
import * as mat3 from "../../../src/math/mat3.js";
import * as matrix from "../../../src/math/matrix.js";
import * as pose from "../../../src/math/pose.js";
import * as quat from "../../../src/math/quat.js";
import { Random } from "../../../src/math/random.js";
import * as vec3 from "../../../src/math/vec3.js";
import {
  correct,
  ERROR_SIZE,
  ErrorTransition,
  Part,
  transportCovariance,
} from "../../../src/tracking/pose/error-state.js";
import { advance, InertialState, inject, linearize } from "../../../src/tracking/pose/inertial-state.js";
import { WorldGauge } from "../../../src/tracking/pose/kinematic-correction.js";
import { identity } from "../../support/matrices.js";
import { randomQuaternion } from "../../support/random-draws.js";
import { fromQuatTranslation } from "../../support/rotations.js";

const N = ERROR_SIZE;
const GRAVITY = vec3.create(0, 0, -9.81);

function randomState(random: Random): InertialState {
  const state = new InertialState();
  const place = vec3.create(random.normal(), random.normal(), random.normal());
  fromQuatTranslation(randomQuaternion(random, quat.create()), place, state.worldFromImu);
  for (const part of [state.velocity, state.gyroBias, state.accelerometerBias, state.offsetPosition]) {
    for (let i = 0; i < 3; i++) part[i] = 0.1 * random.normal();
  }
  for (let i = 0; i < 3; i++) state.offsetOrientation[i] = 0.01 * random.normal();
  return state;
}

function randomCovariance(random: Random): Float64Array {
  const root = Float64Array.from({ length: N * N }, () => random.normal());
  return matrix.multiplyTransposeRight(root, root, N, N, N, new Float64Array(N * N));
}

/** The errors that turn `estimate` into `truth`, by the definitions of the table in `error-state`. */
function errorBetween(truth: InertialState, estimate: InertialState): Float64Array {
  const error = new Float64Array(N);
  const turn = pose.composeInverse(estimate.worldFromImu, truth.worldFromImu, pose.create());
  const rotation = lie.so3Log(turn, vec3.create());
  for (let i = 0; i < 3; i++) {
    error[Part.position + i] = truth.worldFromImu[9 + i]! - estimate.worldFromImu[9 + i]!;
    error[Part.velocity + i] = truth.velocity[i]! - estimate.velocity[i]!;
    error[Part.orientation + i] = rotation[i]!;
    error[Part.gyroBias + i] = truth.gyroBias[i]! - estimate.gyroBias[i]!;
    error[Part.accelerometerBias + i] = truth.accelerometerBias[i]! - estimate.accelerometerBias[i]!;
    error[Part.offsetPosition + i] = truth.offsetPosition[i]! - estimate.offsetPosition[i]!;
    error[Part.offsetOrientation + i] = truth.offsetOrientation[i]! - estimate.offsetOrientation[i]!;
  }
  return error;
}

/** d(error after a step)/d(error before), by differences through `inject` and `advance` themselves. */
function differentiate(state: InertialState, angular: Float64Array, force: Float64Array, step: number): Float64Array {
  const jacobian = new Float64Array(N * N);
  const h = 1e-6;
  const run = (error: Float64Array): InertialState => {
    const moved = new InertialState();
    moved.copyFrom(state);
    inject(moved, error);
    advance(moved, angular, force, 0, 3, { step }, GRAVITY);
    return moved;
  };
  for (let j = 0; j < N; j++) {
    const error = new Float64Array(N);
    error[j] = h;
    const plus = run(error);
    error[j] = -h;
    const difference = errorBetween(plus, run(error));
    for (let i = 0; i < N; i++) jacobian[i * N + j] = difference[i]! / (2 * h);
  }
  return jacobian;
}

describe("error state", () => {
  it("goes over a step as differences say, and its covariance with it", () => {
    const random = new Random("transition");
    for (let run = 0; run < 20; run++) {
      const state = randomState(random);
      const step = 1 / 512;
      const angular = Float64Array.from({ length: 6 }, () => random.normal());
      const force = Float64Array.from({ length: 6 }, (_, i) => (i % 3 === 2 ? 9.81 : 0) + random.normal());
      const F = differentiate(state, angular, force, step);
      const P = randomCovariance(random);
      const expected = matrix.multiply(F, P, N, N, N, new Float64Array(N * N));
      matrix.multiplyTransposeRight(expected, F, N, N, N, expected);
      advance(state, angular, force, 0, 3, { step }, GRAVITY);
      const transition = new ErrorTransition();
      linearize(state, { step }, transition);
      transportCovariance(transition, P);
      // What is neglected is of second order in the step: rotation within it times a force of 1 g.
      const worst = P.reduce((most, entry, i) => Math.max(most, Math.abs(entry - expected[i]!)), 0);
      expect(worst).toBeLessThan(2e-3);
    }
  });

  it("is corrected as the textbook's Kalman filter would, all six numbers at once", () => {
    const random = new Random("correction");
    for (let run = 0; run < 20; run++) {
      const rotation = quat.toMat3(randomQuaternion(random, quat.create()), mat3.create());
      const P = randomCovariance(random);
      const H = new Float64Array(6 * N);
      for (let i = 0; i < 3; i++) {
        H[i * N + Part.position + i] = 1;
        H[i * N + Part.offsetPosition + i] = -1;
        for (let j = 0; j < 3; j++) H[(3 + i) * N + Part.orientation + j] = rotation[3 * i + j]!;
        H[(3 + i) * N + Part.offsetOrientation + i] = -1;
      }
      const measured = Float64Array.from({ length: 6 }, () => random.normal());
      const variances = Float64Array.from({ length: 6 }, () => random.uniformIn(0.1, 2));
      const { error: expectedError, covariance, distance } = denseUpdate(P, H, measured, variances);
      const error = new Float64Array(N);
      const measurement = { value: 0, variance: 0, distance: 0 };
      for (let i = 0; i < 6; i++) {
        const isTurn = i >= 3;
        measurement.value = measured[i]!;
        measurement.variance = variances[i]!;
        const h = isTurn ? rotation : mat3.create();
        const at = isTurn ? Part.orientation : Part.position;
        correct(P, h, 3 * (i % 3), at, Part.offsetPosition + i, measurement, error);
      }
      expect(Math.max(...error.map((x, i) => Math.abs(x - expectedError[i]!)))).toBeLessThan(1e-9);
      expect(Math.max(...P.map((x, i) => Math.abs(x - covariance[i]!)))).toBeLessThan(1e-9);
      expect(measurement.distance).toBeCloseTo(distance, 9);
    }
  });

  it("knows place and heading after the world is fixed; what a measurement sees stays as it was", () => {
    const random = new Random("gauge");
    const state = randomState(random);
    const P = state.covariance;
    P.set(randomCovariance(random));
    const before = P.slice();
    new WorldGauge(GRAVITY).fixWorld(state);
    const R = state.worldFromImu;
    const variance = (matrixOf: Float64Array, row: Float64Array): number => {
      const product = matrix.multiplyVector(matrixOf, row, N, N, new Float64Array(N));
      return product.reduce((sum, x, i) => sum + x * row[i]!, 0);
    };
    const heading = new Float64Array(N);
    for (let j = 0; j < 3; j++) heading[Part.orientation + j] = R[6 + j]!;
    expect(variance(P, heading)).toBeCloseTo(0, 9);
    for (let i = 0; i < 3; i++) {
      expect(P[(Part.position + i) * (N + 1)]).toBe(0);
      const seen = new Float64Array(N);
      seen[Part.position + i] = 1;
      seen[Part.offsetPosition + i] = -1;
      expect(variance(P, seen)).toBeCloseTo(variance(before, seen), 9);
      const turned = new Float64Array(N);
      for (let j = 0; j < 3; j++) turned[Part.orientation + j] = R[3 * i + j]!;
      turned[Part.offsetOrientation + i] = -1;
      expect(variance(P, turned)).toBeCloseTo(variance(before, turned), 9);
      const tilt = new Float64Array(N);
      for (let j = 0; j < 3; j++) tilt[Part.orientation + j] = R[3 * (i % 2) + j]!;
      expect(variance(P, tilt)).toBeCloseTo(variance(before, tilt), 9);
    }
  });

  it("draws the world to the kinematics without a measurement noticing", () => {
    const random = new Random("draw");
    const state = randomState(random);
    const kinematic = (): pose.Pose => {
      const undo = lie.so3Exp(vec3.negate(state.offsetOrientation, vec3.create()), mat3.create());
      const out = pose.create();
      mat3.multiply(undo, state.worldFromImu, out);
      for (let i = 0; i < 3; i++) out[9 + i] = state.worldFromImu[9 + i]! - state.offsetPosition[i]!;
      return out;
    };
    const before = kinematic();
    new WorldGauge(GRAVITY).drawWorld(state, 0.5);
    const moved = kinematic();
    // Turns about different axes do not commute: of second order in offsets of 10 mrad.
    expect(Math.max(...moved.map((x, i) => Math.abs(x - before[i]!)))).toBeLessThan(2e-4);
    for (let k = 0; k < 60; k++) new WorldGauge(GRAVITY).drawWorld(state, 0.5);
    expect(vec3.norm(state.offsetPosition)).toBeLessThan(1e-12);
    expect(state.offsetOrientation[2]).toBeCloseTo(0, 12);
    expect(Math.hypot(state.offsetOrientation[0], state.offsetOrientation[1])).toBeGreaterThan(1e-3);
  });
});

/** K = P·Hᵀ·S⁻¹ by Gauss–Jordan elimination, P − K·H·P. */
function denseUpdate(
  P: Float64Array,
  H: Float64Array,
  z: Float64Array,
  r: Float64Array,
): { error: Float64Array; covariance: Float64Array; distance: number } {
  const PHt = matrix.multiplyTransposeRight(P, H, N, N, 6, new Float64Array(N * 6));
  const S = matrix.multiply(H, PHt, 6, N, 6, new Float64Array(36));
  for (let i = 0; i < 6; i++) S[7 * i] = S[7 * i]! + r[i]!;
  const inverse = identity(6);
  for (let c = 0; c < 6; c++) {
    const pivot = S[7 * c]!;
    for (let j = 0; j < 6; j++) {
      S[6 * c + j] = S[6 * c + j]! / pivot;
      inverse[6 * c + j] = inverse[6 * c + j]! / pivot;
    }
    for (let i = 0; i < 6; i++) {
      const factor = S[6 * i + c]!;
      if (i === c) continue;
      for (let j = 0; j < 6; j++) {
        S[6 * i + j] = S[6 * i + j]! - factor * S[6 * c + j]!;
        inverse[6 * i + j] = inverse[6 * i + j]! - factor * inverse[6 * c + j]!;
      }
    }
  }
  const K = matrix.multiply(PHt, inverse, N, 6, 6, new Float64Array(N * 6));
  const HP = matrix.multiply(H, P, 6, N, N, new Float64Array(6 * N));
  const KHP = matrix.multiply(K, HP, N, 6, N, new Float64Array(N * N));
  const weighed = matrix.multiplyVector(inverse, z, 6, 6, new Float64Array(6));
  return {
    distance: weighed.reduce((sum, x, i) => sum + x * z[i]!, 0),
    error: matrix.multiplyVector(K, z, N, 6, new Float64Array(N)),
    covariance: P.map((entry, i) => entry - KHP[i]!),
  };
}
