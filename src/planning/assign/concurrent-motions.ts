import { JointRamps, rampFields } from "../../motion/joint-ramps.js";
import type { Robot } from "../../robot/robot.js";
import { MotionCheck, MotionStatus } from "../../safety/motion-check.js";

/** Ten times what a catch takes; a motion that needs more is a near miss, and counts as contact. */
const MOST_SAMPLES = 400;

/**
 * Checks motions that happen at once, of two arms or of an arm and the body that carries it: that at no time anything
 * touches, by the whole robot's collision bodies.
 */
export class ConcurrentMotions {
  readonly #check: MotionCheck;
  readonly #ramps: JointRamps;

  /** `dofs` are those of each motion; `margin` is the distance to be kept [m]. */
  constructor(robot: Robot, dofs: readonly (readonly number[])[], margin = 0) {
    const all = dofs.flat();
    this.#check = new MotionCheck(robot, all, { margin, maxSamples: MOST_SAMPLES });
    this.#ramps = new JointRamps(all.length);
  }

  /** Whether the motions, in the order of their dofs, are clear with all other joints standing in `posture`. */
  isClear(motions: readonly JointRamps[], posture: Float64Array): boolean {
    let first = 0;
    for (const motion of motions) {
      for (const field of rampFields) this.#ramps[field].set(motion[field], first);
      this.#ramps.end.set(motion.end, first);
      first += motion.count;
    }
    return this.#check.check(this.#ramps, posture) === MotionStatus.free;
  }

  /** The bodies that touched in the last check, indices of `robot.hulls`; −1 where there was no contact. */
  get contact(): readonly [number, number] {
    return [this.#check.bodyA, this.#check.bodyB];
  }
}
