import { minimalTimes, stoppingTime } from "./minimal-time.js";
import {
  evaluateAccelerations,
  evaluatePositions,
  evaluateVelocities,
  planRamp,
  type RampArrays,
  RampStatus,
  restoreEnds,
  widenByTurns,
} from "./ramp.js";

/** The numbers of one joint's ramp, in the order in which `writeTo` writes them and packets carry them. */
export const rampFields = ["q0", "w0", "ab", "tb", "a", "t1", "t2", "T"] as const;

/**
 * The ramps of N joints, one array a quantity (see `RampArrays` for their meaning). All memory is made by the
 * constructor; nothing else allocates.
 *
 * @example
 * const ramps = new JointRamps(7);
 * if (ramps.plan(q0, w0, qCatch, tCatch, model.maxVelocity, model.maxAcceleration) === RampStatus.ok)
 *   ramps.evaluate(0.001, q, qd, qdd);
 */
export class JointRamps implements RampArrays {
  readonly count: number;
  readonly q0: Float64Array;
  readonly w0: Float64Array;
  readonly ab: Float64Array;
  readonly tb: Float64Array;
  readonly a: Float64Array;
  readonly t1: Float64Array;
  readonly t2: Float64Array;
  readonly T: Float64Array;
  readonly end: Float64Array;
  /** The first joint with the worst status of the last `plan`, or that with the longest time of `minimalTimes`. */
  limitingJoint = 0;

  constructor(count: number) {
    this.count = count;
    this.q0 = new Float64Array(count);
    this.w0 = new Float64Array(count);
    this.ab = new Float64Array(count);
    this.tb = new Float64Array(count);
    this.a = new Float64Array(count);
    this.t1 = new Float64Array(count);
    this.t2 = new Float64Array(count);
    this.T = new Float64Array(count);
    this.end = new Float64Array(count);
  }

  /** All joints from (q0, w0) to rest at `q`, each in exactly `T`; the worst status of all. */
  plan(
    q0: Float64Array,
    w0: Float64Array,
    q: Float64Array,
    T: number,
    wmax: Float64Array,
    amax: Float64Array,
  ): RampStatus {
    let worst: RampStatus = RampStatus.ok;
    this.limitingJoint = 0;
    for (let i = 0; i < this.count; i++) {
      this.q0[i] = q0[i]!;
      this.w0[i] = w0[i]!;
      this.end[i] = q[i]!;
      this.T[i] = T;
      const status = planRamp(this, i, wmax, amax);
      if (status <= worst) continue;
      worst = status;
      this.limitingJoint = i;
    }
    return worst;
  }

  /** All joints hold `q`. */
  hold(q: Float64Array): void {
    for (const field of rampFields) this[field].fill(0);
    for (let i = 0; i < this.count; i++) this.q0[i] = this.end[i] = q[i]!;
  }

  /** All joints to rest together, as soon as the slowest can: at a constant brake each, w0·T/2 further on. */
  stop(q0: Float64Array, w0: Float64Array, wmax: Float64Array, amax: Float64Array): this {
    const duration = w0.reduce((longest, speed, i) => Math.max(longest, stoppingTime(speed, amax[i]!)), 0);
    const end = q0.map((q, i) => q + 0.5 * w0[i]! * duration);
    if (duration === 0) this.hold(q0);
    else this.plan(q0, w0, end, duration, wmax, amax);
    return this;
  }

  /** Shortest time of each joint from (q0, w0) to rest at `q`; returns the longest of them. Leaves the ramps alone. */
  minimalTimes(
    q0: Float64Array,
    w0: Float64Array,
    q: Float64Array,
    wmax: Float64Array,
    amax: Float64Array,
    out: Float64Array,
  ): number {
    this.limitingJoint = minimalTimes(this.count, q0, w0, q, wmax, amax, out);
    return out[this.limitingJoint]!;
  }

