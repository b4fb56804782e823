import type * as pose from "../../math/pose.js";
import type { SetPointLimiter } from "./set-point-limiter.js";

/** Set-points of the robot at the end of a step, in model order: positions, speeds, accelerations. */
export type RobotSetPoints = Pick<SetPointLimiter, "position" | "velocity" | "acceleration">;

/**
 * Something that puts a link where its joints do not have it: a torso that bends and shakes, wheels that slip. Whatever
 * stands on the link moves along, so the truth about hands, head and cameras is the same for all who ask; encoders
 * notice nothing.
 */
export interface Perturbation {
  /** The link that is displaced. */
  readonly link: number;
  /** pose.Pose of the displaced link in its nominal frame at the beginning, to `out`. */
  start(posture: Float64Array, out: pose.Pose): void;
  /** One step on: its pose when the robot's set-points are these, to `out`. */
  step(setPoints: RobotSetPoints, out: pose.Pose): void;
}
