import type { BallPrediction } from "./arm-planner.js";

/** When a prediction is good enough to send an arm after a ball. */
export interface Commitment {
  /** Greatest standard deviation of the place where the ball comes by, across its path [m]. */
  readonly sigma: number;
  /** With less time left until it comes by, any prediction will do [s]. */
  readonly hurry: number;
}

/**
 * A first prediction of three images can be off by half a metre. Arm and body chosen by it are often the wrong ones, and
 * what the next image would tell costs only 40 ms.
 */
export const defaultCommitment: Commitment = { sigma: 0.15, hurry: 0.55 };

/** Distance before the robot at which balls are caught, roughly [m]. */
const CATCH_DISTANCE = 0.5;

/**
 * Whether to act upon a prediction: it is sure enough, by its covariance carried to the time at which the ball comes by,
 * or there is no time left to wait for a better one.
 */
export function isWorthActing({ state, covariance }: BallPrediction, { sigma, hurry }: Commitment): boolean {
  const speed = -state.velocity[0];
  const left = speed > 0 ? (state.position[0] - CATCH_DISTANCE) / speed : 0;
  if (covariance === null || !(left > hurry)) return true;
  return Math.sqrt(varianceAhead(covariance, 1, left) + varianceAhead(covariance, 2, left)) <= sigma;
}

/** Variance of coordinate `i` of the position after `time` [m²]; air and gravity do not matter for it. */
function varianceAhead(covariance: Float64Array, i: number, time: number): number {
  const at = (row: number, column: number): number => covariance[7 * row + column]!;
  return at(i, i) + 2 * time * at(i, i + 3) + time * time * at(i + 3, i + 3);
}
