import { se3Log } from "../../../src/math/lie.js";
import * as mat3 from "../../../src/math/mat3.js";
import type { Pose } from "../../../src/math/pose.js";
import * as pose from "../../../src/math/pose.js";
import type { Vec3 } from "../../../src/math/vec3.js";
import * as vec3 from "../../../src/math/vec3.js";
import { JointKind, type RobotModel } from "../../../src/robot/robot.js";

/** Slow, plain forward kinematics: worldFromLink of one link by recursion over 4 × 4-like products. */
export function referencePose(model: RobotModel, q: ArrayLike<number>, link: number): Pose {
  if (link === 0) return pose.create();
  const parent = referencePose(model, q, model.parentLink[link]!);
  const placed = pose.compose(parent, model.parentFromJoint[link]!, pose.create());
  const axis = vec3.create(
    ...(model.jointAxis.subarray(3 * link, 3 * link + 3) as unknown as [number, number, number]),
  );
  let position = model.jointOffset[link]!;
  for (let k = model.termStart[link]!; k < model.termStart[link + 1]!; k++) {
    position += model.termFactor[k]! * q[model.termDof[k]!]!;
  }
  const motion = pose.create();
  if (model.jointKind[link] === JointKind.revolute) {
    const R = mat3.fromAxisAngle(axis, position, mat3.create());
    pose.fromMat3Translation(R, vec3.create(), motion);
  } else if (model.jointKind[link] === JointKind.prismatic) {
    pose.setTranslation(motion, vec3.scale(axis, position, vec3.create()), motion);
  }
  return pose.compose(placed, motion, pose.create());
}

/** Twist of a point between two poses a step apart: linear velocity of the point, then angular, in target axes. */
export function differenceTwist(before: Pose, after: Pose, pointInSource: Vec3, step: number): Float64Array {
  const a = pose.transformPoint(before, pointInSource, vec3.create());
  const b = pose.transformPoint(after, pointInSource, vec3.create());
  // after·before⁻¹ turns target axes; its rotation vector over the step is ω.
  const turn = pose.compose(after, pose.invert(before, pose.create()), pose.create());
  const log = se3Log(turn, new Float64Array(6));
  return Float64Array.of(
    (b[0] - a[0]) / step,
    (b[1] - a[1]) / step,
    (b[2] - a[2]) / step,
    log[3]! / step,
    log[4]! / step,
    log[5]! / step,
  );
}

/** Greatest |a − b|; NaN if there is one. */
export function maxDifference(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let max = 0;
  for (let i = 0; i < a.length; i++) max = Math.max(max, Math.abs(a[i]! - b[i]!));
  return max;
}
