import * as vec3 from "../../math/vec3.js";
import { BELIEF_SIZE, Entry } from "../../tracking/filter/ball-belief.js";
import { moveBalls } from "../../tracking/filter/flight-predictor.js";

/** Where each number is in the parameters of a flight: position, velocity, lift w, drag k, gravity g. */
export const POSITION = 0;
export const VELOCITY = 3;
export const LIFT = 6;
export const DRAG = 9;
export const GRAVITY = 10;
export const PARAMETERS = 13;
/** The first of them are the flight's own; the others are those of all flights. */
export const OWN = 9;

const state = new Float64Array(BELIEF_SIZE);
const gravity = vec3.create();

/**
 * Positions at rising times [s] of a ball that begins at `begin` [s] with these parameters and flies under gravity, drag and
 * lift, with a constant lift, as of a ball whose spin does not change (Magnus force).
 */
export function liftedPath(begin: number, times: ArrayLike<number>, parameters: Float64Array, out: Float64Array): void {
  for (let n = 0; n < 6; n++) state[n] = parameters[n]!;
  state[Entry.drag] = parameters[DRAG]!;
  for (let n = 0; n < 3; n++) state[Entry.lift + n] = parameters[LIFT + n]!;
  vec3.set(parameters[GRAVITY]!, parameters[GRAVITY + 1]!, parameters[GRAVITY + 2]!, gravity);
  let time = begin;
  for (let k = 0; k < times.length; k++) {
    moveBalls(state, gravity, times[k]! - time);
    time = times[k]!;
    for (let n = 0; n < 3; n++) out[3 * k + n] = state[n]!;
  }
}
