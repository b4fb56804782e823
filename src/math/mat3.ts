import type { Vec3 } from "./vec3.js";

/**
 * 3 × 3 matrices, row-major. `out` is trailing and may be an input. The functions touch the first nine numbers only, so
 * a `Pose` may stand in for its rotation without a copy or a view.
 */
export type Mat3 = Float64Array & {
  0: number;
  1: number;
  2: number;
  3: number;
  4: number;
  5: number;
  6: number;
  7: number;
  8: number;
};

/** The identity. */
export function create(): Mat3 {
  return Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1) as Mat3;
}

export function copy(a: Mat3, out: Mat3): Mat3 {
  out[0] = a[0];
  out[1] = a[1];
  out[2] = a[2];
  out[3] = a[3];
  out[4] = a[4];
  out[5] = a[5];
  out[6] = a[6];
  out[7] = a[7];
  out[8] = a[8];
  return out;
}

/** a·b */
export function multiply(a: Mat3, b: Mat3, out: Mat3): Mat3 {
  const b0 = b[0];
  const b1 = b[1];
  const b2 = b[2];
  const b3 = b[3];
  const b4 = b[4];
  const b5 = b[5];
  const b6 = b[6];
  const b7 = b[7];
  const b8 = b[8];
  for (let i = 0; i < 9; i += 3) {
    const x = a[i]!;
    const y = a[i + 1]!;
    const z = a[i + 2]!;
    out[i] = x * b0 + y * b3 + z * b6;
    out[i + 1] = x * b1 + y * b4 + z * b7;
    out[i + 2] = x * b2 + y * b5 + z * b8;
  }
  return out;
}

/** aᵀ·b */
export function multiplyTransposed(a: Mat3, b: Mat3, out: Mat3): Mat3 {
  const a0 = a[0];
  const a1 = a[1];
  const a2 = a[2];
  const a3 = a[3];
  const a4 = a[4];
  const a5 = a[5];
  const a6 = a[6];
  const a7 = a[7];
  const a8 = a[8];
  for (let j = 0; j < 3; j++) {
    const x = b[j]!;
    const y = b[j + 3]!;
    const z = b[j + 6]!;
    out[j] = a0 * x + a3 * y + a6 * z;
    out[j + 3] = a1 * x + a4 * y + a7 * z;
    out[j + 6] = a2 * x + a5 * y + a8 * z;
  }
  return out;
}

export function transpose(a: Mat3, out: Mat3): Mat3 {
  const a1 = a[1];
  const a2 = a[2];
  const a5 = a[5];
  out[0] = a[0];
  out[1] = a[3];
  out[2] = a[6];
  out[3] = a1;
  out[4] = a[4];
  out[5] = a[7];
  out[6] = a2;
  out[7] = a5;
  out[8] = a[8];
  return out;
}

/** m·v */
export function transform(m: Mat3, v: Vec3, out: Vec3): Vec3 {
  const x = v[0];
  const y = v[1];
  const z = v[2];
  out[0] = m[0] * x + m[1] * y + m[2] * z;
  out[1] = m[3] * x + m[4] * y + m[5] * z;
  out[2] = m[6] * x + m[7] * y + m[8] * z;
  return out;
}

/** mᵀ·v */
export function transformTransposed(m: Mat3, v: Vec3, out: Vec3): Vec3 {
  const x = v[0];
  const y = v[1];
  const z = v[2];
  out[0] = m[0] * x + m[3] * y + m[6] * z;
  out[1] = m[1] * x + m[4] * y + m[7] * z;
  out[2] = m[2] * x + m[5] * y + m[8] * z;
  return out;
}

