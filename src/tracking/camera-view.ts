import type { CameraModel } from "../camera/camera-model.js";
import type { Pose } from "../math/pose.js";

/** From where and when a camera looked as it took an image. */
export interface CameraView {
  readonly camera: CameraModel;
  /** Middle of the exposure [s]. */
  readonly time: number;
  readonly worldFromCamera: Pose;
  /** Of the pose's error, translation [m] then rotation [rad], both in the camera's frame. [6 × 6] */
  readonly covariance: Float64Array;
}
