import type { Mat3 } from "./mat3.js";
import type { Vec3 } from "./vec3.js";

/** Unit quaternions, order (x, y, z, w). `out` is trailing and may be an input. */
export type Quat = Float64Array & { readonly length: 4; 0: number; 1: number; 2: number; 3: number };

/** The identity. */
export function create(): Quat {
  return Float64Array.of(0, 0, 0, 1) as Quat;
}

/** The four numbers of `buffer` from `offset` on, shared and not copied. Makes an object: not for hot paths. */
export function view(buffer: Float64Array, offset: number): Quat {
  return buffer.subarray(offset, offset + 4) as Quat;
}

export function identity(out: Quat): Quat {
  out[0] = 0;
  out[1] = 0;
  out[2] = 0;
  out[3] = 1;
  return out;
}

export function copy(a: Quat, out: Quat): Quat {
  out[0] = a[0];
  out[1] = a[1];
  out[2] = a[2];
  out[3] = a[3];
  return out;
}

/** a·b: rotate by b, then by a. */
export function multiply(a: Quat, b: Quat, out: Quat): Quat {
  const ax = a[0];
  const ay = a[1];
  const az = a[2];
  const aw = a[3];
  const bx = b[0];
  const by = b[1];
  const bz = b[2];
  const bw = b[3];
  out[0] = aw * bx + ax * bw + ay * bz - az * by;
  out[1] = aw * by - ax * bz + ay * bw + az * bx;
  out[2] = aw * bz + ax * by - ay * bx + az * bw;
  out[3] = aw * bw - ax * bx - ay * by - az * bz;
  return out;
}

/** The inverse rotation. */
export function conjugate(a: Quat, out: Quat): Quat {
  out[0] = -a[0];
  out[1] = -a[1];
  out[2] = -a[2];
  out[3] = a[3];
  return out;
}

/** a / |a|; zero becomes the identity. */
export function normalize(a: Quat, out: Quat): Quat {
  const length = Math.sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2] + a[3] * a[3]);
  if (length === 0) return identity(out);
  const s = 1 / length;
  out[0] = a[0] * s;
  out[1] = a[1] * s;
  out[2] = a[2] * s;
  out[3] = a[3] * s;
  return out;
}

/** The vector v turned by the unit quaternion q. */
export function rotate(q: Quat, v: Vec3, out: Vec3): Vec3 {
  const x = q[0];
  const y = q[1];
  const z = q[2];
  const w = q[3];
  // v + 2w·(u × v) + 2u × (u × v), with u = (x, y, z)
  const tx = 2 * (y * v[2] - z * v[1]);
  const ty = 2 * (z * v[0] - x * v[2]);
  const tz = 2 * (x * v[1] - y * v[0]);
  out[0] = v[0] + w * tx + y * tz - z * ty;
  out[1] = v[1] + w * ty + z * tx - x * tz;
  out[2] = v[2] + w * tz + x * ty - y * tx;
  return out;
}

/** Rotation by `angle` [rad] about `axis`, a unit vector. */
export function fromAxisAngle(axis: Vec3, angle: number, out: Quat): Quat {
  const s = Math.sin(angle / 2);
  out[0] = axis[0] * s;
  out[1] = axis[1] * s;
  out[2] = axis[2] * s;
  out[3] = Math.cos(angle / 2);
  return out;
}

/**
 * Quaternion of a rotation matrix, w ≥ 0. Divides by the largest of the four components (Shepperd, "Quaternion from
 * rotation matrix", 1978), so it is accurate at every angle.
 */
export function fromMat3(m: Mat3, out: Quat): Quat {
  const trace = m[0] + m[4] + m[8];
  if (trace >= m[0] && trace >= m[4] && trace >= m[8]) {
    out[0] = m[7] - m[5];
    out[1] = m[2] - m[6];
    out[2] = m[3] - m[1];
    out[3] = 1 + trace;
  } else if (m[0] >= m[4] && m[0] >= m[8]) {
    out[0] = 1 + m[0] - m[4] - m[8];
    out[1] = m[1] + m[3];
    out[2] = m[2] + m[6];
    out[3] = m[7] - m[5];
  } else if (m[4] >= m[8]) {
    out[0] = m[1] + m[3];
    out[1] = 1 + m[4] - m[0] - m[8];
    out[2] = m[5] + m[7];
    out[3] = m[2] - m[6];
  } else {
    out[0] = m[2] + m[6];
    out[1] = m[5] + m[7];
    out[2] = 1 + m[8] - m[0] - m[4];
    out[3] = m[3] - m[1];
  }
  if (out[3] < 0) for (let i = 0; i < 4; i++) out[i] = -out[i]!;
  return normalize(out, out);
}

/** Left by `compare`: the sign that brings b to a's side, then |a − sign·b|² and |a + sign·b|². */
const comparison = new Float64Array(3);

function compare(a: Quat, b: Quat): void {
  const sign = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] < 0 ? -1 : 1;
  let difference = 0;
  let sum = 0;
  for (let i = 0; i < 4; i++) {
    const d = a[i]! - sign * b[i]!;
    const s = a[i]! + sign * b[i]!;
    difference += d * d;
    sum += s * s;
  }
  comparison[0] = sign;
  comparison[1] = difference;
  comparison[2] = sum;
}

/** Angle [rad], 0 to π, of the rotation that takes a to b; accurate to the last digits for small angles too. */
export function angleBetween(a: Quat, b: Quat): number {
  compare(a, b);
  return 4 * Math.atan2(Math.sqrt(comparison[1]!), Math.sqrt(comparison[2]!));
}

/** exp: the rotation by |w| [rad] about w. */
export function fromRotationVector(w: Vec3, out: Quat): Quat {
  const angle = Math.sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);
  const s = angle === 0 ? 0.5 : Math.sin(angle / 2) / angle;
  out[0] = w[0] * s;
  out[1] = w[1] * s;
  out[2] = w[2] * s;
  out[3] = Math.cos(angle / 2);
  return out;
}

/** log: axis times angle [rad], the angle from 0 to π. q and −q give the same vector. */
export function toRotationVector(q: Quat, out: Vec3): Vec3 {
  const sign = q[3] < 0 ? -1 : 1;
  const w = sign * q[3];
  const sine = Math.sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2]);
  // atan2 keeps full precision from zero to a half turn; its limit at zero is 2/w.
  const s = sign * (sine === 0 ? 2 / w : (2 * Math.atan2(sine, w)) / sine);
  out[0] = q[0] * s;
  out[1] = q[1] * s;
  out[2] = q[2] * s;
  return out;
}
