import type { RobotState } from "../state.js";

/**
 * Fills `worldInertia` with each body's own inertia in world axes about its origin: mass, first moment h = R·h_b,
 * inertia R·I_b·Rᵀ. Needs forward kinematics.
 */
export function bodyInertias(state: RobotState): void {
  const { dynamics, linkPoses: T } = state;
  const { bodyCount, firstMoment: h, inertia: I, worldInertia: W } = dynamics;
  for (let b = 0; b < bodyCount; b++) {
    const t = 12 * dynamics.bodyLink[b]!;
    const k = 10 * b;
    W[k] = dynamics.mass[b]!;
    for (let row = 0; row < 3; row++) {
      const r = t + 3 * row;
      W[k + 1 + row] = T[r]! * h[3 * b]! + T[r + 1]! * h[3 * b + 1]! + T[r + 2]! * h[3 * b + 2]!;
    }
    rotateInertia(T, t, I, 6 * b, W, k + 4);
  }
}

/** out = R·I·Rᵀ for symmetric I as xx, xy, xz, yy, yz, zz. */
function rotateInertia(T: Float64Array, t: number, I: Float64Array, i: number, out: Float64Array, o: number): void {
  const xx = I[i]!;
  const xy = I[i + 1]!;
  const xz = I[i + 2]!;
  const yy = I[i + 3]!;
  const yz = I[i + 4]!;
  const zz = I[i + 5]!;
  const r0 = T[t]!;
  const r1 = T[t + 1]!;
  const r2 = T[t + 2]!;
  const r3 = T[t + 3]!;
  const r4 = T[t + 4]!;
  const r5 = T[t + 5]!;
  const r6 = T[t + 6]!;
  const r7 = T[t + 7]!;
  const r8 = T[t + 8]!;
  const a0 = xx * r0 + xy * r1 + xz * r2;
  const a1 = xy * r0 + yy * r1 + yz * r2;
  const a2 = xz * r0 + yz * r1 + zz * r2;
  const b0 = xx * r3 + xy * r4 + xz * r5;
  const b1 = xy * r3 + yy * r4 + yz * r5;
  const b2 = xz * r3 + yz * r4 + zz * r5;
  out[o] = r0 * a0 + r1 * a1 + r2 * a2;
  out[o + 1] = r3 * a0 + r4 * a1 + r5 * a2;
  out[o + 2] = r6 * a0 + r7 * a1 + r8 * a2;
  out[o + 3] = r3 * b0 + r4 * b1 + r5 * b2;
  out[o + 4] = r6 * b0 + r7 * b1 + r8 * b2;
  out[o + 5] =
    r6 * (xx * r6 + xy * r7 + xz * r8) + r7 * (xy * r6 + yy * r7 + yz * r8) + r8 * (xz * r6 + yz * r7 + zz * r8);
}