  /** Duration of the longest ramp. */
  get duration(): number {
    let longest = 0;
    for (let i = 0; i < this.count; i++) longest = Math.max(longest, this.T[i]!);
    return longest;
  }

  /** Position, speed and acceleration at `t`: the start state before 0, at rest at the end from T on. */
  evaluate(t: number, outQ: Float64Array, outQd: Float64Array, outQdd: Float64Array): void {
    evaluatePositions(this, this.count, t, outQ);
    evaluateVelocities(this, this.count, t, outQd);
    evaluateAccelerations(this, this.count, t, outQdd);
  }

  positions(t: number, out: Float64Array): Float64Array {
    evaluatePositions(this, this.count, t, out);
    return out;
  }

  /** Least and greatest position of each joint over the whole motion, overshoot included. */
  extremes(outMin: Float64Array, outMax: Float64Array): void {
    this.extremesBetween(0, Number.POSITIVE_INFINITY, outMin, outMax);
  }

  /** The same over the times from `from` to `to`: what a check of a part of the motion has to sweep. */
  extremesBetween(from: number, to: number, outMin: Float64Array, outMax: Float64Array): void {
    evaluatePositions(this, this.count, from, outMin);
    evaluatePositions(this, this.count, to, outMax);
    for (let i = 0; i < this.count; i++) {
      const first = outMin[i]!;
      const last = outMax[i]!;
      outMin[i] = first < last ? first : last;
      outMax[i] = first < last ? last : first;
    }
    widenByTurns(this, this.count, from, to, outMin, outMax);
  }

  /** Greatest |speed| of each joint. */
  peakSpeeds(out: Float64Array): Float64Array {
    for (let i = 0; i < this.count; i++) {
      out[i] = Math.max(Math.abs(this.w0[i]!), Math.abs(this.a[i]! * (this.T[i]! - this.t2[i]!)));
    }
    return out;
  }

  /** Takes over the ramps of `other`, to the joints from `first` on. */
  copyFrom(other: RampArrays, first = 0): void {
    for (const field of rampFields) this[field].set(other[field], first);
    this.end.set(other.end, first);
  }

  /** Takes over the ramps of several motions, one after the other. */
  join(motions: readonly JointRamps[]): this {
    let first = 0;
    for (const motion of motions) {
      this.copyFrom(motion, first);
      first += motion.count;
    }
    return this;
  }

  /** Takes over as many joints of `other` as there are here, from its joint `first` on. */
  copySlice(other: JointRamps, first: number): void {
    for (const field of rampFields) this[field].set(other[field].subarray(first, first + this.count));
    this.end.set(other.end.subarray(first, first + this.count));
  }

  /**
   * What is left of `other` from its time `t` on, counted from 0 again: the same motion. `t` before 0 is as 0: a motion
   * that has not begun has to be waited for.
   */
  continueFrom(other: JointRamps, t: number): void {
    const from = t > 0 ? t : 0;
    evaluatePositions(other, this.count, from, this.q0);
    evaluateVelocities(other, this.count, from, this.w0);
    for (let i = 0; i < this.count; i++) {
      this.ab[i] = other.ab[i]!;
      this.a[i] = other.a[i]!;
      this.tb[i] = Math.max(0, other.tb[i]! - from);
      this.t1[i] = Math.max(0, other.t1[i]! - from);
      this.t2[i] = Math.max(0, other.t2[i]! - from);
      this.T[i] = Math.max(0, other.T[i]! - from);
      this.end[i] = other.end[i]!;
    }
  }

  /** To be called after the eight arrays were filled from elsewhere (a packet): works out where the ramps end. */
  restoreEnds(): void {
    restoreEnds(this, this.count);
  }
}

/** Ramps of a message with their methods: the very object, where it did not leave its thread. */
export function asRamps(plain: RampArrays): JointRamps {
  if (plain instanceof JointRamps) return plain;
  const ramps = new JointRamps(plain.q0.length);
  ramps.copyFrom(plain);
  return ramps;
}
