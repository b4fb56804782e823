import type { Vec3 } from "../math/vec3.js";

/**
 * Sensors tell whole multiples of a step: an encoder of 20 bits, a converter of 16. What a simulated driver hands over is
 * rounded likewise, to steps far below the noise, so that a recording of it is short.
 */

/**
 * Steps of a joint's position, its velocity and its commanded position, in 1 rad or m and 1 rad/s or m/s. A velocity is the
 * difference of two positions a millisecond apart, and has its steps from theirs.
 */
const POSITION_STEPS = 1e5;
const VELOCITY_STEPS = 1e2;
const COMMAND_STEPS = 1e6;
/** Of a gyroscope's rate in 1 rad/s, and of an accelerometer's force in 1 m/s². */
const RATE_STEPS = 1e4;
const FORCE_STEPS = 1e3;

/** Rounds `values` to multiples of 1/steps, in place; 0 has no sign. */
function round(values: Float64Array | Vec3, steps: number): void {
  for (let i = 0; i < values.length; i++) values[i] = Math.round(values[i]! * steps) / steps + 0;
}

/** The joints as a driver tells them; to the arrays themselves. */
export function roundJoints(q: Float64Array, qd: Float64Array, commanded: Float64Array): void {
  round(q, POSITION_STEPS);
  round(qd, VELOCITY_STEPS);
  round(commanded, COMMAND_STEPS);
}

/** An IMU's sample as a driver tells it; to the vectors themselves. */
export function roundImu(angularVelocity: Vec3, specificForce: Vec3): void {
  round(angularVelocity, RATE_STEPS);
  round(specificForce, FORCE_STEPS);
}
