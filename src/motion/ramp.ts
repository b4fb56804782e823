/**
 * The velocity ramp of one joint: from position q0 and speed w0 to rest at a target in exactly T seconds, with
 * acceleration a until t1, constant speed until t2, then −a (Bäuml's thesis, eq. 3.1). If |w0| is above the speed
 * limit (a limit that was scaled down, or noise), a first phase until tb brakes to the limit with acceleration ab.
 *
 * ```text
 *   speed
 *    w0 ╲          v ┌────────┐            0 ≤ tb ≤ t1 ≤ t2 ≤ T
 *        ╲ ab     a ╱          ╲ −a
 *         ╲________╱            ╲
 *         tb      t1          t2   T
 * ```
 *
 * Units: [rad] and [s] for a revolute joint, [m] and [s] for a prismatic one. The functions work on the arrays of N
 * joints, which is how ramps are kept, sent and evaluated; `JointRamps` has the arrays. They hand no fractional number
 * to one another but through arrays, since V8 boxes those (16 bytes of garbage each) in calls that it does not inline.
 */
export interface RampArrays {
  /** Position and speed at t = 0. */
  readonly q0: Float64Array;
  readonly w0: Float64Array;
  /** Acceleration and end of the phase that brakes to the speed limit; both 0 where |w0| is within it. */
  readonly ab: Float64Array;
  readonly tb: Float64Array;
  /** Acceleration from tb to t1; its opposite from t2 to T. 0 for a joint that stands still. */
  readonly a: Float64Array;
  readonly t1: Float64Array;
  readonly t2: Float64Array;
  /** Duration. */
  readonly T: Float64Array;
  /** Position at T and after: follows from the others, kept so that the end is met to the last bit. */
  readonly end: Float64Array;
}

/** Outcome of planning a ramp, in order of severity. Only an `ok` ramp may be executed. */
export const RampStatus = {
  ok: 0,
  /** The ramp exists and keeps the speed limit, but needs more than the greatest acceleration. */
  tooFast: 1,
  /** No acceleration whatever reaches the target in time within the speed limit. The ramp holds NaN. */
  unreachable: 2,
  /** An input is not finite, a limit is not positive, or T is negative. The ramp holds NaN. */
  invalid: 3,
} as const;
export type RampStatus = (typeof RampStatus)[keyof typeof RampStatus];

/** Relative excess of the acceleration limit that counts as rounding: a ramp planned at its minimal time is `ok`. */
export const LIMIT_TOLERANCE = 1e-9;

/** √(x² + y²) without underflow, so that a crawling joint does not divide by zero. */
export function hypotenuse(x: number, y: number): number {
  const square = x * x + y * y;
  if (square > 1e-280) return Math.sqrt(square);
  const large = Math.max(Math.abs(x), Math.abs(y));
  if (large === 0) return 0;
  const ratio = Math.min(Math.abs(x), Math.abs(y)) / large;
  return large * Math.sqrt(1 + ratio * ratio);
}

/**
 * Plans entry `i`: from its q0 and w0 to rest at its `end` after its T, all four already set, under limits [n] that are
 * positive (`wmax` may be infinite). With D = end − q0, x = 2D − w0·T and s = sign(x), the acceleration of least
 * magnitude is a = (x + s·√(x² + w0²T²)) / T²; if its peak would exceed wmax, the top is cut off at v = s·wmax.
 */
export function planRamp(ramps: RampArrays, i: number, wmax: Float64Array, amax: Float64Array): RampStatus {
  if (!isPlannable(ramps, i, wmax, amax)) return spoil(ramps, i, RampStatus.invalid);
  const w0 = ramps.w0[i]!;
  const excess = Math.max(0, Math.abs(w0) - wmax[i]!);
  const sign = w0 < 0 ? -1 : 1;
  ramps.ab[i] = excess > 0 ? -sign * amax[i]! : 0;
  ramps.tb[i] = excess / amax[i]!;
  return shapeRamp(ramps, i, wmax, amax);
}

function isPlannable(ramps: RampArrays, i: number, wmax: Float64Array, amax: Float64Array): boolean {
  const T = ramps.T[i]!;
  // A sum is finite only if all its terms are.
  const isSound = Number.isFinite(ramps.q0[i]! + ramps.w0[i]! + ramps.end[i]!);
  return isSound && T >= 0 && T < Infinity && wmax[i]! > 0 && amax[i]! > 0 && amax[i]! < Infinity;
}

/** The phases after the brake, from speed w over distance D in time t: writes a, t1, t2. */
function shapeRamp(ramps: RampArrays, i: number, wmax: Float64Array, amax: Float64Array): RampStatus {
  const tb = ramps.tb[i]!;
  const w0 = ramps.w0[i]!;
  const w = tb > 0 ? Math.sign(w0) * wmax[i]! : w0;
  const t = ramps.T[i]! - tb;
  const D = ramps.end[i]! - ramps.q0[i]! - 0.5 * (w0 + w) * tb;
  const x = 2 * D - w * t;
  const sum = Math.abs(x) + hypotenuse(x, w * t);
  if (sum === 0 && w === 0) return standStill(ramps, i);
  const s = x < 0 ? -1 : 1;
  let a = (s * sum) / t / t;
  let t1 = 0.5 * (t - w / a);
  let t2 = t1;
  if (0.5 * s * (w + a * t) > wmax[i]!) {
    const v = s * wmax[i]!;
    a = ((v - w) ** 2 + v * v) / (2 * (v * t - D));
    t1 = (v - w) / a;
    t2 = t - v / a;
  }
  if (!(t > 0 && s * a >= 0 && s * a < Infinity)) return spoil(ramps, i, RampStatus.unreachable);
  t1 = Math.min(Math.max(t1, 0), t);
  ramps.a[i] = a;
  ramps.t1[i] = tb + t1;
  ramps.t2[i] = tb + Math.min(Math.max(t2, t1), t);
  return Math.abs(a) <= amax[i]! * (1 + LIMIT_TOLERANCE) ? RampStatus.ok : RampStatus.tooFast;
}

