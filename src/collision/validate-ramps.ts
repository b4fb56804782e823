import type { RampArrays } from "../motion/ramp.js";

/** What a ramp may miss its end by [rad or m], and rest by [rad/s or m/s]: far above the rounding of planned ramps. */
const END_TOLERANCE = 1e-8;

/**
 * Whether `count` ramps are motions at all: finite numbers, phases in order, and ends that their phases lead to. Between
 * any two times such a ramp is continuous, and its extremes are what `extremesBetween` says.
 */
export function areValidRamps(ramps: RampArrays, count: number): boolean {
  for (let i = 0; i < count; i++) if (!isValid(ramps, i)) return false;
  return true;
}

function isValid(ramps: RampArrays, i: number): boolean {
  const q0 = ramps.q0[i]!;
  const w0 = ramps.w0[i]!;
  const ab = ramps.ab[i]!;
  const tb = ramps.tb[i]!;
  const a = ramps.a[i]!;
  const t1 = ramps.t1[i]!;
  const t2 = ramps.t2[i]!;
  const T = ramps.T[i]!;
  const isOrdered = tb >= 0 && t1 >= tb && t2 >= t1 && T >= t2 && T < Number.POSITIVE_INFINITY;
  const atBrake = q0 + tb * (w0 + 0.5 * ab * tb);
  const speed = w0 + ab * tb;
  const top = speed + a * (t1 - tb);
  const end = atBrake + (t1 - tb) * 0.5 * (speed + top) + (t2 - t1) * top + (T - t2) * (top - 0.5 * a * (T - t2));
  const meetsEnd = Math.abs(end - ramps.end[i]!) <= END_TOLERANCE;
  const comesToRest = Math.abs(top - a * (T - t2)) <= END_TOLERANCE;
  return isOrdered && meetsEnd && comesToRest;
}
