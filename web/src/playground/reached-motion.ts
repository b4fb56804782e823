import { parseMotion } from "../../../src/motion/motion-description.js";
import { MotionState, type PiecewiseMotion } from "../../../src/motion/piecewise-motion.js";
import type { MotionAnswer } from "../../../src/planning/motions/motion-answer.js";

/** The motion of an answer about a motion: where the joints are at any time. */
export class ReachedMotion {
  readonly joints: readonly string[];
  /** [s] */
  readonly duration: number;
  readonly #motion: PiecewiseMotion;
  readonly #state: MotionState;

  constructor(closed: NonNullable<MotionAnswer["motion"]>) {
    const { motion, joints } = parseMotion(closed);
    this.joints = joints;
    this.duration = motion.duration;
    this.#motion = motion;
    this.#state = new MotionState(motion.joints);
  }

  /** Positions of `joints` at `time`; until the next call. */
  positions(time: number): Float64Array {
    return this.#motion.positions(Math.min(Math.max(0, time), this.duration), this.#state.position);
  }
}
