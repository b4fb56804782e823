import { PiecewiseMotion } from "./piecewise-motion.js";
import type { RampArrays } from "./ramp.js";

/** Phases of a ramp: brake to the speed limit, first acceleration, constant speed, second; and the wait for the slowest. */
export const RAMP_PIECES = 5;

/**
 * The ramps of N joints as a motion: the very polynomials that `JointRamps` evaluates, parabolas and straight lines. Planner,
 * messages and control keep ramps as ramps; what takes any motion takes them by this.
 */
export function motionOfRamps(ramps: RampArrays): PiecewiseMotion {
  const motion = new PiecewiseMotion(ramps.q0.length, RAMP_PIECES);
  writeRamps(ramps, motion);
  return motion;
}

/** The same into a motion that is there and has room for `RAMP_PIECES`. */
export function writeRamps(ramps: RampArrays, out: PiecewiseMotion): void {
  let duration = 0;
  for (let i = 0; i < out.joints; i++) duration = Math.max(duration, ramps.T[i]!);
  out.clear(duration);
  for (let i = 0; i < out.joints; i++) writeRamp(ramps, i, out);
}

function writeRamp(ramps: RampArrays, i: number, out: PiecewiseMotion): void {
  const [tb, t1, t2, T] = [ramps.tb[i]!, ramps.t1[i]!, ramps.t2[i]!, ramps.T[i]!];
  const [q0, w0, ab, a, end] = [ramps.q0[i]!, ramps.w0[i]!, ramps.ab[i]!, ramps.a[i]!, ramps.end[i]!];
  if (tb > 0) out.append(i, 0, q0, w0, 0.5 * ab);
  if (t1 > tb) out.append(i, tb, q0 + tb * (w0 + 0.5 * ab * tb), w0 + ab * tb, 0.5 * a);
  // From t1 on counted from the end, as ramps are evaluated.
  const braking = T - t2;
  if (t2 > t1) out.append(i, t1, end - a * braking * (T - t1 - 0.5 * braking), a * braking);
  if (T > t2) out.append(i, t2, end - 0.5 * a * braking * braking, a * braking, -0.5 * a);
  if (out.duration > T || out.counts[i] === 0) out.append(i, T, end);
  out.end(i, end, 0);
}
