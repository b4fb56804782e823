import type { Vec3 } from "../../math/vec3.js";
import { jointsFromDofs } from "../kinematics/kinematics.js";
import { JointKind } from "../robot.js";
import type { RobotState } from "../state.js";

/**
 * Torques τ (forces for sliding joints) that give the accelerations `qdd` at `state.q`, `state.qd` under `gravity`
 * (an acceleration in world axes [m/s²], e.g. (0, 0, −9.81)): τ = M(q)·q̈ + bias(q, q̇). A coupled joint's torque is
 * shared by its dofs: τ_dof = Σ factor·τ_joint. [dofCount]
 *
 * Recursive Newton–Euler, Featherstone, *Rigid Body Dynamics Algorithms* (2008), table 5.1, in world axes at each body's
 * origin and with the origin's classical acceleration; gravity is an upward acceleration of the ground. Needs forward
 * kinematics.
 */
export function inverseDynamics(state: RobotState, qdd: Float64Array, gravity: Vec3, out: Float64Array): Float64Array {
  newtonEulerForces(state, qdd, gravity);
  out.fill(0, 0, state.model.dofCount);
  for (let b = state.dynamics.bodyCount - 1; b >= 0; b--) passForceDown(state, b, out);
  return out;
}

/** Torques that hold q̈ = 0: Coriolis, centrifugal and gravity terms. Needs forward kinematics. [dofCount] */
export function biasForces(state: RobotState, gravity: Vec3, out: Float64Array): Float64Array {
  return inverseDynamics(state, state.dynamics.zero, gravity, out);
}

/** Forward pass: every body's velocity, acceleration, and the force its own motion asks for (`dynamics.force`). */
export function newtonEulerForces(state: RobotState, qdd: Float64Array, gravity: Vec3): void {
  const { bodyCount, jointAcceleration } = state.dynamics;
  jointsFromDofs(state.model, state.qd, state.jointVelocity);
  jointsFromDofs(state.model, qdd, jointAcceleration);
  for (let b = 0; b < bodyCount; b++) {
    accelerateBody(state, b, gravity);
    bodyForce(state, b);
  }
}

/** Velocity and acceleration of body b from those of its parent, and its joint's. */
function accelerateBody(state: RobotState, b: number, gravity: Vec3): void {
  const { model, dynamics, linkPoses: T, worldAxis } = state;
  const { velocity: v, acceleration: a } = dynamics;
  const i = dynamics.bodyLink[b]!;
  const parent = dynamics.bodyParent[b]!;
  const k = 6 * b;
  let wx = 0;
  let wy = 0;
  let wz = 0;
  let bx = 0;
  let by = 0;
  let bz = 0;
  let ax = -gravity[0];
  let ay = -gravity[1];
  let az = -gravity[2];
  if (parent >= 0) {
    const p = 6 * parent;
    const t = 12 * dynamics.bodyLink[parent]! + 9;
    const rx = T[12 * i + 9]! - T[t]!;
    const ry = T[12 * i + 10]! - T[t + 1]!;
    const rz = T[12 * i + 11]! - T[t + 2]!;
    wx = v[p + 3]!;
    wy = v[p + 4]!;
    wz = v[p + 5]!;
    const ux = wy * rz - wz * ry;
    const uy = wz * rx - wx * rz;
    const uz = wx * ry - wy * rx;
    bx = a[p + 3]!;
    by = a[p + 4]!;
    bz = a[p + 5]!;
    ax = a[p]! + by * rz - bz * ry + wy * uz - wz * uy;
    ay = a[p + 1]! + bz * rx - bx * rz + wz * ux - wx * uz;
    az = a[p + 2]! + bx * ry - by * rx + wx * uy - wy * ux;
  }
  const zx = worldAxis[3 * i]!;
  const zy = worldAxis[3 * i + 1]!;
  const zz = worldAxis[3 * i + 2]!;
  const speed = state.jointVelocity[i]!;
  const jointAcceleration = dynamics.jointAcceleration[i]!;
  const sx = speed * zx;
  const sy = speed * zy;
  const sz = speed * zz;
  if (model.jointKind[i] === JointKind.revolute) {
    bx += jointAcceleration * zx + wy * sz - wz * sy;
    by += jointAcceleration * zy + wz * sx - wx * sz;
    bz += jointAcceleration * zz + wx * sy - wy * sx;
    wx += sx;
    wy += sy;
    wz += sz;
  } else {
    ax += jointAcceleration * zx + 2 * (wy * sz - wz * sy);
    ay += jointAcceleration * zy + 2 * (wz * sx - wx * sz);
    az += jointAcceleration * zz + 2 * (wx * sy - wy * sx);
  }
  v[k + 3] = wx;
  v[k + 4] = wy;
  v[k + 5] = wz;
  a[k] = ax;
  a[k + 1] = ay;
  a[k + 2] = az;
  a[k + 3] = bx;
  a[k + 4] = by;
  a[k + 5] = bz;
}

/**
 * Force and moment (about its origin) that body b's own motion asks for, with h = m·c and inertia I about the origin:
 * f = m·a + α × h + ω × (ω × h), n = h × a + I·α + ω × I·ω. The inertia is applied in the body's frame.
 */
