import { copyBallState } from "../flight/ball.js";
import * as vec3 from "../math/vec3.js";
import type { BallPrediction } from "../messages/prediction.js";
import type { CatchArm } from "../planning/problem/catch-arm.js";
import { forwardKinematics } from "../robot/kinematics/kinematics.js";
import { RobotState } from "../robot/state.js";
import { STATE_SIZE } from "../tracking/filter/ball-belief.js";
import { derivativeAtCatchPlane, pointAtCatchPlane, timeAtCatchPlane } from "./action-threshold.js";

/** Where balls come by that can be caught at all: aside and in height, as a normal distribution. */
export interface CatchableRegion {
  /** Middle, in the world: y and z [m]. */
  readonly middle: readonly [number, number];
  /** Standard deviation of each [m]. */
  readonly sigma: readonly [number, number];
}

/** Share of its reach within which, one sigma, an arm can catch. */
const SIGMA_OF_REACH = 0.4;

/** Around the shoulders, as far as the arms reach. */
export function catchableRegion(arms: readonly CatchArm[], waiting: Float64Array): CatchableRegion {
  const { model } = arms[0]!.robot;
  const state = new RobotState(model);
  state.q.set(waiting);
  forwardKinematics(state);
  const shoulders = arms.map(({ group, reachCentre }) => {
    const worldFromBase = state.worldFromLink[group.baseLink]!;
    return [1, 2].map((row) => vec3.dot(vec3.view(worldFromBase, 3 * row), reachCentre) + worldFromBase[9 + row]!);
  });
  const mean = (k: number): number => shoulders.reduce((sum, shoulder) => sum + shoulder[k]!, 0) / arms.length;
  const middle = [mean(0), mean(1)] as const;
  const reach = Math.max(...arms.map((arm) => arm.reach));
  const spread = (k: number): number =>
    Math.hypot(
      SIGMA_OF_REACH * reach,
      ...shoulders.map((shoulder) => (shoulder[k]! - middle[k]!) / Math.sqrt(arms.length)),
    );
  return { middle, sigma: [spread(0), spread(1)] };
}

const place = vec3.create();
const derivative = new Float64Array(STATE_SIZE);
const spreadOf = new Float64Array(STATE_SIZE);

/**
 * The prediction on the condition that the ball can be caught: what to act upon. A ball that cannot be caught is lost
 * whatever the robot does, so nothing speaks against believing that it can; and of a ball seen in three images, which may
 * come by half a metre off, that tells a good deal. With every further image it tells less: at a deviation of 5 cm it moves
 * the prediction by a hundredth of its distance to the middle, at 5 mm by nothing.
 *
 * A Kalman update by the place where the ball comes by, which is taken to have been seen in the middle of the region with
 * the region's sigma, one coordinate after the other.
 */
export function asCatchable(prediction: BallPrediction, region: CatchableRegion): BallPrediction {
  const { state, covariance } = prediction;
  if (covariance === null || !pointAtCatchPlane(state, place)) return prediction;
  const time = timeAtCatchPlane(state);
  const moved = copyBallState(state);
  const narrowed = covariance.slice();
  for (const i of [1, 2] as const) {
    const missing = region.middle[i - 1]! - place[i];
    derivativeAtCatchPlane(state, i, time, derivative);
    const variance = spreadAlong(narrowed, derivative, spreadOf);
    const sum = variance + region.sigma[i - 1]! ** 2;
    if (!(variance >= 0 && Number.isFinite(missing))) return prediction;
    for (let row = 0; row < STATE_SIZE; row++) {
      const change = (spreadOf[row]! / sum) * missing;
      if (row < 3) moved.position[row]! += change;
      else if (row < 6) moved.velocity[row - 3]! += change;
      else moved.drag += change;
      for (let column = 0; column < STATE_SIZE; column++) {
        narrowed[STATE_SIZE * row + column]! -= (spreadOf[row]! * spreadOf[column]!) / sum;
      }
    }
    if (i === 1) place[2] += crossEffect(state, time, missing / sum);
  }
  return { ...prediction, state: moved, covariance: narrowed };
}

/** C·w of a covariance and a direction; returns wᵀ·C·w. */
function spreadAlong(covariance: Float64Array, direction: Float64Array, out: Float64Array): number {
  let variance = 0;
  for (let row = 0; row < STATE_SIZE; row++) {
    let sum = 0;
    for (let column = 0; column < STATE_SIZE; column++)
      sum += covariance[STATE_SIZE * row + column]! * direction[column]!;
    out[row] = sum;
    variance += direction[row]! * sum;
  }
  return variance;
}

const other = new Float64Array(STATE_SIZE);

/** By how much the update of y has moved the height at which the ball comes by [m]. */
function crossEffect(state: BallPrediction["state"], time: number, gain: number): number {
  derivativeAtCatchPlane(state, 2, time, other);
  let sum = 0;
  for (let row = 0; row < STATE_SIZE; row++) sum += other[row]! * spreadOf[row]!;
  return sum * gain;
}
