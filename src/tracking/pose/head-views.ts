import { CameraModel } from "../../camera/camera-model.js";
import * as lie from "../../math/lie.js";
import * as matrix from "../../math/matrix.js";
import * as pose from "../../math/pose.js";
import { relativePose, stateAt } from "../../robot/kinematics/kinematics.js";
import type { Robot, RobotCamera } from "../../robot/robot.js";
import { FlycatcherError } from "../../runtime/errors.js";
import type { CameraView } from "../filter/scan.js";
import type { HeadPoseEstimate } from "./head-pose-estimate.js";

/** The view of one camera that is fixed to the head. */
class HeadCamera implements CameraView {
  readonly camera: CameraModel;
  time = Number.NaN;
  readonly worldFromCamera = pose.create();
  readonly covariance = new Float64Array(36);
  readonly #headFromCamera: pose.Pose;
  /** From errors in the head's axes to errors in the camera's. */
  readonly #adjoint: Float64Array;
  readonly #product = new Float64Array(36);

  constructor(camera: CameraModel, headFromCamera: pose.Pose) {
    this.camera = camera;
    this.#headFromCamera = headFromCamera;
    this.#adjoint = lie.adjoint(pose.invert(headFromCamera, pose.create()), new Float64Array(36));
  }

  look({ time, worldFromHead, covariance }: HeadPoseEstimate): void {
    this.time = time;
    pose.compose(worldFromHead, this.#headFromCamera, this.worldFromCamera);
    matrix.multiply(this.#adjoint, covariance, 6, 6, 6, this.#product);
    matrix.multiplyTransposeRight(this.#product, this.#adjoint, 6, 6, 6, this.covariance);
  }
}

/** Where the two cameras of the head look from, given where the head is. The same memory at each call. */
export class HeadViews {
  readonly left: HeadCamera;
  readonly right: HeadCamera;

  constructor(robot: Robot) {
    const { stereo, frames, cameras, rigidBody } = robot;
    const state = stateAt(robot.model);
    const create = (camera: RobotCamera | undefined): HeadCamera => {
      const head = frames.head;
      if (camera === undefined || head === undefined || rigidBody[camera.link] !== rigidBody[head])
        throw unseeing(robot);
      return new HeadCamera(new CameraModel(camera), relativePose(state, head, camera.link, pose.create()));
    };
    this.left = create(cameras[stereo?.left ?? -1]);
    this.right = create(cameras[stereo?.right ?? -1]);
  }

  /** Both cameras look from where the head is. */
  look(head: HeadPoseEstimate): void {
    this.left.look(head);
    this.right.look(head);
  }
}

function unseeing({ name }: Robot): FlycatcherError {
  return new FlycatcherError("FLY_SENSOR_MISSING", `${name} has no stereo head to see with`, {
    expected: "`stereo`, and both cameras on a link fixed to the frame `head`",
    found: "none",
  });
}
