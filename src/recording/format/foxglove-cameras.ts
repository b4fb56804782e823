import type { CameraSide, Circles } from "../../messages/sensing.js";
import type { Robot, RobotCamera } from "../../robot/robot.js";
import { foxgloveTime } from "./foxglove-schemas.js";
import { colour } from "./foxglove-shapes.js";

/** Circles of at least this score are drawn in full colour. */
const SURE = 0.5;

/** The camera of a side; undefined for a robot without. */
export function cameraOf({ cameras, stereo }: Robot, side: CameraSide): RobotCamera | undefined {
  return stereo === undefined ? undefined : cameras[stereo[side]];
}

/** CameraCalibration of a camera whose frame has the name of its link. */
export function calibration(camera: RobotCamera, frame: string, timeNs: number): object {
  const { width, height, fx, fy, cx, cy, distortion } = camera;
  const { k1, k2, p1, p2, k3 } = distortion;
  return {
    timestamp: foxgloveTime(timeNs),
    frame_id: frame,
    width,
    height,
    distortion_model: "plumb_bob",
    D: [k1, k2, p1, p2, k3],
    K: [fx, 0, cx, 0, fy, cy, 0, 0, 1],
    R: [1, 0, 0, 0, 1, 0, 0, 0, 1],
    P: [fx, 0, cx, 0, 0, fy, cy, 0, 0, 0, 1, 0],
  };
}

/** ImageAnnotations: the circles that were found in an image. */
export function annotations({ u, v, r, score, exposureNs }: Circles): object {
  const timestamp = foxgloveTime(exposureNs);
  return {
    timestamp,
    circles: Array.from(score, (value, k) => ({
      timestamp,
      position: { x: u[k]!, y: v[k]! },
      diameter: 2 * r[k]!,
      thickness: 1,
      fill_color: colour([0, 0, 0, 0]),
      outline_color: colour([0.95, 0.6, 0.1, value >= SURE ? 1 : 0.4]),
    })),
    points: [],
    texts: [],
  };
}
