import * as cholesky from "../../math/cholesky.js";
import { MatrixStatus } from "../../math/cholesky.js";
import type { Vec3 } from "../../math/vec3.js";
import { JointKind } from "../robot.js";
import type { RobotState } from "../state.js";
import { bodyInertias } from "./body-inertia.js";
import { biasForces, newtonEulerForces } from "./inverse-dynamics.js";
import { massMatrix } from "./mass-matrix.js";

/**
 * Accelerations q̈ that the torques `tau` cause at `state.q`, `state.qd` under `gravity` [m/s²], written to `out`
 * [dofCount]. A robot without couplings is solved by the articulated-body algorithm in O(bodies); one with couplings
 * by the reduced mass matrix and Cholesky, since a coupled joint's torque is not its own. Needs forward kinematics.
 *
 * Returns `MatrixStatus.notPositiveDefinite`, leaving `out` unspecified, if some dof moves no mass.
 *
 * @example
 * const state = new RobotState(loadRobot("lwr-arm").model);
 * forwardKinematics(state);
 * const accelerations = new Float64Array(state.model.dofCount);
 * forwardDynamics(state, new Float64Array(state.model.dofCount), gravity(), accelerations); // it falls
 */
export function forwardDynamics(state: RobotState, tau: Float64Array, gravity: Vec3, out: Float64Array): MatrixStatus {
  return state.dynamics.isCoupled
    ? reducedForwardDynamics(state, tau, gravity, out)
    : articulatedBodyDynamics(state, tau, gravity, out);
}

/** Forward dynamics by M·q̈ = τ − bias for any robot. */
export function reducedForwardDynamics(
  state: RobotState,
  tau: Float64Array,
  gravity: Vec3,
  out: Float64Array,
): MatrixStatus {
  const n = state.model.dofCount;
  const { dofVector, dofMatrix } = state.dynamics;
  biasForces(state, gravity, dofVector);
  for (let i = 0; i < n; i++) dofVector[i] = tau[i]! - dofVector[i]!;
  massMatrix(state, dofMatrix);
  const status = cholesky.factor(dofMatrix, n, dofMatrix);
  if (status === MatrixStatus.ok) cholesky.solve(dofMatrix, dofVector, n, out);
  return status;
}

/**
 * Forward dynamics by the articulated-body algorithm, Featherstone (2008), table 7.1, for robots without couplings
 * (`state.dynamics.isCoupled` is false). Needs forward kinematics.
 *
 * Accelerations are counted from those the bodies have at q̈ = 0, which the Newton–Euler pass gives together with the
 * forces they ask for: then no velocity terms remain in the recursion.
 */
export function articulatedBodyDynamics(
  state: RobotState,
  tau: Float64Array,
  gravity: Vec3,
  out: Float64Array,
): MatrixStatus {
  const { bodyCount, bodyParent, zero, joint } = state.dynamics;
  newtonEulerForces(state, zero, gravity);
  bodyInertias(state);
  for (let b = 0; b < bodyCount; b++) startInertia(state, b);
  for (let b = bodyCount - 1; b >= 0; b--) {
    solveJoint(state, b, tau);
    const inverse = joint[8 * b + 6]!;
    if (!(inverse > 0 && inverse < Number.POSITIVE_INFINITY)) return MatrixStatus.notPositiveDefinite;
    if (bodyParent[b]! >= 0) passToParent(state, b);
  }
  for (let b = 0; b < bodyCount; b++) accelerateJoint(state, b, out);
  return MatrixStatus.ok;
}

/** The rigid inertia of body b as blocks: [f; n] = [A B; Bᵀ D]·[a; α], A = m·1, B = −[h]×, D = I. */
function startInertia(state: RobotState, b: number): void {
  const { articulated: Y, worldInertia: W } = state.dynamics;
  const y = 21 * b;
  const k = 10 * b;
  Y.fill(0, y, y + 15);
  Y[y] = W[k]!;
  Y[y + 3] = W[k]!;
  Y[y + 5] = W[k]!;
  Y[y + 7] = W[k + 3]!;
  Y[y + 8] = -W[k + 2]!;
  Y[y + 9] = -W[k + 3]!;
  Y[y + 11] = W[k + 1]!;
  Y[y + 12] = W[k + 2]!;
  Y[y + 13] = -W[k + 1]!;
  for (let i = 0; i < 6; i++) Y[y + 15 + i] = W[k + 4 + i]!;
}

