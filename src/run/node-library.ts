import { catchingPorts } from "../nodes/catching.js";
import { controlPorts } from "../nodes/control.js";
import { detectorPorts } from "../nodes/detector.js";
import { driverRobotPorts } from "../nodes/driver-robot.js";
import { evaluatorPorts } from "../nodes/evaluator.js";
import { headPosePorts } from "../nodes/head-pose.js";
import { pipeCameraPorts } from "../nodes/pipe-camera.js";
import { plannerPorts } from "../nodes/planner.js";
import { recordedSourcePorts } from "../nodes/recorded-source.js";
import { recorderPorts } from "../nodes/recorder.js";
import { simulatedCameraPorts } from "../nodes/simulated-camera.js";
import { simulatedImuPorts } from "../nodes/simulated-imu.js";
import { simulatedPointsPorts } from "../nodes/simulated-points.js";
import { simulatedRobotPorts } from "../nodes/simulated-robot.js";
import { standingHeadPorts } from "../nodes/standing-head.js";
import { streamedWorldPorts } from "../nodes/streamed-world.js";
import { trackerPorts } from "../nodes/tracker.js";
import { truePerceptionPorts } from "../nodes/true-perception.js";
import { udpRobotPorts } from "../nodes/udp-robot.js";
import type { NodePorts } from "../transport/port.js";

/** The ports of every kind of node. */
export const nodePorts: { readonly [kind: string]: NodePorts } = {
  camera: simulatedCameraPorts,
  "pipe-camera": pipeCameraPorts,
  imu: simulatedImuPorts,
  points: simulatedPointsPorts,
  "true-perception": truePerceptionPorts,
  detector: detectorPorts,
  "head-pose": headPosePorts,
  "standing-head": standingHeadPorts,
  tracker: trackerPorts,
  catching: catchingPorts,
  planner: plannerPorts,
  control: controlPorts,
  robot: simulatedRobotPorts,
  "udp-robot": udpRobotPorts,
  "driver-robot": driverRobotPorts,
  world: streamedWorldPorts,
  evaluator: evaluatorPorts,
  recorder: recorderPorts,
  recording: recordedSourcePorts,
};

/** The ports of a kind of node; none for a kind that does not exist. */
export function portsOf(kind: string): NodePorts {
  return nodePorts[kind] ?? { in: {}, out: {} };
}
