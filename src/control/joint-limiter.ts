import { MotionLimiter, type MotionLimits } from "../motion/motion-limiter.js";
import type { Robot } from "../robot/robot.js";
import type { FollowedJoints } from "./control-cycle.js";

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
  /** Greatest speed, and greatest change of it in one tick, of each joint. */
  readonly #speed: Float64Array;
  readonly #change: Float64Array;

  /** `period` [s] is that of the loop. */
  constructor(limits: MotionLimits, q: Float64Array, period: number) {
    this.#limits = limits;
    this.#limiter = new MotionLimiter(limits, period);
    this.q = this.#limiter.position;
    this.qd = this.#limiter.velocity;
    this.q.set(q);
    this.#speed = limits.maxVelocity.map((limit) => limit * (1 + SLACK));
    this.#change = limits.maxAcceleration.map((limit) => limit * period * (1 + SLACK));
  }

  /** Starts anew where the robot is. */
  reset(q: Float64Array, qd: Float64Array): void {
    this.#limiter.reset(q, qd);
    this.limited = 0;
  }

  /** The command nearest to (q, qd) that can follow upon the last; to `this.q`, `this.qd`. */
  limit(q: Float64Array, qd: Float64Array): void {
    const lastQ = this.q;
    const lastQd = this.qd;
    const { lower, upper } = this.#limits;
    const speeds = this.#speed;
    const changes = this.#change;
    const { period } = this.#limiter;
    let limited = 0;
    for (let i = 0; i < lastQ.length; i++) {
      const position = q[i]!;
      const velocity = qd[i]!;
      const mean = (position - lastQ[i]!) / period;
      // Both its mean speed in the step and its new speed must be within reach. NaN is not.
      const passes =
        position >= lower[i]! &&
        position <= upper[i]! &&
        Math.abs(velocity) <= speeds[i]! &&
        Math.abs(mean) <= speeds[i]! &&
        Math.abs(velocity - lastQd[i]!) <= changes[i]! &&
        Math.abs(mean - lastQd[i]!) <= changes[i]!;
      if (passes) {
        lastQ[i] = position;
        lastQd[i] = velocity;
      } else {
        limited++;
        this.#limiter.stepJoint(i, q);
      }
    }
    this.limited = limited;
    if (limited > 0) this.limitedTicks++;
  }
}

/** Shares of speed and acceleration that are used, and distance kept from the joints' limits [rad or m]. */
const SPEED = 0.85;
const ACCELERATION = 0.6;
const MARGIN = 0.03;

/**
 * Leads joints as somebody else wants them, with something in reserve. A robot at the other end of a wire gets its commands
 * now a little early, now a little late; one whose joints are led at their very limits could not make up for it and would
 * fall behind, or overshoot.
 */
export class GentleJoints implements FollowedJoints {
  readonly dofs: readonly number[];
  readonly #followed: FollowedJoints;
  readonly #limiter: MotionLimiter;

  /** Begins at rest in `posture`. */
  constructor({ model }: Robot, followed: FollowedJoints, posture: Float64Array, period: number) {
    const { dofs } = followed;
    const pick = (values: Float64Array, change: (value: number) => number) =>
      Float64Array.from(dofs, (dof) => change(values[dof]!));
    this.dofs = dofs;
    this.#followed = followed;
    const limits = {
      lower: pick(model.lower, (value) => value + MARGIN),
      upper: pick(model.upper, (value) => value - MARGIN),
      maxVelocity: pick(model.maxVelocity, (value) => SPEED * value),
      maxAcceleration: pick(model.maxAcceleration, (value) => ACCELERATION * value),
    };
    this.#limiter = new MotionLimiter(limits, period);
    this.rest(posture);
  }

  rest(q: Float64Array): void {
    this.#followed.rest(q);
    this.#limiter.rest(q, this.dofs);
  }

  follow(time: number, command: Float64Array, outQ: Float64Array, outQd: Float64Array): void {
    this.#followed.follow(time, command, outQ, outQd);
    this.#limiter.step(outQ);
    outQ.set(this.#limiter.position);
    outQd.set(this.#limiter.velocity);
  }
}
