import { STANDARD_GRAVITY } from "../../flight/ball.js";
import * as pose from "../../math/pose.js";
import * as vec3 from "../../math/vec3.js";
import { relativePose, stateAt } from "../../robot/kinematics/kinematics.js";
import type { Robot, RobotImu } from "../../robot/robot.js";
import { FlycatcherError } from "../../runtime/errors.js";

/** What the filter knows of the sensors and assumes of the structure. */
export interface HeadPoseOptions {
  readonly imu: RobotImu;
  readonly headFromImu: pose.Pose;
  /** In the world [m/s²]. */
  readonly gravity: vec3.Vec3;
  readonly structure: StructureNoise;
  /** Kinematics correct the IMU this often [s]: below half a period of the slowest vibration, so that it is not aliased. */
  readonly correctionPeriod: number;
  /** How far back poses can be asked for, and samples may come late [s]: image delay, processing and some reserve. */
  readonly memory: number;
  /** Time over which the handed-out covariance counts the drift of the pose [s]: about half a flight. */
  readonly horizon: number;
  /** An IMU silent for longer has failed [s]; shorter gaps are bridged. */
  readonly longestGap: number;
}

/**
 * Errors of the kinematics, platform to head, that no encoder sees, as standard deviations, for a lightweight humanoid: the
 * design page's figures for Agile Justin. They have two kinds: a slow offset (deflection, slip), which changes while the
 * robot moves and stays when it rests, and vibration about it.
 */
export const humanoidStructure = {
  /** Vibration while the robot moves fast: thesis, section 3.4.2, finds 10–25 Hz; the size is the design's. [rad], [m] */
  vibrationRotation: 0.003,
  vibrationTranslation: 0.003,
  /** Mean circular frequency of the vibration [rad/s]. */
  vibrationFrequency: 2 * Math.PI * 15,
  /** What is left of it at rest, with the encoders' noise. [rad], [m] */
  restRotation: 0.0005,
  restTranslation: 0.0005,
  /** The slow offset as a whole. [rad], [m] */
  offsetRotation: 0.015,
  offsetTranslation: 0.012,
  /** By how much it changes in one second of fast motion, and in one second of rest. [rad/√s], [m/√s] */
  offsetRotationWalk: 0.015,
  offsetTranslationWalk: 0.012,
  offsetRotationCreep: 0.0001,
  offsetTranslationCreep: 0.0001,
  /** In which time the world goes back to where the kinematics has it, while the robot rests [s]. */
  worldTime: 10,
  /** Turn-on biases of the IMU. [rad/s], [m/s²] */
  turnOnGyroBias: 0.001,
  turnOnAccelerometerBias: 0.03,
};
export type StructureNoise = Readonly<typeof humanoidStructure>;

/** Variance of the kinematic position about its offset [m²], at an activity of 0 to 1. */
export function translationVariance(structure: StructureNoise, activity: number): number {
  return structure.restTranslation ** 2 + (activity * structure.vibrationTranslation) ** 2;
}

/** The same of the orientation [rad²]. */
export function rotationVariance(structure: StructureNoise, activity: number): number {
  return structure.restRotation ** 2 + (activity * structure.vibrationRotation) ** 2;
}

/** Variance that the kinematic position's offset gains in a second [m²/s], at an activity of 0 to 1. */
export function offsetTranslationRate(structure: StructureNoise, activity: number): number {
  return structure.offsetTranslationCreep ** 2 + (activity * structure.offsetTranslationWalk) ** 2;
}

/** The same of the orientation [rad²/s]. */
export function offsetRotationRate(structure: StructureNoise, activity: number): number {
  return structure.offsetRotationCreep ** 2 + (activity * structure.offsetRotationWalk) ** 2;
}

export type HeadPoseTuning = Partial<Omit<HeadPoseOptions, "imu" | "headFromImu" | "gravity">>;

/** The options for a robot with a head and an IMU fixed to it. */
export function headPoseOptionsOf(robot: Robot, tuning: HeadPoseTuning = {}): HeadPoseOptions {
  const { imu, frames, rigidBody } = robot;
  if (imu === undefined || frames.head === undefined || rigidBody[imu.link] !== rigidBody[frames.head]) {
    throw new FlycatcherError("FLY_SENSOR_MISSING", "the head's pose cannot be filtered", {
      expected: "a frame `head` and an `imu` on a link fixed to it",
      found: imu === undefined ? "no IMU" : "no head under the IMU",
    });
  }
  const state = stateAt(robot.model);
  return {
    imu,
    headFromImu: relativePose(state, frames.head, imu.link, pose.create()),
    gravity: vec3.scale(robot.gravityDirection, STANDARD_GRAVITY, vec3.create()),
    structure: humanoidStructure,
    correctionPeriod: 0.01,
    memory: 0.25,
    horizon: 0.5,
    longestGap: 0.02,
    ...tuning,
  };
}
