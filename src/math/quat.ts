import type { Mat3 } from "./mat3.js";
import type { Vec3 } from "./vec3.js";

/** Unit quaternions, order (x, y, z, w). `out` is trailing and may be an input. */
export type Quat = Float64Array & { readonly length: 4; 0: number; 1: number; 2: number; 3: number };

/** The identity. */
export function create(): Quat {
  return Float64Array.of(0, 0, 0, 1) as Quat;
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
  const scale =
    (out[3] < 0 ? -1 : 1) / Math.sqrt(out[0] * out[0] + out[1] * out[1] + out[2] * out[2] + out[3] * out[3]);
  for (let i = 0; i < 4; i++) out[i] = out[i]! * scale;
  return out;
}

/** Rotation matrix of a unit quaternion. */
export function toMat3(q: Quat, out: Mat3): Mat3 {
  const x = q[0];
  const y = q[1];
  const z = q[2];
  const w = q[3];
  out[0] = 1 - 2 * (y * y + z * z);
  out[1] = 2 * (x * y - w * z);
  out[2] = 2 * (x * z + w * y);
  out[3] = 2 * (x * y + w * z);
  out[4] = 1 - 2 * (x * x + z * z);
  out[5] = 2 * (y * z - w * x);
  out[6] = 2 * (x * z - w * y);
  out[7] = 2 * (y * z + w * x);
  out[8] = 1 - 2 * (x * x + y * y);
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
