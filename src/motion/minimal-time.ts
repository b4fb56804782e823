/**
 * How soon one joint can be at rest somewhere, and how far it can get by some time: two sides of the same thing. The
 * time has an infinite slope at the brake point, so it serves `cool`, screening and reports; the distances are
 * smooth and serve the solver.
 *
 * In all of them w0 is the start speed, `wmax` the speed limit (it may be infinite) and `amax` the limit of
 * acceleration, both positive. A start faster than wmax first brakes to it at amax.
 */

/** Rounding of D − brake distance, relative to both: the infinite slope would turn 1e-16 of distance to 1e-8 of time. */
const BRAKE_POINT_TOLERANCE = 4 * Number.EPSILON;

/**
 * Shortest time in which each of `count` joints can come from (q0, w0) to rest at `q`, to `out`; returns the index of
 * the slowest (NaN counts as slowest). Arrays only, so that screening thousands of candidates makes no garbage.
 */
export function minimalTimes(
  count: number,
  q0: Float64Array,
  w0: Float64Array,
  q: Float64Array,
  wmax: Float64Array,
  amax: Float64Array,
  out: Float64Array,
): number {
  let slowest = 0;
  for (let i = 0; i < count; i++) {
    const limit = wmax[i]!;
    const perAcceleration = 1 / amax[i]!;
    const excess = Math.max(0, Math.abs(w0[i]!) - limit);
    const w = excess > 0 ? Math.sign(w0[i]!) * limit : w0[i]!;
    const tb = excess * perAcceleration;
    const D = q[i]! - q0[i]! - 0.5 * (w0[i]! + w) * tb;
    const brakeDistance = 0.5 * w * Math.abs(w) * perAcceleration;
    const beyond = D - brakeDistance;
    const s = beyond < 0 ? -1 : 1;
    const isBrake = Math.abs(beyond) <= BRAKE_POINT_TOLERANCE * (Math.abs(D) + Math.abs(brakeDistance));
    // v² = s·amax·D + w²/2, written without its cancellation at the brake point.
    const v = Math.sqrt(amax[i]! * Math.abs(beyond) + (s * w > 0 ? w * w : 0));
    if (isBrake) out[i] = tb + Math.abs(w) * perAcceleration;
    else if (!(v > limit)) out[i] = tb + (2 * v - s * w) * perAcceleration;
    else out[i] = tb + (s * D) / limit + (((limit - s * w) ** 2 + limit * limit) * perAcceleration) / (2 * limit);
    if (!(out[i]! <= out[slowest]!)) slowest = i;
  }
  return slowest;
}

/**
 * The same of one joint that has the distance `D` to go; NaN if an input is NaN.
 * @example minimalTime(0, 1, 2, 4) // 1: half a second up to 2 rad/s, half a second down
 */
export function minimalTime(w0: number, D: number, wmax: number, amax: number): number {
  one.w0[0] = w0;
  one.q[0] = D;
  one.wmax[0] = wmax;
  one.amax[0] = amax;
  minimalTimes(1, one.q0, one.w0, one.q, one.wmax, one.amax, one.out);
  return one.out[0]!;
}

const one = {
  q0: new Float64Array(1),
  w0: new Float64Array(1),
  q: new Float64Array(1),
  wmax: new Float64Array(1),
  amax: new Float64Array(1),
  out: new Float64Array(1),
};

/** The time below which the joint cannot even stop [s]. For any longer one `reachableDistance` bounds what it reaches. */
export function stoppingTime(w0: number, amax: number): number {
  return Math.abs(w0) / amax;
}

/**
 * Farthest distance D₊(t) (`s` = +1) or D₋(t) (`s` = −1) at which the joint can be at rest at time `t`. For t ≥
 * `stoppingTime`, a ramp to D in time t exists exactly if D₋(t) ≤ D ≤ D₊(t); for a shorter one D₋ > D₊. Continuously
 * differentiable in t, with slope `reachableSlope`.
 */
export function reachableDistance(s: 1 | -1, t: number, w0: number, wmax: number, amax: number): number {
  const excess = Math.abs(w0) - wmax;
  if (!(excess > 0)) return reachableWithin(s, t, w0, wmax, amax);
  const w = w0 < 0 ? -wmax : wmax;
  const tb = excess / amax;
  return 0.5 * (w0 + w) * tb + reachableWithin(s, t - tb, w, wmax, amax);
}

function reachableWithin(s: 1 | -1, t: number, w0: number, wmax: number, amax: number): number {
  const a = s * amax;
  const v = 0.5 * (w0 + a * t);
  if (!(s * v > wmax)) return (v * v - 0.5 * w0 * w0) / a;
  return s * wmax * t - ((s * wmax - w0) ** 2 + wmax * wmax) / (2 * a);
}

/** d reachableDistance / dt: the peak speed of the fastest motion, (w0 + s·amax·t)/2 or s·wmax. */
export function reachableSlope(s: 1 | -1, t: number, w0: number, wmax: number, amax: number): number {
  const excess = Math.abs(w0) - wmax;
  const w = excess > 0 ? Math.sign(w0) * wmax : w0;
  const v = 0.5 * (w + s * amax * (excess > 0 ? t - excess / amax : t));
  return s * v > wmax ? s * wmax : v;
}
