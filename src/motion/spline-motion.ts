import { PiecewiseMotion } from "./piecewise-motion.js";

/**
 * The cubic spline through configurations at ascending times, from rest to rest with neither velocity nor acceleration at
 * its ends, its acceleration continuous. Two conditions more than the usual spline has take two knots: the second and the last
 * but one lie where the ends need them, very near to where they are given.
 *
 * @example
 * const motion = splineMotion(configurations, times);
 */
export function splineMotion(knots: readonly Float64Array[], times: readonly number[]): PiecewiseMotion {
  const last = knots.length - 1;
  if (last < 4) throw new RangeError(`knots: expected at least 5, found ${knots.length}`);
  const joints = knots[0]!.length;
  const h = Float64Array.from({ length: last }, (_, k) => times[k + 1]! - times[k]!);
  const motion = new PiecewiseMotion(joints, last);
  motion.clear(times[last]! - times[0]!);
  for (let i = 0; i < joints; i++) {
    const q = Float64Array.from(knots, (knot) => knot[i]!);
    const a = accelerations(q, h);
    // A piece from rest without acceleration rises by h²/6 of the acceleration at its end.
    q[1] = q[0]! + (h[0]! ** 2 / 6) * a[1]!;
    q[last - 1] = q[last]! + (h[last - 1]! ** 2 / 6) * a[last - 1]!;
    for (let k = 0; k < last; k++) {
      const slope = (q[k + 1]! - q[k]!) / h[k]! - (h[k]! / 6) * (2 * a[k]! + a[k + 1]!);
      motion.append(i, times[k]! - times[0]!, q[k]!, slope, a[k]! / 2, (a[k + 1]! - a[k]!) / (6 * h[k]!));
    }
    motion.end(i, q[last]!, 0);
  }
  return motion;
}

/**
 * Accelerations at the knots: continuity of the velocity at each inner knot,
 * h₋·a₋ + 2(h₋ + h)·a + h·a₊ = 6((q₊ − q)/h − (q − q₋)/h₋), in which the two free positions are put by their accelerations.
 */
function accelerations(q: Float64Array, h: Float64Array): Float64Array {
  const last = h.length;
  const n = last - 1;
  const lower = new Float64Array(n);
  const middle = new Float64Array(n);
  const upper = new Float64Array(n);
  const right = new Float64Array(n);
  for (let r = 0; r < n; r++) {
    const k = r + 1;
    const [left, next] = [h[k - 1]!, h[k]!];
    lower[r] = left;
    middle[r] = 2 * (left + next);
    upper[r] = next;
    const isFree = (knot: number) => knot === 1 || knot === last - 1;
    const end = (knot: number) => (knot === 1 ? q[0]! : q[last]!);
    const lift = (knot: number) => (knot === 1 ? h[0]! ** 2 / 6 : h[last - 1]! ** 2 / 6);
    const position = (knot: number) => (isFree(knot) ? end(knot) : q[knot]!);
    right[r] = 6 * ((position(k + 1) - position(k)) / next - (position(k) - position(k - 1)) / left);
    if (isFree(k)) middle[r] = middle[r]! + 6 * lift(k) * (1 / next + 1 / left);
    if (isFree(k + 1)) upper[r] = upper[r]! - (6 * lift(k + 1)) / next;
    if (isFree(k - 1)) lower[r] = lower[r]! - (6 * lift(k - 1)) / left;
  }
  const inner = solveTridiagonal(lower, middle, upper, right);
  const out = new Float64Array(last + 1);
  out.set(inner, 1);
  return out;
}

/** Thomas' elimination; the matrix is nearly diagonally dominant. */
function solveTridiagonal(
  lower: Float64Array,
  middle: Float64Array,
  upper: Float64Array,
  right: Float64Array,
): Float64Array {
  const n = right.length;
  for (let r = 1; r < n; r++) {
    const factor = lower[r]! / middle[r - 1]!;
    middle[r] = middle[r]! - factor * upper[r - 1]!;
    right[r] = right[r]! - factor * right[r - 1]!;
  }
  const x = new Float64Array(n);
  for (let r = n - 1; r >= 0; r--) x[r] = (right[r]! - (r + 1 < n ? upper[r]! * x[r + 1]! : 0)) / middle[r]!;
  return x;
}
