import type { RobotState } from "../state.js";
import { bodyInertias } from "./body-inertia.js";

/**
 * Mass matrix M(q), symmetric, dofCount × dofCount, row-major. With couplings it is the reduced one, Gᵀ·M_joints·G,
 * where joint velocities are G·q̇. Needs forward kinematics.
 *
 * Composite-rigid-body algorithm, Featherstone (2008), table 6.2.
 */
export function massMatrix(state: RobotState, out: Float64Array): Float64Array {
  const { bodyCount, bodyParent } = state.dynamics;
  const n = state.model.dofCount;
  out.fill(0, 0, n * n);
  bodyInertias(state);
  placeBodies(state);
  for (let b = bodyCount - 1; b >= 0; b--) {
    if (bodyParent[b]! >= 0) addToParent(state, b);
    fillColumn(state, b);
    addColumn(state, b, out);
  }
  return out;
}

/** Joint axes and offsets from parent to child: each is used once for every body further out. */
function placeBodies(state: RobotState): void {
  const { dynamics, linkPoses: T, worldAxis } = state;
  const { bodyCount, bodyLink, bodyParent, axisOffset } = dynamics;
  for (let b = 0; b < bodyCount; b++) {
    const link = bodyLink[b]!;
    const parent = bodyParent[b]! < 0 ? 0 : bodyLink[bodyParent[b]!]!;
    for (let i = 0; i < 3; i++) {
      axisOffset[6 * b + i] = worldAxis[3 * link + i]!;
      axisOffset[6 * b + 3 + i] = T[12 * link + 9 + i]! - T[12 * parent + 9 + i]!;
    }
  }
}

/** Shifts body b's composite inertia to its parent's origin and adds it there (children come after parents). */
function addToParent(state: RobotState, b: number): void {
  const { worldInertia: W, axisOffset, bodyParent } = state.dynamics;
  const parent = bodyParent[b]!;
  const rx = axisOffset[6 * b + 3]!;
  const ry = axisOffset[6 * b + 4]!;
  const rz = axisOffset[6 * b + 5]!;
  const k = 10 * b;
  const p = 10 * parent;
  const m = W[k]!;
  const hx = W[k + 1]!;
  const hy = W[k + 2]!;
  const hz = W[k + 3]!;
  W[p] = W[p]! + m;
  W[p + 1] = W[p + 1]! + hx + m * rx;
  W[p + 2] = W[p + 2]! + hy + m * ry;
  W[p + 3] = W[p + 3]! + hz + m * rz;
  // I' = I + (2·r·h + m·|r|²)·1 − (r·hᵀ + h·rᵀ + m·r·rᵀ), the parallel-axis rule for an origin that moves by r
  const x = 2 * rx * hx + m * rx * rx;
  const y = 2 * ry * hy + m * ry * ry;
  const z = 2 * rz * hz + m * rz * rz;
  W[p + 4] = W[p + 4]! + W[k + 4]! + y + z;
  W[p + 5] = W[p + 5]! + W[k + 5]! - (rx * hy + hx * ry + m * rx * ry);
  W[p + 6] = W[p + 6]! + W[k + 6]! - (rx * hz + hx * rz + m * rx * rz);
  W[p + 7] = W[p + 7]! + W[k + 7]! + x + z;
  W[p + 8] = W[p + 8]! + W[k + 8]! - (ry * hz + hy * rz + m * ry * rz);
  W[p + 9] = W[p + 9]! + W[k + 9]! + x + y;
}

/** F = I_composite·S of body b, carried to the root; S_aᵀ·F, the joint-space entry (b, a), goes to `column[a]`. */
function fillColumn(state: RobotState, b: number): void {
  const { bodyParent, worldInertia: W, axisOffset, turns, column } = state.dynamics;
  const k = 10 * b;
  const ax = axisOffset[6 * b]!;
  const ay = axisOffset[6 * b + 1]!;
  const az = axisOffset[6 * b + 2]!;
  const m = W[k]!;
  const hx = W[k + 1]!;
  const hy = W[k + 2]!;
  const hz = W[k + 3]!;
  const revolute = turns[b] === 1;
  const fx = revolute ? ay * hz - az * hy : m * ax;
  const fy = revolute ? az * hx - ax * hz : m * ay;
  const fz = revolute ? ax * hy - ay * hx : m * az;
  let nx = revolute ? W[k + 4]! * ax + W[k + 5]! * ay + W[k + 6]! * az : hy * az - hz * ay;
  let ny = revolute ? W[k + 5]! * ax + W[k + 7]! * ay + W[k + 8]! * az : hz * ax - hx * az;
  let nz = revolute ? W[k + 6]! * ax + W[k + 8]! * ay + W[k + 9]! * az : hx * ay - hy * ax;
  for (let a = b; a >= 0; a = bodyParent[a]!) {
    const i = 6 * a;
    const zx = axisOffset[i]!;
    const zy = axisOffset[i + 1]!;
    const zz = axisOffset[i + 2]!;
    const rx = axisOffset[i + 3]!;
    const ry = axisOffset[i + 4]!;
    const rz = axisOffset[i + 5]!;
    column[a] = turns[a] === 1 ? zx * nx + zy * ny + zz * nz : zx * fx + zy * fy + zz * fz;
    nx += ry * fz - rz * fy;
    ny += rz * fx - rx * fz;
    nz += rx * fy - ry * fx;
  }
}

/** Adds the joint-space entries of body b and its ancestors, and their mirror images, to the dofs behind the joints. */
function addColumn(state: RobotState, b: number, out: Float64Array): void {
  const { model, dynamics } = state;
  const { termStart, termDof, termFactor, dofCount: n } = model;
  const { bodyLink, bodyParent, bodyDof, column } = dynamics;
  const joint = bodyLink[b]!;
  const dof = bodyDof[b]!;
  const jointEnd = termStart[joint + 1]!;
  for (let a = b; a >= 0; a = bodyParent[a]!) {
    const other = bodyDof[a]!;
    if (dof >= 0 && other >= 0) {
      out[n * dof + other] = out[n * dof + other]! + column[a]!;
      if (a !== b) out[n * other + dof] = out[n * other + dof]! + column[a]!;
      continue;
    }
    const ancestor = bodyLink[a]!;
    const ancestorEnd = termStart[ancestor + 1]!;
    for (let s = termStart[joint]!; s < jointEnd; s++) {
      const i = termDof[s]!;
      const scaled = termFactor[s]! * column[a]!;
      for (let t = termStart[ancestor]!; t < ancestorEnd; t++) {
        const j = termDof[t]!;
        const entry = scaled * termFactor[t]!;
        out[n * i + j] = out[n * i + j]! + entry;
        if (a !== b) out[n * j + i] = out[n * j + i]! + entry;
      }
    }
  }
}
