import type { BallPrediction } from "../catching/arm-planner.js";
import * as vec3 from "../math/vec3.js";
import { JointRamps, rampFields } from "../motion/joint-ramps.js";
import type { Numbers, RecordedPrediction, RecordedRamps } from "./recorded-messages.js";

/** Numbers of a ball's state: position, velocity, drag. */
const STATE_SIZE = 7;

/** Plain numbers of an array; 0 without a sign, as JSON has it. */
export function plain(values: Iterable<number>): number[] {
  return Array.from(values, (value) => value + 0);
}

/** Rounded to multiples of 1/steps. */
export function rounded(values: Iterable<number>, steps: number): number[] {
  return Array.from(values, (value) => Math.round(value * steps) / steps + 0);
}

export function recordedRamps(ramps: JointRamps): RecordedRamps {
  return Object.fromEntries(rampFields.map((field) => [field, plain(ramps[field])])) as Record<
    (typeof rampFields)[number],
    number[]
  >;
}

/** The ramps again; where they end is worked out. */
export function rampsOf(recorded: RecordedRamps): JointRamps {
  const ramps = new JointRamps(recorded.q0.length);
  for (const field of rampFields) ramps[field].set(recorded[field]);
  ramps.restoreEnds();
  return ramps;
}

export function recordedPrediction(prediction: BallPrediction): RecordedPrediction {
  const { track, state, covariance, lastSeen, confirmed } = prediction;
  return {
    track,
    time: state.time,
    position: plain(state.position),
    velocity: plain(state.velocity),
    drag: state.drag,
    covariance: covariance === null ? null : lowerTriangle(covariance),
    lastSeen,
    confirmed,
  };
}

/** The prediction again; a covariance is symmetric, so that half of it is enough. */
export function predictionOf(recorded: RecordedPrediction): BallPrediction {
  const { track, time, position, velocity, drag, covariance, lastSeen, confirmed } = recorded;
  const state = { time, position: vector(position), velocity: vector(velocity), drag };
  return { track, state, covariance: covariance === null ? null : fromLowerTriangle(covariance), lastSeen, confirmed };
}

export function vector([x = 0, y = 0, z = 0]: Numbers): vec3.Vec3 {
  return vec3.create(x, y, z);
}

function lowerTriangle(full: Float64Array): number[] {
  const half: number[] = [];
  for (let r = 0; r < STATE_SIZE; r++) for (let c = 0; c <= r; c++) half.push(full[STATE_SIZE * r + c]! + 0);
  return half;
}

function fromLowerTriangle(half: Numbers): Float64Array {
  const full = new Float64Array(STATE_SIZE * STATE_SIZE);
  let k = 0;
  for (let r = 0; r < STATE_SIZE; r++) {
    for (let c = 0; c <= r; c++) full[STATE_SIZE * r + c] = full[STATE_SIZE * c + r] = half[k++]!;
  }
  return full;
}
