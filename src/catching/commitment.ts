import type { BallState } from "../flight/flight-path.js";
import { STATE_SIZE } from "../tracking/filter/ball-belief.js";
import type { BallPrediction } from "./arm-planner.js";
import { derivativeAhead, timeAhead } from "./place-ahead.js";

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

/**
 * Whether to act upon a prediction: it is sure enough, by its covariance carried to the place at which the ball comes by,
 * or there is no time left to wait for a better one. `balls` is how many are in the air.
 */
export function isWorthActing(prediction: BallPrediction, balls: number, commitment: Commitment): boolean {
  const { sigma, sigmaOfSeveral = sigma, hurry } = commitment;
  if (prediction.covariance === null || !(timeAhead(prediction.state) > hurry)) return true;
  return spreadAhead(prediction, prediction.covariance) <= (balls > 1 ? sigmaOfSeveral : sigma);
}

const derivative = new Float64Array(STATE_SIZE);

/** Standard deviation of the place where the ball crosses the plane before the robot [m]. */
export function spreadAhead({ state }: BallPrediction, covariance: Float64Array): number {
  const time = timeAhead(state);
  return Math.sqrt(varianceAhead(state, 1, time, covariance) + varianceAhead(state, 2, time, covariance));
}

/** Variance of coordinate `i` where the ball crosses the plane before the robot, `time` from now [m²]. */
function varianceAhead(state: BallState, i: 1 | 2, time: number, covariance: Float64Array): number {
  derivativeAhead(state, i, time, derivative);
  let sum = 0;
  for (let row = 0; row < STATE_SIZE; row++) {
    for (let column = 0; column < STATE_SIZE; column++) {
      sum += derivative[row]! * derivative[column]! * covariance[STATE_SIZE * row + column]!;
    }
  }
  return sum;
}
