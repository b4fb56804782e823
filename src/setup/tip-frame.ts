import * as pose from "../math/pose.js";
import * as vec3 from "../math/vec3.js";
import { relativePose, stateAt } from "../robot/kinematics/kinematics.js";
import type { Robot } from "../robot/robot.js";
import type { FoundArm } from "./find-arms.js";

/** Where a catcher is mounted: a link at the arm's end, and the direction out of it. */
export interface TipFrame {
  readonly link: number;
  /** Unit vector in the link's frame: out of the flange. */
  readonly out: vec3.Vec3;
  /** Whether the link is a catch frame already, z out of the opening. */
  readonly isCatchFrame: boolean;
}

/** Names of frames at the end of an arm, the surest first. ROS-Industrial's `tool0` has its z axis out of the flange. */
const tipNames = [/^(.*_)?tool0$/, /tcp|tool/i, /flange/i, /end_?effector|\bee|_ee|eef/i, /grasp|hand/i];
const catchName = /^catch/i;
/** Cosine from which on two axes are parallel. */
const PARALLEL = 0.99;

/** The link to mount something on, and its way out: along z of a tool frame, else along the last joint's axis. */
export function tipFrameOf(robot: Robot, arm: FoundArm, given: number | null = null): TipFrame {
  const { model, rigidBody } = robot;
  const rigid = model.linkNames.flatMap((_, link) => (rigidBody[link] === rigidBody[arm.lastLink] ? [link] : []));
  const catchLink = rigid.find((link) => catchName.test(model.linkNames[link]!));
  if (given === null && catchLink !== undefined)
    return { link: catchLink, out: vec3.create(0, 0, 1), isCatchFrame: true };
  const named = tipNames.flatMap((name) => rigid.filter((link) => name.test(model.linkNames[link]!)));
  const link = given ?? named[0] ?? rigid.at(-1)!;
  if (given !== null && given === catchLink) return { link, out: vec3.create(0, 0, 1), isCatchFrame: true };
  return { link, out: outOf(robot, arm, link), isCatchFrame: false };
}

function outOf(robot: Robot, arm: FoundArm, link: number): vec3.Vec3 {
  const { model } = robot;
  const state = stateAt(model);
  const last = arm.dofs.at(-1)!;
  const before = arm.dofs.at(-2) ?? last;
  const linkFromLast = relativePose(state, link, model.dofJoint[last]!, pose.create());
  const axis = vec3.create(
    ...(model.jointAxis.subarray(3 * model.dofJoint[last]!).slice(0, 3) as unknown as [number, number, number]),
  );
  pose.rotateVector(linkFromLast, axis, axis);
  const linkFromBefore = relativePose(state, link, model.dofJoint[before]!, pose.create());
  const reach = vec3.scale(pose.getTranslation(linkFromBefore, vec3.create()), -1, vec3.create());
  // The link's own z, where it is along the last axis: that is what a tool frame says.
  if (Math.abs(axis[2]) > PARALLEL && tipNames.slice(0, 3).some((name) => name.test(model.linkNames[link]!))) {
    return vec3.create(0, 0, 1);
  }
  const along = vec3.dot(axis, reach);
  const length = vec3.norm(reach);
  if (length > 1e-6 && Math.abs(along) < 0.3 * length) return vec3.scale(reach, 1 / length, reach);
  return vec3.scale(axis, along < 0 ? -1 : 1, axis);
}
