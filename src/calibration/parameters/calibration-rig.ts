import { intrinsicNames } from "../../camera/camera-model.js";
import {
  type JointGroup,
  JointKind,
  type Robot,
  type RobotCamera,
  type RobotImu,
  type RobotMarker,
} from "../../robot/robot.js";
import { FlycatcherError } from "../../runtime/errors.js";

/** An arm that carries a marker. */
export interface MarkedArm {
  readonly group: JointGroup;
  readonly marker: RobotMarker;
}

/** The parts of a robot that calibration is about: a stereo head with an IMU on a neck, and arms with a marker each. */
export interface CalibrationRig {
  readonly robot: Robot;
  readonly headLink: number;
  readonly neck: JointGroup;
  readonly arms: readonly MarkedArm[];
  /** Left, right. */
  readonly cameras: readonly [RobotCamera, RobotCamera];
  readonly imu: RobotImu;
}

/** Intrinsics that are calibrated; k3 stays. */
export const calibratedIntrinsics = intrinsicNames.slice(0, 8);

/** Finds the parts in a robot, or says which one is missing. */
export function findCalibrationRig(robot: Robot): CalibrationRig {
  const { model, stereo, imu, frames } = robot;
  const neck = model.groups.find(({ kind }) => kind === "neck");
  if (stereo === undefined) throw missing(robot, "a stereo pair of cameras");
  if (imu === undefined) throw missing(robot, "an IMU");
  if (frames.head === undefined || neck === undefined) throw missing(robot, "a head on a neck");
  const arms = robot.markers.flatMap((marker) => {
    const group = model.groups.find((candidate) => carries(robot, candidate, marker.link));
    return group === undefined ? [] : [{ group, marker }];
  });
  if (arms.length === 0) throw missing(robot, "a marker on an arm");
  for (const { dofs } of [neck, ...arms.map(({ group }) => group)]) {
    if (dofs.some((dof) => model.jointKind[model.dofJoint[dof]!] !== JointKind.revolute)) {
      throw missing(robot, "revolute joints alone in neck and arms");
    }
  }
  const cameras = [robot.cameras[stereo.left]!, robot.cameras[stereo.right]!] as const;
  return { robot, headLink: frames.head, neck, arms, cameras, imu };
}

/** Whether a link hangs on the last joint of a group of arm joints. */
function carries({ model }: Robot, group: JointGroup, link: number): boolean {
  if (group.kind !== "srs-arm" && group.kind !== "arm") return false;
  const last = model.dofJoint[group.dofs.at(-1)!]!;
  for (let i = link; i > 0; i = model.parentLink[i]!) if (i === last) return true;
  return false;
}

function missing(robot: Robot, what: string): FlycatcherError {
  return new FlycatcherError("FLY_SENSOR_MISSING", "the robot cannot be calibrated", {
    expected: what,
    found: robot.name,
  });
}
