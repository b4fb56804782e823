import { gravity } from "../flight/ball.js";
import { Flight } from "../flight/flight.js";
import { type BallState, FlightStatus } from "../flight/flight-path.js";
import * as vec3 from "../math/vec3.js";

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
export function timeAhead({ position, velocity }: BallState): number {
  return velocity[0] < 0 ? (CATCH_DISTANCE - position[0]) / velocity[0] : 0;
}

/**
 * Derivative, by the ball's seven numbers, of its coordinate `i` (1: y, 2: z) where it crosses the plane before the robot,
 * `time` from now: δp + t·δv in coordinate i, less its slope along the path times the same along x, which makes the ball
 * come earlier or later. The air does not matter for it.
 */
export function derivativeAhead({ velocity }: BallState, i: 1 | 2, time: number, out: Float64Array): Float64Array {
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
export function placeAhead(ball: BallState, out: vec3.Vec3): boolean {
  let time = timeAhead(ball);
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
