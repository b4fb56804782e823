import type { CameraModel } from "../../camera/camera-model.js";
import type { Robot } from "../../robot/robot.js";
import { HeadViews } from "../pose/head-views.js";
import { CircleDetector } from "./circle-detector.js";
import { LEAST_RADIUS, radiiBetween } from "./detector-options.js";

/** Nearest and farthest ball that is looked for in images [m]. */
const BALL_RANGE = [0.7, 7] as const;

/** Who finds balls in the images of the head's two cameras. */
export interface BallDetectors {
  readonly left: CircleDetector;
  readonly right: CircleDetector;
}

/** The detectors of a robot's cameras, as calibrated, for balls of this radius [m]. */
export function ballDetectors(robot: Robot, ballRadius: number): BallDetectors {
  const { left, right } = new HeadViews(robot);
  return { left: detectorFor(left.camera, ballRadius), right: detectorFor(right.camera, ballRadius) };
}

/** The detector of one camera, for balls of this radius [m]. */
export function detectorFor(camera: CameraModel, ballRadius: number): CircleDetector {
  const { width, height, fx, fy } = camera;
  const { minRadius, maxRadius } = radiiBetween(Math.sqrt(fx * fy), ballRadius, ...BALL_RANGE);
  return new CircleDetector(width, height, { minRadius: Math.max(minRadius, LEAST_RADIUS), maxRadius, camera });
}
