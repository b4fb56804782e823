import * as pose from "../../math/pose.js";

/** What a pose rests on. */
export const PoseSource = {
  /** Nothing: there is no pose for that time. */
  none: 0,
  /** IMU, held to the kinematics. */
  fused: 1,
  /** Joints alone, with the offset known last: the IMU is silent. */
  kinematics: 2,
  /** IMU alone: the joints are silent, the pose drifts. */
  inertial: 3,
} as const;
export type PoseSource = (typeof PoseSource)[keyof typeof PoseSource];

/** The head at one time. */
export class HeadPoseEstimate {
  /** [s] */
  time = Number.NaN;
  source: PoseSource = PoseSource.none;
  readonly worldFromHead = pose.create();
  /** Velocity of the head's origin [m/s], then angular [rad/s], in world axes. [6] */
  readonly twist = new Float64Array(6);
  /**
   * Of the error that the pose gained over the filter's horizon, translation [m] then rotation [rad], in the head's
   * axes. [6 × 6] An error that stays is an error of the world's place, which all that is seen shares; it is not in here.
   */
  readonly covariance = new Float64Array(36);
}

/** Something to tell about the head's pose: a code for programs, words for people. */
export interface HeadPoseEvent {
  readonly code: string;
  readonly severity: "info" | "warning" | "error";
  readonly text: string;
}

/** What to say when the pose comes to rest on a source. */
export const sourceEvents: Readonly<Record<PoseSource, HeadPoseEvent>> = {
  [PoseSource.none]: {
    code: "head-pose.lost",
    severity: "error",
    text: "IMU and joints are silent: the head's pose is unknown",
  },
  [PoseSource.fused]: {
    code: "head-pose.fused",
    severity: "info",
    text: "the head's pose comes from IMU and joints",
  },
  [PoseSource.kinematics]: {
    code: "head-pose.imu-lost",
    severity: "warning",
    text: "the IMU is silent: the head's pose comes from the joints alone and does not see the torso shake",
  },
  [PoseSource.inertial]: {
    code: "head-pose.joints-lost",
    severity: "warning",
    text: "the joints are silent: the head's pose comes from the IMU alone and drifts",
  },
};

/** What to say when the filter had to start anew. */
export const disagreementEvent: HeadPoseEvent = {
  code: "head-pose.restarted",
  severity: "warning",
  text: "IMU and joints disagreed for a tenth of a second: the filter restarted from the joints",
};
