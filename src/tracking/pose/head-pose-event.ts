import { PoseSource } from "./head-pose-estimate.js";

/** Something to tell about the head's pose: a code for programs, words for people. */
export interface HeadPoseEvent {
  readonly code: string;
  readonly severity: "info" | "warning" | "error";
  readonly text: string;
}

const lost: HeadPoseEvent = {
  code: "head-pose.lost",
  severity: "error",
  text: "neither IMU nor joints report: the head's pose is unknown",
};

const bySource: Readonly<Record<PoseSource, HeadPoseEvent>> = {
  [PoseSource.none]: lost,
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

/** What to say when the pose comes to rest on `source`. */
export function eventOfSource(source: PoseSource): HeadPoseEvent {
  return bySource[source];
}

/** What to say when the filter had to start anew. */
export const disagreementEvent: HeadPoseEvent = {
  code: "head-pose.restarted",
  severity: "warning",
  text: "IMU and joints disagreed for a tenth of a second: the filter started anew from the joints",
};
