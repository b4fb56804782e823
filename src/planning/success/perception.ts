import * as pose from "../../math/pose.js";
import * as vec3 from "../../math/vec3.js";
import type { Robot, RobotCamera } from "../../robot/robot.js";
import type { RobotState } from "../../robot/state.js";

/**
 * How well and how often the ball will be seen until it is caught. Each camera measures the ball's *direction*, with a
 * standard deviation of pixelSigma / focal length across it: so depth comes from the distance between the cameras, and
 * the head may turn after the ball, as it does, without changing the model. Where the cameras are is taken from the
 * start posture.
 */
export interface Perception {
  readonly cameras: readonly Viewpoint[];
  /** Images per second [Hz]. */
  readonly rateHz: number;
  /** From an exposure until the arm follows the plan made of it [s]. */
  readonly latency: number;
  /** Standard deviation of the hand about its planned place, in each direction [m]. */
  readonly servoSigma: number;
}

export interface Viewpoint {
  /** Of the optical centre [m]. */
  readonly position: vec3.Vec3;
  /** Standard deviation of a measured direction [rad]. */
  readonly angleSigma: number;
}

export const standardPerception = { pixelSigma: 0.3, processingTime: 0.06, servoSigma: 0.006 } as const;

/**
 * For robots without cameras: a pair like Agile Justin's (f = 693 px, 0.2 m apart, 25 Hz, 40 ms from exposure to arrival),
 * half a metre above the arm's base, side by side along the world's y axis.
 */
export const standardCameras = { focalLength: 693, baseline: 0.2, height: 0.5, rateHz: 25, latency: 0.04 } as const;

/** What a request may say about perception; the rest is `standardPerception`. */
export interface PerceptionDescription {
  /** When the ball was seen last [s]. */
  readonly lastMeasurement?: number;
  /** Standard deviation of the ball's centre in an image [px]. */
  readonly pixelSigma?: number;
  /** From an image's arrival until the arm follows the plan made of it [s]. */
  readonly processingTime?: number;
  /** Standard deviation of the hand about its planned place, in each direction [m]. */
  readonly servoSigma?: number;
}

/** What the robot sees with, in the frame of link `base` at the start. */
export function resolvePerception(
  robot: Robot,
  start: RobotState,
  base: number,
  given: PerceptionDescription = {},
): Perception {
  const { pixelSigma, processingTime, servoSigma } = { ...standardPerception, ...given };
  const baseFromRoot = pose.invert(start.worldFromLink[base]!, pose.create());
  const cameras = camerasOf(robot);
  const first = cameras[0];
  return {
    cameras:
      first === undefined
        ? standardViewpoints(robot, start, baseFromRoot, pixelSigma)
        : cameras.map((camera) => viewpoint(camera, start, baseFromRoot, pixelSigma)),
    rateHz: first?.rateHz ?? standardCameras.rateHz,
    latency: (first?.latency ?? standardCameras.latency) + processingTime,
    servoSigma,
  };
}

/** The stereo pair, or all cameras where none is named. */
function camerasOf({ cameras, stereo }: Robot): readonly RobotCamera[] {
  return stereo === undefined ? cameras : [cameras[stereo.left]!, cameras[stereo.right]!];
}

function viewpoint(camera: RobotCamera, start: RobotState, baseFromRoot: pose.Pose, pixelSigma: number): Viewpoint {
  const position = pose.getTranslation(start.worldFromLink[camera.link]!, vec3.create());
  pose.transformPoint(baseFromRoot, position, position);
  return { position, angleSigma: pixelSigma / Math.sqrt(camera.fx * camera.fy) };
}

function standardViewpoints(robot: Robot, start: RobotState, baseFromRoot: pose.Pose, pixelSigma: number): Viewpoint[] {
  const { baseline, height, focalLength } = standardCameras;
  const rootFromWorld = start.worldFromLink[robot.frames.world]!;
  return [-0.5, 0.5].map((side) => {
    const fromBase = pose.rotateVector(rootFromWorld, vec3.create(0, side * baseline, height), vec3.create());
    return {
      position: pose.rotateVector(baseFromRoot, fromBase, fromBase),
      angleSigma: pixelSigma / focalLength,
    };
  });
}