function standStill(ramps: RampArrays, i: number): RampStatus {
  ramps.a[i] = 0;
  ramps.t1[i] = 0;
  ramps.t2[i] = ramps.T[i]!;
  return RampStatus.ok;
}

/** NaN fails every limit check that a careless user of the ramp may make. */
function spoil(ramps: RampArrays, i: number, status: RampStatus): RampStatus {
  ramps.a[i] = Number.NaN;
  ramps.t1[i] = Number.NaN;
  ramps.t2[i] = Number.NaN;
  return status;
}

/**
 * Positions of `count` joints at `t`: the start before 0, the end from T on. Measured from the start while a joint
 * speeds up and from the end afterwards, so that both are exact.
 */
export function evaluatePositions(ramps: RampArrays, count: number, t: number, out: Float64Array): void {
  for (let i = 0; i < count; i++) {
    const T = ramps.T[i]!;
    const tb = ramps.tb[i]!;
    const a = ramps.a[i]!;
    const t2 = ramps.t2[i]!;
    if (t >= T) out[i] = ramps.end[i]!;
    else if (t <= 0) out[i] = ramps.q0[i]!;
    else if (t < tb) out[i] = ramps.q0[i]! + t * (ramps.w0[i]! + 0.5 * ramps.ab[i]! * t);
    else if (t < ramps.t1[i]!) {
      const afterBrake = ramps.q0[i]! + tb * (ramps.w0[i]! + 0.5 * ramps.ab[i]! * tb);
      const speed = ramps.w0[i]! + ramps.ab[i]! * tb;
      out[i] = afterBrake + (t - tb) * (speed + 0.5 * a * (t - tb));
    } else if (t < t2) out[i] = ramps.end[i]! - a * (T - t2) * (T - t - 0.5 * (T - t2));
    else out[i] = ramps.end[i]! - 0.5 * a * (T - t) * (T - t);
  }
}

/** Speeds of `count` joints at `t`: w0 before 0, none from T on. */
export function evaluateVelocities(ramps: RampArrays, count: number, t: number, out: Float64Array): void {
  for (let i = 0; i < count; i++) {
    const T = ramps.T[i]!;
    const tb = ramps.tb[i]!;
    const t2 = ramps.t2[i]!;
    if (t >= T) out[i] = 0;
    else if (t <= 0) out[i] = ramps.w0[i]!;
    else if (t < tb) out[i] = ramps.w0[i]! + ramps.ab[i]! * t;
    else if (t < ramps.t1[i]!) out[i] = ramps.w0[i]! + ramps.ab[i]! * tb + ramps.a[i]! * (t - tb);
    else out[i] = ramps.a[i]! * (T - (t < t2 ? t2 : t));
  }
}

/** Accelerations at `t`: at a step that of the phase about to begin, before 0 that of the first; none from T on. */
export function evaluateAccelerations(ramps: RampArrays, count: number, t: number, out: Float64Array): void {
  const time = t < 0 ? 0 : t;
  for (let i = 0; i < count; i++) {
    if (time >= ramps.T[i]!) out[i] = 0;
    else if (time < ramps.tb[i]!) out[i] = ramps.ab[i]!;
    else if (time < ramps.t1[i]!) out[i] = ramps.a[i]!;
    else out[i] = time < ramps.t2[i]! ? 0 : -ramps.a[i]!;
  }
}

/**
 * Widens [low, high] by the position where joint i turns round, if it does between `from` and `to`. It can do so only
 * while it accelerates against its speed w: at tb − w/a, w²/(2|a|) beyond where it was at tb.
 */
export function widenByTurns(
  ramps: RampArrays,
  count: number,
  from: number,
  to: number,
  low: Float64Array,
  high: Float64Array,
): void {
  for (let i = 0; i < count; i++) {
    const tb = ramps.tb[i]!;
    const a = ramps.a[i]!;
    const w = ramps.w0[i]! + ramps.ab[i]! * tb;
    if (!(w * a < 0 && ramps.t1[i]! > tb)) continue;
    const time = tb - w / a;
    if (!(time > from && time < to)) continue;
    const turn = ramps.q0[i]! + tb * (ramps.w0[i]! + 0.5 * ramps.ab[i]! * tb) - (w * w) / (2 * a);
    if (turn < low[i]!) low[i] = turn;
    if (turn > high[i]!) high[i] = turn;
  }
}

/** The ends that the other numbers of the ramps lead to: for ramps that were received, not planned. */
export function restoreEnds(ramps: RampArrays, count: number): void {
  for (let i = 0; i < count; i++) {
    const tb = ramps.tb[i]!;
    const a = ramps.a[i]!;
    const speedingUp = ramps.t1[i]! - tb;
    const braking = ramps.T[i]! - ramps.t2[i]!;
    const afterBrake = ramps.q0[i]! + tb * (ramps.w0[i]! + 0.5 * ramps.ab[i]! * tb);
    const top = afterBrake + speedingUp * (ramps.w0[i]! + ramps.ab[i]! * tb + 0.5 * a * speedingUp);
    ramps.end[i] = top + a * braking * (ramps.t2[i]! - ramps.t1[i]! + 0.5 * braking);
  }
}
