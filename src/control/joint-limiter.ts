import { MotionLimiter, type MotionLimits } from "../motion/motion-limiter.js";

/** Rounding of a motion that uses its limits to the full, relative. */
const SLACK = 1e-3;

/**
 * Lets a command pass if every joint can follow it from the last one: position, speed and acceleration within limits.
 * A joint that could not is led towards it by a `MotionLimiter`, as fast as it may go. So what leaves the limiter can
 * always be followed, whoever made the command; a command that is NaN stops its joint.
 */
export class JointLimiter {
  /** The command let through last: position and velocity. [count] */
  readonly q: Float64Array;
  readonly qd: Float64Array;
  /** Joints held back in the last tick, and ticks in which there were any. */
  limited = 0;
  limitedTicks = 0;
  readonly #limits: MotionLimits;
  readonly #limiter: MotionLimiter;

  /** `period` [s] is that of the loop. */
  constructor(limits: MotionLimits, q: Float64Array, period: number) {
    this.#limits = limits;
    this.#limiter = new MotionLimiter(limits, period);
    this.q = this.#limiter.position;
    this.qd = this.#limiter.velocity;
    this.q.set(q);
  }

  /** Starts anew where the robot is. */
  reset(q: Float64Array, qd: Float64Array): void {
    this.#limiter.reset(q, qd);
    this.limited = 0;
  }

  /** The command nearest to (q, qd) that can follow upon the last; to `this.q`, `this.qd`. */
  limit(q: Float64Array, qd: Float64Array): void {
    this.limited = 0;
    for (let i = 0; i < this.q.length; i++) {
      if (this.#passes(i, q, qd)) {
        this.q[i] = q[i]!;
        this.qd[i] = qd[i]!;
      } else {
        this.limited++;
        this.#limiter.stepJoint(i, q);
      }
    }
    if (this.limited > 0) this.limitedTicks++;
  }

  /** Whether joint i can do it: both its mean speed in the step and its new speed are within reach. NaN is not. */
  #passes(i: number, q: Float64Array, qd: Float64Array): boolean {
    const { lower, upper, maxVelocity, maxAcceleration } = this.#limits;
    const { period } = this.#limiter;
    const change = maxAcceleration[i]! * period * (1 + SLACK);
    const speed = maxVelocity[i]! * (1 + SLACK);
    const mean = (q[i]! - this.q[i]!) / period;
    return (
      q[i]! >= lower[i]! &&
      q[i]! <= upper[i]! &&
      Math.abs(qd[i]!) <= speed &&
      Math.abs(mean) <= speed &&
      Math.abs(qd[i]! - this.qd[i]!) <= change &&
      Math.abs(mean - this.qd[i]!) <= change
    );
  }
}
