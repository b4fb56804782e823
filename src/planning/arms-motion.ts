import { JointRamps, rampFields } from "../motion/joint-ramps.js";
import type { JointGroup } from "../robot/model.js";
import type { Robot } from "../robot/robot.js";
import { MotionCheck, MotionStatus } from "../safety/motion-check.js";

/** Ten times what a catch takes; a motion that needs more is a near miss, and counts as contact. */
const MOST_SAMPLES = 400;

/**
 * Checks the motions of several arms at once: that they touch neither each other nor the robot at any time, by the whole
 * robot's collision bodies.
 */
export class ArmsMotion {
  readonly #check: MotionCheck;
  readonly #ramps: JointRamps;

  constructor(robot: Robot, groups: readonly JointGroup[], margin = 0) {
    const dofs = groups.flatMap((group) => group.dofs);
    this.#check = new MotionCheck(robot, dofs, { margin, maxSamples: MOST_SAMPLES });
    this.#ramps = new JointRamps(dofs.length);
  }

  /** Whether the ramps, those of each group in their order, are clear with all other joints standing in `posture`. */
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
