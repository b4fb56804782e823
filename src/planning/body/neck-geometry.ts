import * as pose from "../../math/pose.js";
import * as vec3 from "../../math/vec3.js";
import { forwardKinematics, relativePose } from "../../robot/kinematics/kinematics.js";
import { type JointGroup, JointKind, type RobotModel } from "../../robot/model.js";
import type { Robot } from "../../robot/robot.js";
import { RobotState } from "../../robot/state.js";
import { FlycatcherError } from "../../runtime/errors.js";

/** A neck with both joints at zero, in the frame of the link that it stands on. */
interface NeckGeometry {
  readonly group: JointGroup;
  /** Unit axes of the two joints, and a point on each. */
  readonly axes: readonly [vec3.Vec3, vec3.Vec3];
  readonly origins: readonly [vec3.Vec3, vec3.Vec3];
  /** Middle between the cameras, and their mean optical axis: a unit vector. */
  readonly eye: vec3.Vec3;
  readonly direction: vec3.Vec3;
}

/** Least share of the optical axis across the second joint's axis; with less, that joint cannot point it. */
const LEAST_ACROSS = 0.1;

/** Whether the robot has a neck that `neckGeometry` accepts the kind of. */
export function hasNeck(robot: Robot): boolean {
  return robot.model.groups.some(({ kind }) => kind === "neck") && robot.cameras.length > 0;
}

export function neckGeometry(robot: Robot): NeckGeometry {
  const { model } = robot;
  const group = model.groups.find(({ kind }) => kind === "neck");
  if (group === undefined) throw unsupported(robot, "a group of kind neck", "none");
  const joints = movingJoints(model, group);
  const isPair = joints.length === 2 && joints.every((joint, i) => isPlainRevolute(model, joint, group.dofs[i]!));
  if (!isPair) throw unsupported(robot, "two revolute joints, neither coupled", `${joints.length} joints`);
  const state = new RobotState(model);
  forwardKinematics(state);
  const [first, second] = joints.map((joint) => axisOf(state, group.baseLink, joint)) as [Axis, Axis];
  const { eye, direction } = opticalAxis(robot, state, group.baseLink);
  const across = vec3.norm(vec3.cross(second.axis, direction, vec3.create()));
  if (!(across >= LEAST_ACROSS))
    throw unsupported(robot, "an optical axis across that of the second joint", "along it");
  return { group, axes: [first.axis, second.axis], origins: [first.origin, second.origin], eye, direction };
}

function movingJoints(model: RobotModel, { baseLink, tipLink }: JointGroup): number[] {
  const joints: number[] = [];
  for (let link = tipLink; link > baseLink; link = model.parentLink[link]!) {
    if (model.jointKind[link] !== JointKind.fixed) joints.unshift(link);
  }
  return joints;
}

function isPlainRevolute(model: RobotModel, joint: number, dof: number | undefined): boolean {
  const first = model.termStart[joint]!;
  const isPlain = model.termStart[joint + 1] === first + 1 && model.termFactor[first] === 1;
  return isPlain && model.termDof[first] === dof && model.jointKind[joint] === JointKind.revolute;
}

interface Axis {
  readonly axis: vec3.Vec3;
  readonly origin: vec3.Vec3;
}

function axisOf(state: RobotState, baseLink: number, joint: number): Axis {
  const worldFromBase = state.worldFromLink[baseLink]!;
  const axis = vec3.copy(vec3.view(state.worldAxis, 3 * joint), vec3.create());
  return {
    axis: pose.rotateVectorInverse(worldFromBase, axis, axis),
    origin: pose.getTranslation(relativePose(state, baseLink, joint, pose.create()), vec3.create()),
  };
}

/** Of the stereo pair, or of the first camera where there is none. Optical frames have z forward. */
function opticalAxis(robot: Robot, state: RobotState, baseLink: number): { eye: vec3.Vec3; direction: vec3.Vec3 } {
  const { cameras, stereo } = robot;
  const used = stereo === undefined ? cameras.slice(0, 1) : [cameras[stereo.left]!, cameras[stereo.right]!];
  if (used.length === 0) throw unsupported(robot, "a camera", "none");
  const eye = vec3.create();
  const direction = vec3.create();
  for (const { link } of used) {
    const baseFromCamera: pose.Pose = relativePose(state, baseLink, link, pose.create());
    vec3.addScaled(eye, pose.getTranslation(baseFromCamera, vec3.create()), 1 / used.length, eye);
    vec3.add(direction, vec3.create(baseFromCamera[2], baseFromCamera[5], baseFromCamera[8]), direction);
  }
  return { eye, direction: vec3.normalize(direction, direction) };
}

function unsupported(robot: Robot, expected: string, found: string): FlycatcherError {
  return new FlycatcherError("FLY_NECK_UNSUPPORTED", `${robot.name} cannot point its cameras`, { expected, found });
}
