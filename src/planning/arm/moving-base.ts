import type { JointRamps } from "../../motion/joint-ramps.js";
import type { HeadMeasurement } from "../body/moving-base-path.js";

/**
 * What carries an arm while it catches: torso and platform, which may move, and where they were last seen to be. Times are
 * on the run's clock.
 */
export interface MovingBase {
  /** Motion of the dofs between the world and the arm's base, in model order, begun at `start` [s]. */
  readonly ramps: JointRamps;
  readonly start: number;
  /** The newest measured head, from which the chest's place follows; null: the plan is believed. */
  readonly head: HeadMeasurement | null;
  /** Where all joints stand while the arm moves, in model order: those of the body are taken from the ramps instead. */
  readonly posture: Float64Array;
}
