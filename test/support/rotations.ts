import * as mat3 from "../../src/math/mat3.js";
import * as pose from "../../src/math/pose.js";
import * as quat from "../../src/math/quat.js";
import type { Vec3 } from "../../src/math/vec3.js";

/** Rotations by quaternions: an independent reference of those by matrices. */

/** Rotation by `angle` [rad] about `axis`, a unit vector. */
export function fromAxisAngle(axis: Vec3, angle: number): quat.Quat {
  const s = Math.sin(angle / 2);
  return Float64Array.of(axis[0] * s, axis[1] * s, axis[2] * s, Math.cos(angle / 2)) as quat.Quat;
}

/** The rotation by |w| [rad] about w. */
export function fromRotationVector(w: Vec3): quat.Quat {
  const angle = Math.sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);
  const s = angle === 0 ? 0.5 : Math.sin(angle / 2) / angle;
  return Float64Array.of(w[0] * s, w[1] * s, w[2] * s, Math.cos(angle / 2)) as quat.Quat;
}

/** The vector v turned by the unit quaternion q. */
export function rotate(q: quat.Quat, v: Vec3, out: Vec3): Vec3 {
  const [x, y, z, w] = [q[0], q[1], q[2], q[3]];
  // v + 2w·(u × v) + 2u × (u × v), with u = (x, y, z)
  const tx = 2 * (y * v[2] - z * v[1]);
  const ty = 2 * (z * v[0] - x * v[2]);
  const tz = 2 * (x * v[1] - y * v[0]);
  out.set([v[0] + w * tx + y * tz - z * ty, v[1] + w * ty + z * tx - x * tz, v[2] + w * tz + x * ty - y * tx]);
  return out;
}

/** Angle [rad], 0 to π, of the rotation that takes a to b; accurate to the last digits for small angles too. */
export function angleBetween(a: quat.Quat, b: quat.Quat): number {
  const sign = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] < 0 ? -1 : 1;
  const difference = Math.hypot(...a.map((x, i) => x - sign * b[i]!));
  const sum = Math.hypot(...a.map((x, i) => x + sign * b[i]!));
  return 4 * Math.atan2(difference, sum);
}

export function fromQuatTranslation(q: quat.Quat, t: Vec3, out: pose.Pose): pose.Pose {
  return pose.fromMat3Translation(quat.toMat3(q, mat3.create()), t, out);
}
