import type { Robot, RobotCamera } from "../../robot/robot.js";
import type { CameraSide, CirclesItem } from "../recorded-messages.js";
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
export function annotations({ circles, score, exposureNs }: CirclesItem): object {
  const timestamp = foxgloveTime(exposureNs);
  const found = Array.from(score, (value, k) => ({
    value,
    u: circles[3 * k]!,
    v: circles[3 * k + 1]!,
    r: circles[3 * k + 2]!,
  }));
  return {
    timestamp,
    circles: found.map(({ value, u, v, r }) => ({
      timestamp,
      position: { x: u, y: v },
      diameter: 2 * r,
      thickness: 1,
      fill_color: colour([0, 0, 0, 0]),
      outline_color: colour([0.95, 0.6, 0.1, value >= SURE ? 1 : 0.4]),
    })),
    points: [],
    texts: [],
  };
}
