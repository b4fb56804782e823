import * as mat3 from "./mat3.js";
import * as quat from "./quat.js";
import type { Vec3 } from "./vec3.js";

/**
 * Rigid transforms as twelve numbers: a row-major rotation matrix (0–8), then the translation (9–11).
 * A pose is named target-from-source (`chestFromHand` takes hand coordinates to chest coordinates).
 */
export type Pose = Float64Array & {
  readonly length: 12;
  0: number;
  1: number;
  2: number;
  3: number;
  4: number;
  5: number;
  6: number;
  7: number;
  8: number;
  9: number;
  10: number;
  11: number;
};

/** The identity. */
export function create(): Pose {
  return Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0) as Pose;
}

/** The twelve numbers of `buffer` from `offset` on, shared and not copied. Makes an object: not for hot paths. */
export function view(buffer: Float64Array, offset: number): Pose {
  return buffer.subarray(offset, offset + 12) as Pose;
}

export function identity(out: Pose): Pose {
  out.fill(0);
  out[0] = 1;
  out[4] = 1;
  out[8] = 1;
  return out;
}

export function copy(a: Pose, out: Pose): Pose {
  for (let i = 0; i < 12; i++) out[i] = a[i]!;
  return out;
}

/**
 * a·b, first b and then a.
 * @example compose(worldFromChest, chestFromHand, worldFromHand)
 */
export function compose(a: Pose, b: Pose, out: Pose): Pose {
  const b0 = b[0];
  const b1 = b[1];
  const b2 = b[2];
  const b3 = b[3];
  const b4 = b[4];
  const b5 = b[5];
  const b6 = b[6];
  const b7 = b[7];
  const b8 = b[8];
  const b9 = b[9];
  const b10 = b[10];
  const b11 = b[11];
  for (let i = 0, t = 9; t < 12; i += 3, t++) {
    const x = a[i]!;
    const y = a[i + 1]!;
    const z = a[i + 2]!;
    out[t] = x * b9 + y * b10 + z * b11 + a[t]!;
    out[i] = x * b0 + y * b3 + z * b6;
    out[i + 1] = x * b1 + y * b4 + z * b7;
    out[i + 2] = x * b2 + y * b5 + z * b8;
  }
  return out;
}

/** a⁻¹: source-from-target. */
export function invert(a: Pose, out: Pose): Pose {
  const x = a[9];
  const y = a[10];
  const z = a[11];
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
  out[9] = -(out[0] * x + out[1] * y + out[2] * z);
  out[10] = -(out[3] * x + out[4] * y + out[5] * z);
  out[11] = -(out[6] * x + out[7] * y + out[8] * z);
  return out;
}

/**
 * a⁻¹·b
 * @example composeInverse(worldFromChest, worldFromHand, chestFromHand)
 */
export function composeInverse(a: Pose, b: Pose, out: Pose): Pose {
  const a0 = a[0];
  const a1 = a[1];
  const a2 = a[2];
  const a3 = a[3];
  const a4 = a[4];
  const a5 = a[5];
  const a6 = a[6];
  const a7 = a[7];
  const a8 = a[8];
  const tx = b[9] - a[9];
  const ty = b[10] - a[10];
  const tz = b[11] - a[11];
  for (let j = 0; j < 3; j++) {
    const x = b[j]!;
    const y = b[j + 3]!;
    const z = b[j + 6]!;
    out[j] = a0 * x + a3 * y + a6 * z;
    out[j + 3] = a1 * x + a4 * y + a7 * z;
    out[j + 6] = a2 * x + a5 * y + a8 * z;
  }
  out[9] = a0 * tx + a3 * ty + a6 * tz;
  out[10] = a1 * tx + a4 * ty + a7 * tz;
  out[11] = a2 * tx + a5 * ty + a8 * tz;
  return out;
}

/** R·v + t */
export function transformPoint(p: Pose, v: Vec3, out: Vec3): Vec3 {
  const x = v[0];
  const y = v[1];
  const z = v[2];
  out[0] = p[0] * x + p[1] * y + p[2] * z + p[9];
  out[1] = p[3] * x + p[4] * y + p[5] * z + p[10];
  out[2] = p[6] * x + p[7] * y + p[8] * z + p[11];
  return out;
}

/** Rᵀ·(v − t): the point v of the target frame in the source frame. */
export function transformPointInverse(p: Pose, v: Vec3, out: Vec3): Vec3 {
  const x = v[0] - p[9];
  const y = v[1] - p[10];
  const z = v[2] - p[11];
  out[0] = p[0] * x + p[3] * y + p[6] * z;
  out[1] = p[1] * x + p[4] * y + p[7] * z;
  out[2] = p[2] * x + p[5] * y + p[8] * z;
  return out;
}

/** R·v, for directions and velocities. */
export function rotateVector(p: Pose, v: Vec3, out: Vec3): Vec3 {
  const x = v[0];
  const y = v[1];
  const z = v[2];
  out[0] = p[0] * x + p[1] * y + p[2] * z;
  out[1] = p[3] * x + p[4] * y + p[5] * z;
  out[2] = p[6] * x + p[7] * y + p[8] * z;
  return out;
}

/** Rᵀ·v */
export function rotateVectorInverse(p: Pose, v: Vec3, out: Vec3): Vec3 {
  const x = v[0];
  const y = v[1];
  const z = v[2];
  out[0] = p[0] * x + p[3] * y + p[6] * z;
  out[1] = p[1] * x + p[4] * y + p[7] * z;
  out[2] = p[2] * x + p[5] * y + p[8] * z;
  return out;
}

/*
 * A pose begins with the nine numbers of its rotation, in the order of a Mat3, and the functions of `mat3` and `quat`
 * used below touch only those: a pose may stand in for its rotation without a copy or a view.
 */
function rotationOf(p: Pose): mat3.Mat3 {
  return p as Float64Array as mat3.Mat3;
}

export function fromQuatTranslation(q: quat.Quat, t: Vec3, out: Pose): Pose {
  mat3.fromQuat(q, rotationOf(out));
  return setTranslation(out, t, out);
}

export function fromMat3Translation(m: mat3.Mat3, t: Vec3, out: Pose): Pose {
  mat3.copy(m, rotationOf(out));
  return setTranslation(out, t, out);
}

/** Roll, pitch, yaw [rad] as URDF has them (see `mat3.fromRpy`) and translation (x, y, z) [m]. */
export function fromRpyTranslation(
  roll: number,
  pitch: number,
  yaw: number,
  x: number,
  y: number,
  z: number,
  out: Pose,
): Pose {
  mat3.fromRpy(roll, pitch, yaw, rotationOf(out));
  out[9] = x;
  out[10] = y;
  out[11] = z;
  return out;
}

export function toQuat(p: Pose, outQuat: quat.Quat): quat.Quat {
  return quat.fromMat3(rotationOf(p), outQuat);
}

export function getRotation(p: Pose, out: mat3.Mat3): mat3.Mat3 {
  return mat3.copy(rotationOf(p), out);
}

export function getTranslation(p: Pose, out: Vec3): Vec3 {
  out[0] = p[9];
  out[1] = p[10];
  out[2] = p[11];
  return out;
}

/** The rotation of p with the translation t. */
export function setTranslation(p: Pose, t: Vec3, out: Pose): Pose {
  if (out !== p) copy(p, out);
  out[9] = t[0];
  out[10] = t[1];
  out[11] = t[2];
  return out;
}
