/**
 * Angular velocity ω, angular acceleration α and acceleration a of a frame's origin, all in the frame's own axes, as nine
 * numbers in this order. Joints turn about z of their frame. Changes of a motion have the same layout.
 */
export const MOTION_SIZE = 9;
const OMEGA = 0;
const ALPHA = 3;
const ACCELERATION = 6;

const moved = new Float64Array(3);

/** A frame at rest, which feels gravity (an acceleration in its axes) as an upward acceleration. */
export function restUnderGravity(gravity: Float64Array, out: Float64Array): void {
  out.fill(0);
  for (let i = 0; i < 3; i++) out[ACCELERATION + i] = -gravity[i]!;
}

/** The motion of a frame fixed to the moving one at `place` (9 numbers of rotation unused, then 3 of translation). */
export function carry(motion: Float64Array, place: Float64Array, rotation: Float64Array, out: Float64Array): void {
  moved[0] = motion[ACCELERATION]!;
  moved[1] = motion[ACCELERATION + 1]!;
  moved[2] = motion[ACCELERATION + 2]!;
  addCross(motion, ALPHA, place, 9);
  addDoubleCross(motion, OMEGA, motion, OMEGA, place);
  rotateBack(rotation, motion, OMEGA, out, OMEGA);
  rotateBack(rotation, motion, ALPHA, out, ALPHA);
  rotateBack(rotation, moved, 0, out, ACCELERATION);
}

/** What a change of the moving frame's motion does to that of the fixed one; `out` may be `change`. */
export function carryChange(
  change: Float64Array,
  motion: Float64Array,
  place: Float64Array,
  rotation: Float64Array,
  out: Float64Array,
): void {
  moved[0] = change[ACCELERATION]!;
  moved[1] = change[ACCELERATION + 1]!;
  moved[2] = change[ACCELERATION + 2]!;
  addCross(change, ALPHA, place, 9);
  addDoubleCross(change, OMEGA, motion, OMEGA, place);
  addDoubleCross(motion, OMEGA, change, OMEGA, place);
  rotateBack(rotation, change, OMEGA, out, OMEGA);
  rotateBack(rotation, change, ALPHA, out, ALPHA);
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

/** Changes of the joints' positions, speeds and accelerations. */
export interface JointChange {
  readonly q: Float64Array;
  readonly qd: Float64Array;
  readonly qdd: Float64Array;
}

/** The change of `addJoint`, `motion` being the one before it. */
export function addJointChange(
  change: Float64Array,
  motion: Float64Array,
  speeds: Float64Array,
  joints: JointChange,
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

/** moved += w × r, of the three numbers each array holds from its place on. */
function addCross(w: Float64Array, at: number, r: Float64Array, from: number): void {
  const x = r[from]!;
  const y = r[from + 1]!;
  const z = r[from + 2]!;
  moved[0] = moved[0]! + w[at + 1]! * z - w[at + 2]! * y;
  moved[1] = moved[1]! + w[at + 2]! * x - w[at]! * z;
  moved[2] = moved[2]! + w[at]! * y - w[at + 1]! * x;
}

const turned = new Float64Array(3);

/** moved += v × (w × r), r being the translation of `place`. */
function addDoubleCross(v: Float64Array, i: number, w: Float64Array, k: number, place: Float64Array): void {
  const x = place[9]!;
  const y = place[10]!;
  const z = place[11]!;
  turned[0] = w[k + 1]! * z - w[k + 2]! * y;
  turned[1] = w[k + 2]! * x - w[k]! * z;
  turned[2] = w[k]! * y - w[k + 1]! * x;
  addCross(v, i, turned, 0);
}
