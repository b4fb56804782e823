import type { MotionPart } from "../../control/robot-motion.js";
import { buildCatchArm, type CatchArm, catchGroups } from "../../planning/problem/catch-arm.js";
import { dofsBetween } from "../../robot/kinematics/kinematics.js";
import type { Robot } from "../../robot/robot.js";
import { BODY } from "../body-helper.js";
import { waitingPosture } from "../waiting-posture.js";

/** The arms that catch, and how the robot's motions are divided among parts: the arms, and what carries them. */
export interface LiveParts {
  readonly waiting: Float64Array;
  readonly arms: readonly CatchArm[];
  readonly parts: readonly MotionPart[];
}

/** For the arms of the groups `names`; default: all that can catch. */
export function livePartsOf(robot: Robot, names?: readonly string[]): LiveParts {
  const waiting = waitingPosture(robot);
  const arms = (names ?? catchGroups(robot).map(({ name }) => name)).map((name) => buildCatchArm(robot, name, waiting));
  const { model, frames } = robot;
  const parts: MotionPart[] = arms.map(({ group }) => ({ name: group.name, dofs: group.dofs }));
  const carriers = new Set(arms.flatMap(({ group }) => dofsBetween(model, frames.world, group.baseLink)));
  const body = Array.from(carriers).sort((a, b) => a - b);
  if (body.length > 0) parts.push({ name: BODY, dofs: body });
  return { waiting, arms, parts };
}
