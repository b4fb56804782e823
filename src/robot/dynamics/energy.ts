import type { Vec3 } from "../../math/vec3.js";
import type { RobotState } from "../state.js";

/** Potential energy −Σ m·g·c of all links [J], zero at the world's origin. Needs forward kinematics: `forwardKinematics(state)`. */
export function potentialEnergy(state: RobotState, gravity: Vec3): number {
  const { mass, centreOfMass: c, linkCount } = state.model;
  const T = state.linkPoses;
  let energy = 0;
  for (let i = 0; i < linkCount; i++) {
    for (let row = 0; row < 3; row++) {
      const t = 12 * i + 3 * row;
      const height = T[t]! * c[3 * i]! + T[t + 1]! * c[3 * i + 1]! + T[t + 2]! * c[3 * i + 2]! + T[12 * i + 9 + row]!;
      energy -= mass[i]! * gravity[row]! * height;
    }
  }
  return energy;
}

/** Kinetic energy of all links [J], summed link by link. Needs `forwardVelocities`. */
export function kineticEnergy(state: RobotState): number {
  let energy = 0;
  for (let i = 1; i < state.model.linkCount; i++) energy += linkKineticEnergy(state, i);
  return energy;
}

/** ½·m·|v_c|² + ½·ωᵀ·I·ω with v_c the velocity of the centre of mass and ω in the link's frame. */
function linkKineticEnergy(state: RobotState, i: number): number {
  const { model, linkPoses: T, linkVelocity: v } = state;
  const m = model.mass[i]!;
  const c = model.centreOfMass;
  const I = model.inertia;
  const t = 12 * i;
  const k = 6 * i;
  const wx = T[t]! * v[k + 3]! + T[t + 3]! * v[k + 4]! + T[t + 6]! * v[k + 5]!;
  const wy = T[t + 1]! * v[k + 3]! + T[t + 4]! * v[k + 4]! + T[t + 7]! * v[k + 5]!;
  const wz = T[t + 2]! * v[k + 3]! + T[t + 5]! * v[k + 4]! + T[t + 8]! * v[k + 5]!;
  // The centre's velocity in the link's axes.
  const vx = T[t]! * v[k]! + T[t + 3]! * v[k + 1]! + T[t + 6]! * v[k + 2]! + wy * c[3 * i + 2]! - wz * c[3 * i + 1]!;
  const vy = T[t + 1]! * v[k]! + T[t + 4]! * v[k + 1]! + T[t + 7]! * v[k + 2]! + wz * c[3 * i]! - wx * c[3 * i + 2]!;
  const vz = T[t + 2]! * v[k]! + T[t + 5]! * v[k + 1]! + T[t + 8]! * v[k + 2]! + wx * c[3 * i + 1]! - wy * c[3 * i]!;
  const n = 9 * i;
  const lx = I[n]! * wx + I[n + 1]! * wy + I[n + 2]! * wz;
  const ly = I[n + 3]! * wx + I[n + 4]! * wy + I[n + 5]! * wz;
  const lz = I[n + 6]! * wx + I[n + 7]! * wy + I[n + 8]! * wz;
  return 0.5 * (m * (vx * vx + vy * vy + vz * vz) + wx * lx + wy * ly + wz * lz);
}
