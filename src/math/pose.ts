import * as mat3 from "./mat3.js";
import type { Vec3 } from "./vec3.js";

/**
 * Rigid transforms as twelve numbers: a row-major rotation matrix (0–8), then the translation (9–11).
 * A pose is named target-from-source (`chestFromHand` takes hand coordinates to chest coordinates).
 */
export type Pose = mat3.Mat3 & { readonly length: 12; 9: number; 10: number; 11: number };

/** R·v and Rᵀ·v, for directions and velocities. */
export { transform as rotateVector, transformTransposed as rotateVectorInverse } from "./mat3.js";

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
  const x = b[9];
  const y = b[10];
  const z = b[11];
  out[9] = a[0] * x + a[1] * y + a[2] * z + a[9];
  out[10] = a[3] * x + a[4] * y + a[5] * z + a[10];
  out[11] = a[6] * x + a[7] * y + a[8] * z + a[11];
  mat3.multiply(a, b, out);
  return out;
}

/** a⁻¹: source-from-target. */
export function invert(a: Pose, out: Pose): Pose {
  const x = a[9];
  const y = a[10];
  const z = a[11];
  mat3.transpose(a, out);
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
  const x = b[9] - a[9];
  const y = b[10] - a[10];
  const z = b[11] - a[11];
  out[9] = a[0] * x + a[3] * y + a[6] * z;
  out[10] = a[1] * x + a[4] * y + a[7] * z;
  out[11] = a[2] * x + a[5] * y + a[8] * z;
  mat3.multiplyTransposed(a, b, out);
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

export function fromMat3Translation(m: mat3.Mat3, t: Vec3, out: Pose): Pose {
  mat3.copy(m, out);
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
  mat3.fromRpy(roll, pitch, yaw, out);
  out[9] = x;
  out[10] = y;
  out[11] = z;
  return out;
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
