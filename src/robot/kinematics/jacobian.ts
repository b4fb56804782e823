import type { Vec3 } from "../../math/vec3.js";
import { JointKind } from "../robot.js";
import type { RobotState } from "../state.js";

/** In place of a link: express in world axes. */
export const WORLD = -1;

/**
 * Geometric Jacobian of a point fixed to `link`: 6 × dofCount, row-major, rows 0–2 linear [m/s per unit], rows 3–5
 * angular [rad/s per unit], so that `J·q̇` is the point's velocity in the world. `pointInLink` is in the link's frame
 * [m]. `axes` says in whose axes the result is expressed: `WORLD`, or a link (which changes the axes alone, not what
 * the velocity is relative to). A coupled joint adds its column, times its factor, to
 * each of its dofs. Needs forward kinematics.
 */
export function jacobian(
  state: RobotState,
  link: number,
  pointInLink: Vec3,
  axes: number,
  out: Float64Array,
): Float64Array {
  out.fill(0, 0, 6 * state.model.dofCount);
  worldPoint(state, link, pointInLink);
  addColumns(state, link, out);
  if (axes !== WORLD) rotateIntoAxes(state, axes, state.model.dofCount, out);
  return out;
}

/**
 * J̇·q̇ for the same arguments as `jacobian`: what the point's acceleration has beside J·q̈. With a link for `axes` it
 * contains the turning of those axes, so that d/dt (J·q̇) = J·q̈ + J̇·q̇ holds for the numbers as they are. Linear
 * [m/s²], then angular [rad/s²]. Needs `forwardVelocities`.
 */
export function jacobianDotVelocity(
  state: RobotState,
  link: number,
  pointInLink: Vec3,
  axes: number,
  out: Float64Array,
): Float64Array {
  const { linkPoses: T, linkVelocity: v, linkBiasAcceleration: a } = state;
  const point = worldPoint(state, link, pointInLink);
  const k = 6 * link;
  const rx = point[0]! - T[12 * link + 9]!;
  const ry = point[1]! - T[12 * link + 10]!;
  const rz = point[2]! - T[12 * link + 11]!;
  const wx = v[k + 3]!;
  const wy = v[k + 4]!;
  const wz = v[k + 5]!;
  const ux = wy * rz - wz * ry;
  const uy = wz * rx - wx * rz;
  const uz = wx * ry - wy * rx;
  out[0] = a[k]! + a[k + 4]! * rz - a[k + 5]! * ry + wy * uz - wz * uy;
  out[1] = a[k + 1]! + a[k + 5]! * rx - a[k + 3]! * rz + wz * ux - wx * uz;
  out[2] = a[k + 2]! + a[k + 3]! * ry - a[k + 4]! * rx + wx * uy - wy * ux;
  out[3] = a[k + 3]!;
  out[4] = a[k + 4]!;
  out[5] = a[k + 5]!;
  if (axes === WORLD) return out;
  // d/dt (Rᵀ·v) = Rᵀ·(v̇ − ω_axes × v)
  const s = 6 * axes + 3;
  scratchTwist[0] = v[k]! + ux;
  scratchTwist[1] = v[k + 1]! + uy;
  scratchTwist[2] = v[k + 2]! + uz;
  scratchTwist[3] = wx;
  scratchTwist[4] = wy;
  scratchTwist[5] = wz;
  subtractCross(v, s, scratchTwist, 0, out);
  subtractCross(v, s, scratchTwist, 3, out);
  rotateIntoAxes(state, axes, 1, out);
  return out;
}

/** Where the columns are taken: set by `worldPoint`, read by `addColumns`. */
const scratchPoint = new Float64Array(3);
const scratchTwist = new Float64Array(6);

function worldPoint(state: RobotState, link: number, point: Vec3): Float64Array {
  const T = state.linkPoses;
  for (let row = 0; row < 3; row++) {
    const k = 12 * link + 3 * row;
    scratchPoint[row] = T[k]! * point[0] + T[k + 1]! * point[1] + T[k + 2]! * point[2] + T[12 * link + 9 + row]!;
  }
  return scratchPoint;
}

/** Adds the column of every joint from `link` to the root. */
function addColumns(state: RobotState, link: number, out: Float64Array): void {
  const { parentLink, jointKind } = state.model;
  for (let i = link; i > 0; i = parentLink[i]!) {
    if (jointKind[i] !== JointKind.fixed) addColumn(state, i, out);
  }
}

function addColumn(state: RobotState, i: number, out: Float64Array): void {
  const { termStart, termDof, termFactor, jointKind, dofCount: n } = state.model;
  const T = state.linkPoses;
  const ax = state.worldAxis[3 * i]!;
  const ay = state.worldAxis[3 * i + 1]!;
  const az = state.worldAxis[3 * i + 2]!;
  const rx = scratchPoint[0]! - T[12 * i + 9]!;
  const ry = scratchPoint[1]! - T[12 * i + 10]!;
  const rz = scratchPoint[2]! - T[12 * i + 11]!;
  const revolute = jointKind[i] === JointKind.revolute;
  const lx = revolute ? ay * rz - az * ry : ax;
  const ly = revolute ? az * rx - ax * rz : ay;
  const lz = revolute ? ax * ry - ay * rx : az;
  const end = termStart[i + 1]!;
  for (let k = termStart[i]!; k < end; k++) {
    const factor = termFactor[k]!;
    const turning = revolute ? factor : 0;
    const d = termDof[k]!;
    out[d] = out[d]! + factor * lx;
    out[d + n] = out[d + n]! + factor * ly;
    out[d + 2 * n] = out[d + 2 * n]! + factor * lz;
    out[d + 3 * n] = out[d + 3 * n]! + turning * ax;
    out[d + 4 * n] = out[d + 4 * n]! + turning * ay;
    out[d + 5 * n] = out[d + 5 * n]! + turning * az;
  }
}

/** out −= w[i…] × v in the three numbers from `at` on. */
function subtractCross(w: Float64Array, i: number, v: Float64Array, at: number, out: Float64Array): void {
  const x = v[at]!;
  const y = v[at + 1]!;
  const z = v[at + 2]!;
  out[at] = out[at]! - (w[i + 1]! * z - w[i + 2]! * y);
  out[at + 1] = out[at + 1]! - (w[i + 2]! * x - w[i]! * z);
  out[at + 2] = out[at + 2]! - (w[i]! * y - w[i + 1]! * x);
}

/** Takes the 6 × columns matrix from world axes to those of a link, in place. */
function rotateIntoAxes(state: RobotState, axes: number, columns: number, out: Float64Array): void {
  const T = state.linkPoses;
  const t = 12 * axes;
  for (let half = 0; half < 2; half++) {
    const row = 3 * half * columns;
    for (let column = 0; column < columns; column++) {
      const k = row + column;
      const x = out[k]!;
      const y = out[k + columns]!;
      const z = out[k + 2 * columns]!;
      out[k] = T[t]! * x + T[t + 3]! * y + T[t + 6]! * z;
      out[k + columns] = T[t + 1]! * x + T[t + 4]! * y + T[t + 7]! * z;
      out[k + 2 * columns] = T[t + 2]! * x + T[t + 5]! * y + T[t + 8]! * z;
    }
  }
}
