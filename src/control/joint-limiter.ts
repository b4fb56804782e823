/** What one joint may do. */
export interface JointLimits {
  /** [rad or m]; infinite for a joint without an end. [count] */
  readonly lower: Float64Array;
  readonly upper: Float64Array;
  readonly maxVelocity: Float64Array;
  readonly maxAcceleration: Float64Array;
}

/** Rounding of a motion that uses its limits to the full, relative. */
const SLACK = 1e-3;

/** How quickly a joint that was held back makes up for it [1/s]. */
const CATCH_UP = 40;

/**
 * Lets a command pass if every joint can follow it from the last one: position, speed and acceleration within limits.
 * A joint that could not is led towards it as fast as it may go, never past the place where it could still stop before
 * its end. So what leaves the limiter can always be followed, whoever made the command.
 */
export class JointLimiter {
  /** The command let through last: position and velocity. [count] */
  readonly q: Float64Array;
  readonly qd: Float64Array;
  /** Joints held back in the last tick, and ticks in which there were any. */
  limited = 0;
  limitedTicks = 0;
  readonly #limits: JointLimits;
  readonly #period: number;

  /** `period` [s] is that of the loop. */
  constructor(limits: JointLimits, q: Float64Array, period: number) {
    this.#limits = limits;
    this.#period = period;
    this.q = Float64Array.from(q);
    this.qd = new Float64Array(q.length);
  }

  /** Starts anew where the robot is. */
  reset(q: Float64Array, qd: Float64Array): void {
    this.q.set(q);
    this.qd.set(qd);
    this.limited = 0;
  }

  /** The command nearest to (q, qd) that can follow upon the last; to `this.q`, `this.qd`. */
  limit(q: Float64Array, qd: Float64Array): void {
    this.limited = 0;
    for (let i = 0; i < this.q.length; i++) {
      if (this.#passes(i, q[i]!, qd[i]!)) {
        this.q[i] = q[i]!;
        this.qd[i] = qd[i]!;
      } else {
        this.limited++;
        this.#lead(i, q[i]!, qd[i]!);
      }
    }
    if (this.limited > 0) this.limitedTicks++;
  }

  /**
   * Whether joint i can do it. Half the step's mean speed and the new speed both have to be within reach of the last
   * speed; NaN is not.
   */
  #passes(i: number, q: number, qd: number): boolean {
    const { lower, upper, maxVelocity, maxAcceleration } = this.#limits;
    const change = maxAcceleration[i]! * this.#period * (1 + SLACK);
    const speed = maxVelocity[i]! * (1 + SLACK);
    const mean = (q - this.q[i]!) / this.#period;
    return (
      q >= lower[i]! &&
      q <= upper[i]! &&
      Math.abs(qd) <= speed &&
      Math.abs(mean) <= speed &&
      Math.abs(qd - this.qd[i]!) <= change &&
      Math.abs(mean - this.qd[i]!) <= change
    );
  }

  #lead(i: number, q: number, qd: number): void {
    const { lower, upper, maxVelocity, maxAcceleration } = this.#limits;
    const last = this.q[i]!;
    const a = maxAcceleration[i]!;
    const wanted = qd + CATCH_UP * (q - last);
    const change = a * this.#period;
    const slowest = this.qd[i]! - change;
    const fastest = this.qd[i]! + change;
    // NaN wants to stop.
    let v = wanted >= slowest ? Math.min(wanted, fastest) : wanted < slowest ? slowest : clamp(0, slowest, fastest);
    const speed = maxVelocity[i]!;
    v = clamp(v, -Math.max(speed, -fastest), Math.max(speed, slowest));
    v = Math.max(
      Math.min(v, stoppable(upper[i]! - last, a, this.#period)),
      -stoppable(last - lower[i]!, a, this.#period),
    );
    // A joint beyond reach of its end's braking parabola already brakes as hard as it can.
    v = clamp(v, slowest, fastest);
    this.qd[i] = v;
    this.q[i] = last + v * this.#period;
  }
}

/** Greatest speed, kept for one more period, from which a joint still stops within `distance`. */
function stoppable(distance: number, deceleration: number, period: number): number {
  if (distance === Number.POSITIVE_INFINITY) return distance;
  const step = deceleration * period;
  return Math.sqrt(step * step + 2 * deceleration * Math.max(distance, 0)) - step;
}

function clamp(value: number, low: number, high: number): number {
  return value < low ? low : value > high ? high : value;
}
