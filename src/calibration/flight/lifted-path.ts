/** Where each number is in the parameters of a flight: position, velocity, lift w, drag k, gravity g. */
export const POSITION = 0;
export const VELOCITY = 3;
export const LIFT = 6;
export const DRAG = 9;
export const GRAVITY = 10;
export const PARAMETERS = 13;
/** The first of them are the flight's own; the others are those of all flights. */
export const OWN = 9;

/** Longest step of the integration [s]: its error at 10 m/s is below a micrometre. */
const LONGEST_STEP = 0.02;

const slopes = Array.from({ length: 4 }, () => new Float64Array(6)) as [
  Float64Array,
  Float64Array,
  Float64Array,
  Float64Array,
];
const middle = new Float64Array(6);
const state = new Float64Array(6);

/**
 * Positions at rising times [s] of a ball that begins at `begin` [s] with these parameters and flies under gravity, drag and
 * lift: a = g − k·|v|·v + w × v, with a constant w, as of a ball whose spin does not change (Magnus force).
 */
export function liftedPath(begin: number, times: ArrayLike<number>, parameters: Float64Array, out: Float64Array): void {
  for (let n = 0; n < 6; n++) state[n] = parameters[n]!;
  let time = begin;
  for (let k = 0; k < times.length; k++) {
    advance(parameters, times[k]! - time);
    time = times[k]!;
    for (let n = 0; n < 3; n++) out[3 * k + n] = state[n]!;
  }
}

/** The classic Runge–Kutta method. */
function advance(parameters: Float64Array, duration: number): void {
  const steps = Math.ceil(Math.abs(duration) / LONGEST_STEP);
  const h = duration / steps;
  const [a, b, c, d] = slopes;
  for (let step = 0; step < steps; step++) {
    slope(state, parameters, a);
    slope(moved(a, h / 2), parameters, b);
    slope(moved(b, h / 2), parameters, c);
    slope(moved(c, h), parameters, d);
    for (let n = 0; n < 6; n++) state[n] = state[n]! + (h / 6) * (a[n]! + 2 * b[n]! + 2 * c[n]! + d[n]!);
  }
}

function moved(by: Float64Array, h: number): Float64Array {
  for (let n = 0; n < 6; n++) middle[n] = state[n]! + h * by[n]!;
  return middle;
}

function slope(at: Float64Array, parameters: Float64Array, out: Float64Array): void {
  const vx = at[3]!;
  const vy = at[4]!;
  const vz = at[5]!;
  const wx = parameters[LIFT]!;
  const wy = parameters[LIFT + 1]!;
  const wz = parameters[LIFT + 2]!;
  const brake = parameters[DRAG]! * Math.sqrt(vx * vx + vy * vy + vz * vz);
  out[0] = vx;
  out[1] = vy;
  out[2] = vz;
  out[3] = parameters[GRAVITY]! - brake * vx + wy * vz - wz * vy;
  out[4] = parameters[GRAVITY + 1]! - brake * vy + wz * vx - wx * vz;
  out[5] = parameters[GRAVITY + 2]! - brake * vz + wx * vy - wy * vx;
}
