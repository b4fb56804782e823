import * as pose from "../../math/pose.js";
import * as vec3 from "../../math/vec3.js";
import { type MotionLimits, pickLimits } from "../../motion/motion-limiter.js";
import { SrsArm } from "../../robot/inverse-kinematics/srs-inverse-kinematics.js";
import { KinematicChain } from "../../robot/kinematics/chain.js";
import type { JointGroup, Robot, RobotHand } from "../../robot/robot.js";
import { FlycatcherError } from "../../runtime/errors.js";
import { didYouMean } from "../../runtime/nearest-name.js";
import { type ArmClearance, HullClearance } from "./hull-clearance.js";
import { reachOf } from "./reachable-times.js";

/** An arm that catches: what of a robot the planner needs, built once and shared by all tasks of one thread. */
export interface CatchArm extends MotionLimits {
  readonly robot: Robot;
  readonly group: JointGroup;
  readonly hand: RobotHand;
  /** From the arm's base link to its catch frame. */
  readonly chain: KinematicChain;
  /** Analytic inverse kinematics, if the arm is spherical–revolute–spherical. */
  readonly srs: SrsArm | null;
  /** Sphere in the base's frame that the catch frame never leaves [m]. */
  readonly reachCentre: vec3.Vec3;
  readonly reach: number;
  /** Distance of the arm's bodies to the robot's others; null where that is not asked for. */
  readonly clearance: ArmClearance | null;
}

/** The groups of a robot that can catch: those with a hand whose catch frame is their tip. */
export function catchGroups(robot: Robot): readonly JointGroup[] {
  return robot.model.groups.filter((group) => handOf(robot, group) !== undefined);
}

/**
 * The arm of a group. `posture` (a position for every dof of the robot) says where all else stands while it moves; without
 * it, or without collision bodies, the arm's clearance is not looked at.
 */
export function buildCatchArm(robot: Robot, groupName: string, posture?: Float64Array): CatchArm {
  const { model } = robot;
  const group = catchGroups(robot).find(({ name }) => name === groupName);
  const hand = group === undefined ? undefined : handOf(robot, group);
  if (group === undefined || hand === undefined) throw unknownGroup(robot, groupName);
  const chain = new KinematicChain(model, group.baseLink, group.tipLink, group.dofs);
  const analytic = SrsArm.fromChain(chain);
  const limits = pickLimits(model, group.dofs);
  const arm: CatchArm = {
    robot,
    ...reachSphere(chain, analytic.ok ? analytic.arm.shoulder : null),
    group,
    hand,
    chain,
    srs: analytic.ok ? analytic.arm : null,
    ...limits,
    clearance: posture === undefined || robot.hulls.length === 0 ? null : new HullClearance(robot, chain, posture),
  };
  refuseUnlimited(arm);
  return arm;
}

function reachSphere(chain: KinematicChain, shoulder: vec3.Vec3 | null): { reachCentre: vec3.Vec3; reach: number } {
  chain.update(new Float64Array(chain.dofCount));
  const centre = shoulder ?? vec3.copy(vec3.view(chain.jointOrigin, 0), vec3.create());
  const beyond = shoulder === null ? chain.jointOrigin : chain.jointOrigin.subarray(SHOULDER_JOINTS * 3);
  const tip = pose.getTranslation(chain.baseFromTip, vec3.create());
  return { reachCentre: centre, reach: reachOf(centre, beyond, tip) };
}

/** The first three joints of a spherical shoulder turn about one point: what lies between their origins is no reach. */
const SHOULDER_JOINTS = 3;

function handOf(robot: Robot, group: JointGroup): RobotHand | undefined {
  return robot.hands.find(({ name, catchLink }) => name === group.hand && catchLink === group.tipLink);
}

/** That a robot has no catching arm of a name. */
export function unknownGroup(robot: Robot, found: string): FlycatcherError {
  const known = catchGroups(robot).map(({ name }) => name);
  return new FlycatcherError("FLY_PLAN_GROUP_UNKNOWN", `${robot.name} has no such catching arm`, {
    path: "/group",
    expected: known.length > 0 ? `any, ${known.join(", ")}` : "a robot with a hand on an arm",
    found: JSON.stringify(found),
    suggestion: didYouMean(found, known),
  });
}

/** A joint without a limit of speed or acceleration would be planned to move at once. */
function refuseUnlimited({ robot, group, maxVelocity, maxAcceleration }: CatchArm): void {
  for (let i = 0; i < group.dofs.length; i++) {
    if (Number.isFinite(maxVelocity[i]!) && Number.isFinite(maxAcceleration[i]!)) continue;
    throw new FlycatcherError("FLY_PLAN_LIMITS_MISSING", `${robot.name} cannot plan with this joint`, {
      path: robot.model.dofNames[group.dofs[i]!]!,
      expected: "limits of speed and acceleration",
      found: "none",
    });
  }
}