/** U = Y·S, 1/d with d = Sᵀ·U, and u = τ − Sᵀ·p for body b's joint. */
function solveJoint(state: RobotState, b: number, tau: Float64Array): void {
  const { model, dynamics, worldAxis } = state;
  const { articulated: Y, force: p, joint } = dynamics;
  const i = dynamics.bodyLink[b]!;
  const x = worldAxis[3 * i]!;
  const y = worldAxis[3 * i + 1]!;
  const z = worldAxis[3 * i + 2]!;
  const k = 21 * b;
  const o = 8 * b;
  const revolute = model.jointKind[i] === JointKind.revolute;
  if (revolute) {
    for (let row = 0; row < 3; row++) {
      const r = k + 6 + 3 * row;
      joint[o + row] = Y[r]! * x + Y[r + 1]! * y + Y[r + 2]! * z;
    }
    symmetricTimes(Y, k + 15, worldAxis, 3 * i, joint, o + 3);
  } else {
    symmetricTimes(Y, k, worldAxis, 3 * i, joint, o);
    for (let row = 0; row < 3; row++) {
      const r = k + 6 + row;
      joint[o + 3 + row] = Y[r]! * x + Y[r + 3]! * y + Y[r + 6]! * z;
    }
  }
  const at = revolute ? 3 : 0;
  const d = joint[o + at]! * x + joint[o + at + 1]! * y + joint[o + at + 2]! * z;
  const f = 6 * b + at;
  joint[o + 6] = 1 / d;
  joint[o + 7] = tau[dynamics.bodyDof[b]!]! - (p[f]! * x + p[f + 1]! * y + p[f + 2]! * z);
}

/** out[o…] = symmetric(Y[k…]: xx, xy, xz, yy, yz, zz)·v[i…]. */
function symmetricTimes(Y: Float64Array, k: number, v: Float64Array, i: number, out: Float64Array, o: number): void {
  const x = v[i]!;
  const y = v[i + 1]!;
  const z = v[i + 2]!;
  out[o] = Y[k]! * x + Y[k + 1]! * y + Y[k + 2]! * z;
  out[o + 1] = Y[k + 1]! * x + Y[k + 3]! * y + Y[k + 4]! * z;
  out[o + 2] = Y[k + 2]! * x + Y[k + 4]! * y + Y[k + 5]! * z;
}

