import * as pose from "../../src/math/pose.js";
import * as vec3 from "../../src/math/vec3.js";
import { jacobian } from "../../src/robot/kinematics/jacobian.js";
import { relativePose } from "../../src/robot/kinematics/kinematics.js";
import type { RobotState } from "../../src/robot/state.js";

type Vec3 = vec3.Vec3;

/**
 * Velocity of a point fixed to a link, given in the link's frame [m]: linear [m/s], then angular [rad/s], in world axes.
 * Needs `forwardVelocities`.
 */
export function pointVelocity(state: RobotState, link: number, pointInLink: Vec3, out: Float64Array): Float64Array {
  const T = state.linkPoses;
  const v = state.linkVelocity;
  const t = 12 * link;
  const k = 6 * link;
  const x = pointInLink[0];
  const y = pointInLink[1];
  const z = pointInLink[2];
  const rx = T[t]! * x + T[t + 1]! * y + T[t + 2]! * z;
  const ry = T[t + 3]! * x + T[t + 4]! * y + T[t + 5]! * z;
  const rz = T[t + 6]! * x + T[t + 7]! * y + T[t + 8]! * z;
  out[0] = v[k]! + v[k + 4]! * rz - v[k + 5]! * ry;
  out[1] = v[k + 1]! + v[k + 5]! * rx - v[k + 3]! * rz;
  out[2] = v[k + 2]! + v[k + 3]! * ry - v[k + 4]! * rx;
  out[3] = v[k + 3]!;
  out[4] = v[k + 4]!;
  out[5] = v[k + 5]!;
  return out;
}

/**
 * Jacobian of the motion of a point of `link` relative to `base`, in base's axes: the derivative of
 * `relativePose(state, base, link)` at the point. Same layout as `jacobian`.
 */
export function relativeJacobian(
  state: RobotState,
  base: number,
  link: number,
  pointInLink: Vec3,
  out: Float64Array,
): Float64Array {
  const baseFromLink = relativePose(state, base, link, pose.create());
  const pointInBase = pose.transformPoint(baseFromLink, pointInLink, vec3.create());
  const carried = jacobian(state, base, pointInBase, base, new Float64Array(out.length));
  jacobian(state, link, pointInLink, base, out);
  for (let i = 0; i < out.length; i++) out[i]! -= carried[i]!;
  return out;
}
