import { CameraModel } from "../../camera/camera-model.js";
import * as pose from "../../math/pose.js";
import type { Vec3 } from "../../math/vec3.js";
import { relativePose, stateAt } from "../../robot/kinematics/kinematics.js";
import type { Robot, RobotCamera } from "../../robot/robot.js";
import { FlycatcherError } from "../../runtime/errors.js";
import type { RigidMotion } from "../head-motion/elastic-chain.js";
import type { ThrowingHand } from "../world/hand-motion.js";

/** A ball as it truly is in the middle of an exposure, in the world. */
export interface TrueBall {
  /** Its number; 0 if not given. */
  readonly id?: number;
  readonly position: Vec3;
  readonly velocity: Vec3;
  /** The hand that throws or threw it, where one is simulated. */
  readonly hand?: ThrowingHand;
}

/** The head in the middle of an exposure. */
export type TrueHeadMotion = Pick<RigidMotion, "worldFromBody" | "twist">;

/** One of the two cameras, where it is truly mounted. */
export interface RigCamera {
  readonly camera: CameraModel;
  readonly headFromCamera: pose.Pose;
  /** [s] */
  readonly exposure: number;
  /** From the exposure of a row to that of the next [s]; of an image of full size. */
  readonly rowTime: number;
}

/** The cameras of a robot's head as they truly are; `scale` the images against the robot's own. */
export function stereoRig(robot: Robot, scale = 1): { readonly left: RigCamera; readonly right: RigCamera } {
  const { stereo, frames, cameras } = robot;
  const state = stateAt(robot.model);
  const create = (camera: RobotCamera | undefined): RigCamera => {
    if (camera === undefined || frames.head === undefined) {
      throw new FlycatcherError("FLY_SENSOR_MISSING", `${robot.name} has no stereo head to simulate`, {
        expected: "`stereo` cameras and a frame `head`",
        found: "none",
      });
    }
    const headFromCamera = relativePose(state, frames.head, camera.link, pose.create());
    return {
      camera: new CameraModel(camera).scaled(scale),
      headFromCamera,
      exposure: camera.exposure,
      rowTime: camera.rowTime,
    };
  };
  return { left: create(cameras[stereo?.left ?? -1]), right: create(cameras[stereo?.right ?? -1]) };
}