/** Adds Xᵀ·(Y − U·Uᵀ/d)·X and Xᵀ·(p + U·u/d) of body b to its parent, X being the shift by r. */
function passToParent(state: RobotState, b: number): void {
  const { dynamics, linkPoses: T } = state;
  const { articulated: Y, force: p, joint, bodyLink } = dynamics;
  const parent = dynamics.bodyParent[b]!;
  const i = 12 * bodyLink[b]! + 9;
  const j = 12 * bodyLink[parent]! + 9;
  const rx = T[i]! - T[j]!;
  const ry = T[i + 1]! - T[j + 1]!;
  const rz = T[i + 2]! - T[j + 2]!;
  const o = 8 * b;
  const inverse = joint[o + 6]!;
  const u0 = joint[o]!;
  const u1 = joint[o + 1]!;
  const u2 = joint[o + 2]!;
  const u3 = joint[o + 3]!;
  const u4 = joint[o + 4]!;
  const u5 = joint[o + 5]!;
  const scale = joint[o + 7]! * inverse;
  const f = 6 * b;
  const g = 6 * parent;
  const fx = p[f]! + scale * u0;
  const fy = p[f + 1]! + scale * u1;
  const fz = p[f + 2]! + scale * u2;
  p[g] = p[g]! + fx;
  p[g + 1] = p[g + 1]! + fy;
  p[g + 2] = p[g + 2]! + fz;
  p[g + 3] = p[g + 3]! + p[f + 3]! + scale * u3 + ry * fz - rz * fy;
  p[g + 4] = p[g + 4]! + p[f + 4]! + scale * u4 + rz * fx - rx * fz;
  p[g + 5] = p[g + 5]! + p[f + 5]! + scale * u5 + rx * fy - ry * fx;

  const k = 21 * b;
  const s0 = u0 * inverse;
  const s1 = u1 * inverse;
  const s2 = u2 * inverse;
  const a00 = Y[k]! - s0 * u0;
  const a01 = Y[k + 1]! - s0 * u1;
  const a02 = Y[k + 2]! - s0 * u2;
  const a11 = Y[k + 3]! - s1 * u1;
  const a12 = Y[k + 4]! - s1 * u2;
  const a22 = Y[k + 5]! - s2 * u2;
  const b00 = Y[k + 6]! - s0 * u3;
  const b01 = Y[k + 7]! - s0 * u4;
  const b02 = Y[k + 8]! - s0 * u5;
  const b10 = Y[k + 9]! - s1 * u3;
  const b11 = Y[k + 10]! - s1 * u4;
  const b12 = Y[k + 11]! - s1 * u5;
  const b20 = Y[k + 12]! - s2 * u3;
  const b21 = Y[k + 13]! - s2 * u4;
  const b22 = Y[k + 14]! - s2 * u5;
  // B' = B − A·[r]×
  const c00 = b00 - a01 * rz + a02 * ry;
  const c01 = b01 + a00 * rz - a02 * rx;
  const c02 = b02 - a00 * ry + a01 * rx;
  const c10 = b10 - a11 * rz + a12 * ry;
  const c11 = b11 + a01 * rz - a12 * rx;
  const c12 = b12 - a01 * ry + a11 * rx;
  const c20 = b20 - a12 * rz + a22 * ry;
  const c21 = b21 + a02 * rz - a22 * rx;
  const c22 = b22 - a02 * ry + a12 * rx;
  const q = 21 * parent;
  Y[q] = Y[q]! + a00;
  Y[q + 1] = Y[q + 1]! + a01;
  Y[q + 2] = Y[q + 2]! + a02;
  Y[q + 3] = Y[q + 3]! + a11;
  Y[q + 4] = Y[q + 4]! + a12;
  Y[q + 5] = Y[q + 5]! + a22;
  Y[q + 6] = Y[q + 6]! + c00;
  Y[q + 7] = Y[q + 7]! + c01;
  Y[q + 8] = Y[q + 8]! + c02;
  Y[q + 9] = Y[q + 9]! + c10;
  Y[q + 10] = Y[q + 10]! + c11;
  Y[q + 11] = Y[q + 11]! + c12;
  Y[q + 12] = Y[q + 12]! + c20;
  Y[q + 13] = Y[q + 13]! + c21;
  Y[q + 14] = Y[q + 14]! + c22;
  // D' = D + [r]×·B' − Bᵀ·[r]×
  const s3 = u3 * inverse;
  const s4 = u4 * inverse;
  Y[q + 15] = Y[q + 15]! + Y[k + 15]! - s3 * u3 + ry * (c20 + b20) - rz * (c10 + b10);
  Y[q + 16] = Y[q + 16]! + Y[k + 16]! - s3 * u4 + ry * c21 - rz * (c11 - b00) - rx * b20;
  Y[q + 17] = Y[q + 17]! + Y[k + 17]! - s3 * u5 + ry * (c22 - b00) - rz * c12 + rx * b10;
  Y[q + 18] = Y[q + 18]! + Y[k + 18]! - s4 * u4 + rz * (c01 + b01) - rx * (c21 + b21);
  Y[q + 19] = Y[q + 19]! + Y[k + 19]! - s4 * u5 + rz * c02 - rx * (c22 - b11) - ry * b01;
  Y[q + 20] = Y[q + 20]! + Y[k + 20]! - u5 * inverse * u5 + rx * (c12 + b12) - ry * (c02 + b02);
}

/** q̈ = (u − Uᵀ·X·a_parent)/d, and body b's acceleration beyond the one at q̈ = 0. */
function accelerateJoint(state: RobotState, b: number, out: Float64Array): void {
  const { model, dynamics, linkPoses: T, worldAxis } = state;
  const { acceleration: a, joint, bodyLink } = dynamics;
  const parent = dynamics.bodyParent[b]!;
  const link = bodyLink[b]!;
  const k = 6 * b;
  if (parent < 0) {
    a.fill(0, k, k + 6);
  } else {
    const q = 6 * parent;
    const i = 12 * link + 9;
    const j = 12 * bodyLink[parent]! + 9;
    const rx = T[i]! - T[j]!;
    const ry = T[i + 1]! - T[j + 1]!;
    const rz = T[i + 2]! - T[j + 2]!;
    a[k] = a[q]! + a[q + 4]! * rz - a[q + 5]! * ry;
    a[k + 1] = a[q + 1]! + a[q + 5]! * rx - a[q + 3]! * rz;
    a[k + 2] = a[q + 2]! + a[q + 3]! * ry - a[q + 4]! * rx;
    a[k + 3] = a[q + 3]!;
    a[k + 4] = a[q + 4]!;
    a[k + 5] = a[q + 5]!;
  }
  const o = 8 * b;
  let rest = joint[o + 7]!;
  for (let row = 0; row < 6; row++) rest -= joint[o + row]! * a[k + row]!;
  const qdd = rest * joint[o + 6]!;
  out[dynamics.bodyDof[b]!] = qdd;
  const at = k + (model.jointKind[link] === JointKind.revolute ? 3 : 0);
  for (let row = 0; row < 3; row++) a[at + row] = a[at + row]! + qdd * worldAxis[3 * link + row]!;
}