/** Rotation by `angle` [rad] about `axis`, a unit vector. */
export function fromAxisAngle(axis: Vec3, angle: number, out: Mat3): Mat3 {
  const x = axis[0];
  const y = axis[1];
  const z = axis[2];
  const s = Math.sin(angle);
  const c = Math.cos(angle);
  // 1 − cos without cancellation at small angles.
  const half = Math.sin(angle / 2);
  const v = 2 * half * half;
  out[0] = c + v * x * x;
  out[1] = v * x * y - s * z;
  out[2] = v * x * z + s * y;
  out[3] = v * x * y + s * z;
  out[4] = c + v * y * y;
  out[5] = v * y * z - s * x;
  out[6] = v * x * z - s * y;
  out[7] = v * y * z + s * x;
  out[8] = c + v * z * z;
  return out;
}

/** Roll, pitch and yaw [rad] about the fixed axes, as URDF has them: Rz(yaw)·Ry(pitch)·Rx(roll). */
export function fromRpy(roll: number, pitch: number, yaw: number, out: Mat3): Mat3 {
  const sr = Math.sin(roll);
  const cr = Math.cos(roll);
  const sp = Math.sin(pitch);
  const cp = Math.cos(pitch);
  const sy = Math.sin(yaw);
  const cy = Math.cos(yaw);
  out[0] = cy * cp;
  out[1] = cy * sp * sr - sy * cr;
  out[2] = cy * sp * cr + sy * sr;
  out[3] = sy * cp;
  out[4] = sy * sp * sr + cy * cr;
  out[5] = sy * sp * cr - cy * sr;
  out[6] = -sp;
  out[7] = cp * sr;
  out[8] = cp * cr;
  return out;
}

/**
 * Roll, pitch and yaw [rad] of a rotation, the inverse of `fromRpy`. Yaw comes first and roll from what it leaves, so
 * that the three together are exact to rounding even where roll and yaw turn about the same axis (yaw is then free).
 */
export function toRpy(m: Mat3, out: Vec3): Vec3 {
  const yaw = Math.hypot(m[0], m[3]) > 1e-12 ? Math.atan2(m[3], m[0]) : 0;
  const sy = Math.sin(yaw);
  const cy = Math.cos(yaw);
  const roll = Math.atan2(sy * m[2] - cy * m[5], cy * m[4] - sy * m[1]);
  const pitch = Math.atan2(-m[6], cy * m[0] + sy * m[3]);
  out[0] = roll;
  out[1] = pitch;
  out[2] = yaw;
  return out;
}

/** The matrix of v × ·, so that skew(v)·u = v × u. */
export function skew(v: Vec3, out: Mat3): Mat3 {
  out[0] = 0;
  out[1] = -v[2];
  out[2] = v[1];
  out[3] = v[2];
  out[4] = 0;
  out[5] = -v[0];
  out[6] = -v[1];
  out[7] = v[0];
  out[8] = 0;
  return out;
}

/** Inverse by cofactors. Returns the determinant; `out` is left as it was if that is zero or NaN. */
export function invert(m: Mat3, out: Mat3): number {
  const m0 = m[0];
  const m1 = m[1];
  const m2 = m[2];
  const m3 = m[3];
  const m4 = m[4];
  const m5 = m[5];
  const m6 = m[6];
  const m7 = m[7];
  const m8 = m[8];
  const c0 = m4 * m8 - m5 * m7;
  const c1 = m5 * m6 - m3 * m8;
  const c2 = m3 * m7 - m4 * m6;
  const det = m0 * c0 + m1 * c1 + m2 * c2;
  if (!(Math.abs(det) > 0)) return det;
  const s = 1 / det;
  out[0] = c0 * s;
  out[1] = (m2 * m7 - m1 * m8) * s;
  out[2] = (m1 * m5 - m2 * m4) * s;
  out[3] = c1 * s;
  out[4] = (m0 * m8 - m2 * m6) * s;
  out[5] = (m2 * m3 - m0 * m5) * s;
  out[6] = c2 * s;
  out[7] = (m1 * m6 - m0 * m7) * s;
  out[8] = (m0 * m4 - m1 * m3) * s;
  return det;
}
