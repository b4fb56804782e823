import type { Pose } from "../../math/pose.js";

/** Set-points of the robot at the end of a step, in model order: positions, speeds, accelerations. */
export interface RobotSetPoints {
  readonly position: Float64Array;
  readonly velocity: Float64Array;
  readonly acceleration: Float64Array;
}

/**
 * Something that puts a link where its joints do not have it: a torso that bends and shakes, wheels that slip. Whatever
 * stands on the link moves along, so the truth about hands, head and cameras is the same for all who ask; encoders
 * notice nothing.
 */
export interface Perturbation {
  /** The link that is displaced. */
  readonly link: number;
  /** Pose of the displaced link in its nominal frame at the beginning, to `out`. */
  start(posture: Float64Array, out: Pose): void;
  /** One step on: its pose when the robot's set-points are these, to `out`. */
  step(setPoints: RobotSetPoints, out: Pose): void;
}
