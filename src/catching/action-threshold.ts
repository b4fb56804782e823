import { type BallState, FlightStatus, gravity } from "../flight/ball.js";
import { Flight } from "../flight/flight.js";
import * as vec3 from "../math/vec3.js";
import type { BallPrediction } from "../messages/prediction.js";
import { STATE_SIZE } from "../tracking/filter/ball-belief.js";

/** When a prediction is good enough to send an arm after a ball. */
export interface ActionThreshold {
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
export const defaultActionThreshold: ActionThreshold = { sigma: 0.35, sigmaOfSeveral: 0.6, hurry: 0.55 };

/**
 * Whether to act upon a prediction: it is sure enough, by its covariance carried to the place at which the ball comes by,
 * or there is no time left to wait for a better one. `balls` is how many are in the air.
 */
export function isActionable(prediction: BallPrediction, balls: number, commitment: ActionThreshold): boolean {
  const { sigma, sigmaOfSeveral = sigma, hurry } = commitment;
  if (prediction.covariance === null || !(timeAtCatchPlane(prediction.state) > hurry)) return true;
  return sigmaAtCatchPlane(prediction, prediction.covariance) <= (balls > 1 ? sigmaOfSeveral : sigma);
}

const derivative = new Float64Array(STATE_SIZE);

/** Standard deviation of the place where the ball crosses the plane before the robot [m]. */
export function sigmaAtCatchPlane({ state }: BallPrediction, covariance: Float64Array): number {
  const time = timeAtCatchPlane(state);
  return Math.sqrt(varianceAhead(state, 1, time, covariance) + varianceAhead(state, 2, time, covariance));
}

/** Variance of coordinate `i` where the ball crosses the plane before the robot, `time` from now [m²]. */
function varianceAhead(state: BallState, i: 1 | 2, time: number, covariance: Float64Array): number {
  derivativeAtCatchPlane(state, i, time, derivative);
  let sum = 0;
  for (let row = 0; row < STATE_SIZE; row++) {
    for (let column = 0; column < STATE_SIZE; column++) {
      sum += derivative[row]! * derivative[column]! * covariance[STATE_SIZE * row + column]!;
    }
  }
  return sum;
}

/** Distance before the robot at which balls are caught, roughly [m]. */
const CATCH_DISTANCE = 0.5;
/** [m/s²] */
const GRAVITY = 9.81;
/** Rows of position and velocity along x in a covariance; y and z follow. */
const PLACE = 0;
const SPEED = 3;
/** Later than this no ball comes by [s]. */
const LONGEST_FLIGHT = 2.5;
/** Steps to find the crossing: a ball slows down by a tenth on its way, so that each gains more than a digit. */
const CROSSING_STEPS = 6;

/** Until a ball crosses the plane before the robot, by its present speed [s]; 0 for one that flies away. */
export function timeAtCatchPlane({ position, velocity }: BallState): number {
  return velocity[0] < 0 ? (CATCH_DISTANCE - position[0]) / velocity[0] : 0;
}

/**
 * Derivative, by the ball's seven numbers, of its coordinate `i` (1: y, 2: z) where it crosses the plane before the robot,
 * `time` from now: δp + t·δv in coordinate i, less its slope along the path times the same along x, which makes the ball
 * come earlier or later. The air does not matter for it.
 */
export function derivativeAtCatchPlane(
  { velocity }: BallState,
  i: 1 | 2,
  time: number,
  out: Float64Array,
): Float64Array {
  const fall = i === 2 ? GRAVITY * time : 0;
  const slope = (velocity[i] - fall) / velocity[0];
  out.fill(0);
  out[PLACE + i] = 1;
  out[SPEED + i] = time;
  out[PLACE] = -slope;
  out[SPEED] = -slope * time;
  return out;
}

const flight = new Flight();
const down = gravity();
const speed = vec3.create();

/** Where a ball crosses the plane before the robot, the air included [m]. False if it does not come by. */
export function pointAtCatchPlane(ball: BallState, out: vec3.Vec3): boolean {
  let time = timeAtCatchPlane(ball);
  if (!(time > 0 && time < LONGEST_FLIGHT)) return false;
  const end = ball.time + LONGEST_FLIGHT;
  if (flight.reset(ball, down, ball.time, end) !== FlightStatus.ok) return false;
  for (let step = 0; step < CROSSING_STEPS; step++) {
    flight.position(ball.time + time, out);
    flight.velocity(ball.time + time, speed);
    time += (CATCH_DISTANCE - out[0]) / speed[0];
    if (!(time > 0 && time < LONGEST_FLIGHT)) return false;
  }
  flight.position(ball.time + time, out);
  return true;
}
