import { catchingPorts } from "../nodes/catching.js";
import { controlPorts } from "../nodes/control.js";
import { detectorPorts } from "../nodes/detector.js";
import { evaluatorPorts } from "../nodes/evaluator.js";
import { headPosePorts } from "../nodes/head-pose.js";
import { plannerPorts } from "../nodes/planner.js";
import { simulatedCameraPorts } from "../nodes/simulated-camera.js";
import { simulatedImuPorts } from "../nodes/simulated-imu.js";
import { simulatedPointsPorts } from "../nodes/simulated-points.js";
import { simulatedRobotPorts } from "../nodes/simulated-robot.js";
import { trackerPorts } from "../nodes/tracker.js";
import { truePerceptionPorts } from "../nodes/true-perception.js";
import type { NodePorts } from "../transport/port.js";

/** The ports of every kind of node. */
export const nodePorts: { readonly [kind: string]: NodePorts } = {
  camera: simulatedCameraPorts,
  imu: simulatedImuPorts,
  points: simulatedPointsPorts,
  "true-perception": truePerceptionPorts,
  detector: detectorPorts,
  "head-pose": headPosePorts,
  tracker: trackerPorts,
  catching: catchingPorts,
  planner: plannerPorts,
  control: controlPorts,
  robot: simulatedRobotPorts,
  evaluator: evaluatorPorts,
};
