import { JointRamps } from "../motion/joint-ramps.js";

/** What the joints in hand may do at most. */
export interface ReturnLimits {
  readonly maxVelocity: Float64Array;
  readonly maxAcceleration: Float64Array;
}

/**
 * Synchronous ramps: all joints from (q0, w0) to rest at `q` in the time the slowest needs, at `share` of their limits of
 * speed and acceleration.
 */
export function planReturn(
  limits: ReturnLimits,
  q0: Float64Array,
  w0: Float64Array,
  q: Float64Array,
  share: number,
): JointRamps {
  const wmax = limits.maxVelocity.map((limit) => share * limit);
  const amax = limits.maxAcceleration.map((limit) => share * limit);
  const ramps = new JointRamps(q.length);
  const times = new Float64Array(q.length);
  const duration = ramps.minimalTimes(q0, w0, q, wmax, amax, times);
  ramps.plan(q0, w0, q, duration, wmax, amax);
  return ramps;
}