function bodyForce(state: RobotState, b: number): void {
  const { dynamics, linkPoses: T } = state;
  const { velocity: v, acceleration: a, force, firstMoment: h, inertia: I } = dynamics;
  const k = 6 * b;
  const t = 12 * dynamics.bodyLink[b]!;
  const r0 = T[t]!;
  const r1 = T[t + 1]!;
  const r2 = T[t + 2]!;
  const r3 = T[t + 3]!;
  const r4 = T[t + 4]!;
  const r5 = T[t + 5]!;
  const r6 = T[t + 6]!;
  const r7 = T[t + 7]!;
  const r8 = T[t + 8]!;
  const m = dynamics.mass[b]!;
  const ax = a[k]!;
  const ay = a[k + 1]!;
  const az = a[k + 2]!;
  const Wx = v[k + 3]!;
  const Wy = v[k + 4]!;
  const Wz = v[k + 5]!;
  const Ax = a[k + 3]!;
  const Ay = a[k + 4]!;
  const Az = a[k + 5]!;
  // Into the body's frame: ω, α; the moment and h come back.
  const wx = r0 * Wx + r3 * Wy + r6 * Wz;
  const wy = r1 * Wx + r4 * Wy + r7 * Wz;
  const wz = r2 * Wx + r5 * Wy + r8 * Wz;
  const bx = r0 * Ax + r3 * Ay + r6 * Az;
  const by = r1 * Ax + r4 * Ay + r7 * Az;
  const bz = r2 * Ax + r5 * Ay + r8 * Az;
  const xx = I[k]!;
  const xy = I[k + 1]!;
  const xz = I[k + 2]!;
  const yy = I[k + 3]!;
  const yz = I[k + 4]!;
  const zz = I[k + 5]!;
  const lx = xx * wx + xy * wy + xz * wz;
  const ly = xy * wx + yy * wy + yz * wz;
  const lz = xz * wx + yz * wy + zz * wz;
  const nx = xx * bx + xy * by + xz * bz + wy * lz - wz * ly;
  const ny = xy * bx + yy * by + yz * bz + wz * lx - wx * lz;
  const nz = xz * bx + yz * by + zz * bz + wx * ly - wy * lx;
  const h0 = h[3 * b]!;
  const h1 = h[3 * b + 1]!;
  const h2 = h[3 * b + 2]!;
  const hx = r0 * h0 + r1 * h1 + r2 * h2;
  const hy = r3 * h0 + r4 * h1 + r5 * h2;
  const hz = r6 * h0 + r7 * h1 + r8 * h2;
  const ux = Wy * hz - Wz * hy;
  const uy = Wz * hx - Wx * hz;
  const uz = Wx * hy - Wy * hx;
  force[k] = m * ax + Ay * hz - Az * hy + Wy * uz - Wz * uy;
  force[k + 1] = m * ay + Az * hx - Ax * hz + Wz * ux - Wx * uz;
  force[k + 2] = m * az + Ax * hy - Ay * hx + Wx * uy - Wy * ux;
  force[k + 3] = r0 * nx + r1 * ny + r2 * nz + hy * az - hz * ay;
  force[k + 4] = r3 * nx + r4 * ny + r5 * nz + hz * ax - hx * az;
  force[k + 5] = r6 * nx + r7 * ny + r8 * nz + hx * ay - hy * ax;
}

/** Adds body b's joint torque to its dofs, and its whole force to its parent. */
function passForceDown(state: RobotState, b: number, out: Float64Array): void {
  const { model, dynamics, linkPoses: T, worldAxis } = state;
  const f = dynamics.force;
  const i = dynamics.bodyLink[b]!;
  const parent = dynamics.bodyParent[b]!;
  const k = 6 * b;
  const at = model.jointKind[i] === JointKind.revolute ? k + 3 : k;
  const torque = worldAxis[3 * i]! * f[at]! + worldAxis[3 * i + 1]! * f[at + 1]! + worldAxis[3 * i + 2]! * f[at + 2]!;
  const end = model.termStart[i + 1]!;
  for (let term = model.termStart[i]!; term < end; term++) {
    const dof = model.termDof[term]!;
    out[dof] = out[dof]! + model.termFactor[term]! * torque;
  }
  if (parent < 0) return;
  const p = 6 * parent;
  const t = 12 * dynamics.bodyLink[parent]! + 9;
  const rx = T[12 * i + 9]! - T[t]!;
  const ry = T[12 * i + 10]! - T[t + 1]!;
  const rz = T[12 * i + 11]! - T[t + 2]!;
  const fx = f[k]!;
  const fy = f[k + 1]!;
  const fz = f[k + 2]!;
  f[p] = f[p]! + fx;
  f[p + 1] = f[p + 1]! + fy;
  f[p + 2] = f[p + 2]! + fz;
  f[p + 3] = f[p + 3]! + f[k + 3]! + ry * fz - rz * fy;
  f[p + 4] = f[p + 4]! + f[k + 4]! + rz * fx - rx * fz;
  f[p + 5] = f[p + 5]! + f[k + 5]! + rx * fy - ry * fx;
}
