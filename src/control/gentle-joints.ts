import { MotionLimiter } from "../motion/motion-limiter.js";
import type { Robot } from "../robot/robot.js";
import type { FollowedJoints } from "./control-cycle.js";

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
  readonly #leader: FollowedJoints;
  readonly #limiter: MotionLimiter;

  /** Begins at rest in `posture`. */
  constructor({ model }: Robot, leader: FollowedJoints, posture: Float64Array, period: number) {
    const { dofs } = leader;
    const pick = (values: Float64Array, change: (value: number) => number) =>
      Float64Array.from(dofs, (dof) => change(values[dof]!));
    this.dofs = dofs;
    this.#leader = leader;
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
    this.#leader.rest(q);
    this.#limiter.reset(
      Float64Array.from(this.dofs, (dof) => q[dof]!),
      new Float64Array(this.dofs.length),
    );
  }

  follow(time: number, command: Float64Array, outQ: Float64Array, outQd: Float64Array): void {
    this.#leader.follow(time, command, outQ, outQd);
    this.#limiter.step(outQ);
    outQ.set(this.#limiter.position);
    outQd.set(this.#limiter.velocity);
  }
}
