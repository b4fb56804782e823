import type { MotionPart } from "../control/robot-motion.js";
import type { CatchArm } from "../planning/problem/catch-arm.js";
import { dofsBetween } from "../robot/kinematics/kinematics.js";
import type { Robot } from "../robot/robot.js";
import { BODY } from "./body-helper.js";

/** What of a robot gets motions of its own: the arms that catch, and what carries them. */
export function movingParts({ model, frames }: Robot, arms: readonly CatchArm[]): MotionPart[] {
  const parts: MotionPart[] = arms.map(({ group }) => ({ name: group.name, dofs: group.dofs }));
  const carriers = new Set(arms.flatMap(({ group }) => dofsBetween(model, frames.world, group.baseLink)));
  const body = Array.from(carriers).sort((a, b) => a - b);
  return body.length === 0 ? parts : [...parts, { name: BODY, dofs: body }];
}
