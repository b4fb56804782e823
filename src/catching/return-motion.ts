import { JointRamps } from "../motion/joint-ramps.js";

/** Share of speed and acceleration used where nothing hurries. */
const GENTLENESS = 0.5;

/** What the joints in hand may do at most. */
export interface ReturnLimits {
  readonly maxVelocity: Float64Array;
  readonly maxAcceleration: Float64Array;
}

/** Synchronous ramps: all joints from (q0, w0) to rest at `q` in the time the slowest needs, at half their limits. */
export function planReturn(limits: ReturnLimits, q0: Float64Array, w0: Float64Array, q: Float64Array): JointRamps {
  const wmax = limits.maxVelocity.map((limit) => GENTLENESS * limit);
  const amax = limits.maxAcceleration.map((limit) => GENTLENESS * limit);
  const ramps = new JointRamps(q.length);
  const times = new Float64Array(q.length);
  const duration = ramps.minimalTimes(q0, w0, q, wmax, amax, times);
  ramps.plan(q0, w0, q, duration, wmax, amax);
  return ramps;
}
