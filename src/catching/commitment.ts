import type { BallPrediction } from "./arm-planner.js";

/** When a prediction is good enough to send an arm after a ball. */
export interface Commitment {
  /** Greatest standard deviation of the place where the ball comes by, across its path [m]. */
  readonly sigma: number;
  /** The same with several balls in the air: each has its arm already, and the body does not help. Default: `sigma`. */
  readonly sigmaOfSeveral?: number;
  /** With less time left until it comes by, any prediction will do [s]. */
  readonly hurry: number;
}

/**
 * A first prediction of three images can be off by half a metre. Arm and body chosen by it are often the wrong ones, and
 * what the next image would tell costs only 40 ms.
 */
export const defaultCommitment: Commitment = { sigma: 0.35, sigmaOfSeveral: 0.6, hurry: 0.55 };

/** Distance before the robot at which balls are caught, roughly [m]. */
const CATCH_DISTANCE = 0.5;
/** [m/s²] */
const GRAVITY = 9.81;
/** Rows of position and velocity along x in a covariance of seven; y and z follow. */
const PLACE = 0;
const SPEED = 3;

/**
 * Whether to act upon a prediction: it is sure enough, by its covariance carried to the place at which the ball comes by,
 * or there is no time left to wait for a better one. `balls` is how many are in the air.
 */
export function isWorthActing(prediction: BallPrediction, balls: number, commitment: Commitment): boolean {
  const { sigma, sigmaOfSeveral = sigma, hurry } = commitment;
  if (prediction.covariance === null || !(timeLeft(prediction) > hurry)) return true;
  return spreadAhead(prediction, prediction.covariance) <= (balls > 1 ? sigmaOfSeveral : sigma);
}

/** Until the ball comes by [s]; 0 for one that flies away. */
function timeLeft({ state: { position, velocity } }: BallPrediction): number {
  return velocity[0] < 0 ? (CATCH_DISTANCE - position[0]) / velocity[0] : 0;
}

/** Standard deviation of the place where the ball crosses the plane before the robot [m]. */
export function spreadAhead(prediction: BallPrediction, covariance: Float64Array): number {
  const { velocity } = prediction.state;
  const time = timeLeft(prediction);
  const slopeY = velocity[1] / velocity[0];
  const slopeZ = (velocity[2] - GRAVITY * time) / velocity[0];
  return Math.sqrt(varianceAhead(covariance, 1, time, slopeY) + varianceAhead(covariance, 2, time, slopeZ));
}

/**
 * Variance of coordinate `i` where the ball crosses the plane before the robot, `time` from now [m²]: of δp + t·δv in
 * coordinate i, less its slope along the path times the same along x, which makes the ball come earlier or later. The air
 * does not matter for it.
 */
function varianceAhead(covariance: Float64Array, i: number, time: number, slope: number): number {
  const rows = [PLACE + i, SPEED + i, PLACE, SPEED];
  const weights = [1, time, -slope, -slope * time];
  let sum = 0;
  for (const [a, row] of rows.entries()) {
    for (const [b, column] of rows.entries()) sum += weights[a]! * weights[b]! * covariance[7 * row + column]!;
  }
  return sum;
}
