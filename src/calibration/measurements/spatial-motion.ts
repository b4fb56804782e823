/**
 * Angular velocity ω, angular acceleration α and acceleration a of a frame's origin, all in the frame's own axes, as nine
 * numbers in this order. Joints turn about z of their frame. Changes of a motion have the same layout.
 */
export const MOTION_SIZE = 9;
const OMEGA = 0;
const ALPHA = 3;
const ACCELERATION = 6;

/** How the neck moves at one time: positions [rad] of its joints and their first three derivatives. */
export interface NeckMotion {
  readonly q: Float64Array;
  readonly qd: Float64Array;
  readonly qdd: Float64Array;
  readonly qddd: Float64Array;
}

export function createNeckMotion(jointCount: number): NeckMotion {
  const zeros = () => new Float64Array(jointCount);
  return { q: zeros(), qd: zeros(), qdd: zeros(), qddd: zeros() };
}

const moved = new Float64Array(3);

/** A frame at rest, which feels gravity (an acceleration in its axes) as an upward acceleration. */
export function restUnderGravity(gravity: Float64Array, out: Float64Array): void {
  out.fill(0);
  for (let i = 0; i < 3; i++) out[ACCELERATION + i] = -gravity[i]!;
}

/** The motion of a frame fixed to the moving one at `place` (9 numbers of rotation unused, then 3 of translation). */
export function carry(motion: Float64Array, place: Float64Array, rotation: Float64Array, out: Float64Array): void {
  for (let i = 0; i < 3; i++) moved[i] = motion[ACCELERATION + i]!;
  addCross(motion, ALPHA, place, 9, moved);
  addDoubleCross(motion, motion, place, 9, moved);
  rotateMotion(rotation, motion, out);
}

/** What a change of the moving frame's motion does to that of the fixed one; `out` may be `change`. */
export function carryChange(
  change: Float64Array,
  motion: Float64Array,
  place: Float64Array,
  rotation: Float64Array,
  out: Float64Array,
): void {
  for (let i = 0; i < 3; i++) moved[i] = change[ACCELERATION + i]!;
  addCross(change, ALPHA, place, 9, moved);
  addDoubleCross(change, motion, place, 9, moved);
  addDoubleCross(motion, change, place, 9, moved);
  rotateMotion(rotation, change, out);
}

/** Turns a motion, or its change, whose acceleration is in `moved`. */
function rotateMotion(rotation: Float64Array, motion: Float64Array, out: Float64Array): void {
  rotateBack(rotation, motion, OMEGA, out, OMEGA);
  rotateBack(rotation, motion, ALPHA, out, ALPHA);
  rotateBack(rotation, moved, 0, out, ACCELERATION);
}

/** Adds joint s, which turns about z with the speed and acceleration that the arrays have for it. */
export function addJoint(motion: Float64Array, speeds: Float64Array, accelerations: Float64Array, s: number): void {
  const qd = speeds[s]!;
  motion[ALPHA] = motion[ALPHA]! + motion[OMEGA + 1]! * qd;
  motion[ALPHA + 1] = motion[ALPHA + 1]! - motion[OMEGA]! * qd;
  motion[ALPHA + 2] = motion[ALPHA + 2]! + accelerations[s]!;
  motion[OMEGA + 2] = motion[OMEGA + 2]! + qd;
}

/** The change of `addJoint`, `motion` being the one before it. */
export function addJointChange(
  change: Float64Array,
  motion: Float64Array,
  speeds: Float64Array,
  joints: Omit<NeckMotion, "qddd">,
  s: number,
): void {
  const qd = speeds[s]!;
  const dq = joints.q[s]!;
  const dqd = joints.qd[s]!;
  for (let k = 0; k < MOTION_SIZE; k += 3) {
    change[k] = change[k]! + dq * motion[k + 1]!;
    change[k + 1] = change[k + 1]! - dq * motion[k]!;
  }
  change[ALPHA] = change[ALPHA]! + change[OMEGA + 1]! * qd + motion[OMEGA + 1]! * dqd;
  change[ALPHA + 1] = change[ALPHA + 1]! - change[OMEGA]! * qd - motion[OMEGA]! * dqd;
  change[ALPHA + 2] = change[ALPHA + 2]! + joints.qdd[s]!;
  change[OMEGA + 2] = change[OMEGA + 2]! + dqd;
}

/** out[to…] = Rᵀ·a[from…]; `out` may be `a` at the same place. */
export function rotateBack(r: Float64Array, a: Float64Array, from: number, out: Float64Array, to: number): void {
  const x = a[from]!;
  const y = a[from + 1]!;
  const z = a[from + 2]!;
  out[to] = r[0]! * x + r[3]! * y + r[6]! * z;
  out[to + 1] = r[1]! * x + r[4]! * y + r[7]! * z;
  out[to + 2] = r[2]! * x + r[5]! * y + r[8]! * z;
}

/** out += w × r, of the three numbers that w holds from `at` and r from `from` on. */
export function addCross(w: Float64Array, at: number, r: Float64Array, from: number, out: Float64Array): void {
  const x = r[from]!;
  const y = r[from + 1]!;
  const z = r[from + 2]!;
  out[0] = out[0]! + w[at + 1]! * z - w[at + 2]! * y;
  out[1] = out[1]! + w[at + 2]! * x - w[at]! * z;
  out[2] = out[2]! + w[at]! * y - w[at + 1]! * x;
}

const turned = new Float64Array(3);

/** out += v × (w × r), of the angular velocities that two motions begin with; r has its three numbers from `from` on. */
export function addDoubleCross(
  v: Float64Array,
  w: Float64Array,
  r: Float64Array,
  from: number,
  out: Float64Array,
): void {
  const x = r[from]!;
  const y = r[from + 1]!;
  const z = r[from + 2]!;
  turned[0] = w[1]! * z - w[2]! * y;
  turned[1] = w[2]! * x - w[0]! * z;
  turned[2] = w[0]! * y - w[1]! * x;
  addCross(v, 0, turned, 0, out);
}
