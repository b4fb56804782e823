import { CameraModel } from "../../../src/camera/camera-model.js";
import { SphereOutline } from "../../../src/camera/sphere-outline.js";
import { FlightSensitivity } from "../../../src/flight/sensitivity.js";
import * as cholesky from "../../../src/math/cholesky.js";
import * as mat3 from "../../../src/math/mat3.js";
import * as matrix from "../../../src/math/matrix.js";
import * as pose from "../../../src/math/pose.js";
import type { Random } from "../../../src/math/random.js";
import type { Vec3 } from "../../../src/math/vec3.js";
import * as vec3 from "../../../src/math/vec3.js";
import { CircleSet } from "../../../src/tracking/circles/circle-set.js";
import { BallBelief, BELIEF_SIZE } from "../../../src/tracking/filter/ball-belief.js";
import type { CameraView } from "../../../src/tracking/filter/scan.js";

export const BALL_RADIUS = 0.0425;

const noDistortion = { k1: 0, k2: 0, p1: 0, p2: 0, k3: 0 };

/** A camera as the robot has it. */
export const camera = new CameraModel({
  width: 800,
  height: 600,
  fx: 693,
  fy: 693,
  cx: 399.5,
  cy: 299.5,
  distortion: noDistortion,
});

/** A view from (0, `aside`, 1.6) along the world's x axis, its pose known to `sigma` [m, rad]. */
export function viewFrom(time: number, aside: number, sigma = 1e-6): CameraView {
  const worldFromCamera = pose.create();
  worldFromCamera.set([0, 0, 1, -1, 0, 0, 0, -1, 0, 0, aside, 1.6]);
  const covariance = new Float64Array(36);
  for (let n = 0; n < 36; n += 7) covariance[n] = sigma * sigma;
  return { camera, time, worldFromCamera, covariance };
}

/** The circle of a ball at `position`, with the noise drawn if there is a `random`. */
export function circleOf(view: CameraView, position: Vec3, sigma: number, random?: Random): CircleSet {
  const circles = new CircleSet(1);
  const circle = new Float64Array(3);
  const inCamera = pose.transformPointInverse(view.worldFromCamera, position, vec3.create());
  if (!new SphereOutline(view.camera, BALL_RADIUS).measure(inCamera, circle)) return circles;
  circles.u[0] = circle[0]! + sigma * (random?.normal() ?? 0);
  circles.v[0] = circle[1]! + sigma * (random?.normal() ?? 0);
  circles.r[0] = circle[2]! + sigma * (random?.normal() ?? 0);
  for (const n of [0, 4, 8]) circles.covariance[n] = sigma * sigma;
  circles.count = 1;
  return circles;
}

/** A belief with independent errors. */
export function beliefAbout(
  time: number,
  position: readonly number[],
  velocity: readonly number[],
  sigmas: readonly [position: number, velocity: number, drag: number],
): BallBelief {
  const belief = new BallBelief();
  belief.time = time;
  belief.mean.set([...position, ...velocity, 0.032]);
  for (let n = 0; n < 7; n++) belief.factor[(BELIEF_SIZE + 1) * n] = sigmas[Math.floor(n / 3) as 0 | 1 | 2];
  return belief;
}

export function isotropic(sigma: number): mat3.Mat3 {
  const out = mat3.create();
  for (const n of [0, 4, 8]) out[n] = sigma * sigma;
  return out;
}

/** A measured circle of a flight. */
export interface Sight {
  readonly view: CameraView;
  readonly circles: CircleSet;
}

/**
 * Maximum a posteriori estimate of a flight from all its circles at once, with independent noise: Gauss–Newton over the
 * state at `time` (position, velocity) through the derivatives of the flight. `prior` is a belief at `time`.
 */
export function batchEstimate(
  prior: BallBelief,
  sights: readonly Sight[],
  gravity: Vec3,
): { mean: Float64Array; covariance: Float64Array } {
  const n = 6;
  const mean = prior.mean.slice(0, n);
  const information = new Float64Array(n * n);
  const priorInformation = inverseCovariance(prior);
  for (let round = 0; round < 20; round++) {
    const gradient = new Float64Array(n);
    information.set(priorInformation);
    for (let r = 0; r < n; r++) {
      for (let c = 0; c < n; c++) gradient[r]! += priorInformation[n * r + c]! * (prior.mean[c]! - mean[c]!);
    }
    accumulate(prior, mean, sights, gravity, information, gradient);
    const factor = new Float64Array(n * n);
    cholesky.factor(information, n, factor);
    const step = cholesky.solve(factor, gradient, n, new Float64Array(n));
    for (let k = 0; k < n; k++) mean[k]! += step[k]!;
    if (round === 19) cholesky.invert(factor, n, information);
  }
  return { mean, covariance: information };
}

function inverseCovariance(belief: BallBelief): Float64Array {
  const n = 6;
  const factor = new Float64Array(n * n);
  for (let r = 0; r < n; r++) for (let c = 0; c <= r; c++) factor[n * r + c] = belief.factor[BELIEF_SIZE * r + c]!;
  return cholesky.invert(factor, n, new Float64Array(n * n));
}

function accumulate(
  prior: BallBelief,
  mean: Float64Array,
  sights: readonly Sight[],
  gravity: Vec3,
  information: Float64Array,
  gradient: Float64Array,
): void {
  const flight = new FlightSensitivity();
  const position = vec3.create(mean[0], mean[1], mean[2]);
  const velocity = vec3.create(mean[3], mean[4], mean[5]);
  const end = sights.at(-1)!.view.time;
  flight.reset({ time: prior.time, position, velocity, drag: prior.mean[6]! }, gravity, prior.time, end);
  for (const { view, circles } of sights) {
    const outline = new SphereOutline(view.camera, BALL_RADIUS);
    const inCamera = flight.position(view.time, vec3.create());
    pose.transformPointInverse(view.worldFromCamera, inCamera, inCamera);
    const expected = new Float64Array(3);
    const byPoint = mat3.create();
    outline.measureWithJacobian(inCamera, expected, byPoint);
    const cameraFromWorld = mat3.copy(pose.invert(view.worldFromCamera, pose.create()), mat3.create());
    const byPosition = mat3.multiply(byPoint, cameraFromWorld, mat3.create());
    const byState = flight.positionJacobian(view.time, new Float64Array(21));
    const jacobian = matrix.multiply(byPosition, byState, 3, 3, 7, new Float64Array(21));
    const residual = [circles.u[0]! - expected[0]!, circles.v[0]! - expected[1]!, circles.r[0]! - expected[2]!];
    for (let m = 0; m < 3; m++) {
      const weight = 1 / circles.covariance[4 * m]!;
      for (let r = 0; r < 6; r++) {
        gradient[r]! += weight * jacobian[7 * m + r]! * residual[m]!;
        for (let c = 0; c < 6; c++) information[6 * r + c]! += weight * jacobian[7 * m + r]! * jacobian[7 * m + c]!;
      }
    }
  }
}
