import * as pose from "../../math/pose.js";
import type { Vec3 } from "../../math/vec3.js";
import { JointKind, type RobotModel } from "../robot.js";
import { JointMotionKind, RobotState } from "../state.js";
import { sinCos } from "./sin-cos.js";

/** Fills jointPosition, worldFromLink and worldAxis of every link from `state.q`. */
export function forwardKinematics(state: RobotState): void {
  const linkCount = state.model.linkCount;
  placeJoints(state);
  for (let i = 1; i < linkCount; i++) placeLink(state, i);
}

/** A new state of a robot with its links placed for `q`, by default all zeros. For set-up: it allocates. */
export function stateAt(model: RobotModel, q?: Float64Array): RobotState {
  const state = new RobotState(model);
  if (q !== undefined) state.q.set(q);
  forwardKinematics(state);
  return state;
}

/** As `forwardKinematics`, but only for `link` and those between it and the root; the other links keep old values. */
export function forwardKinematicsTo(state: RobotState, link: number): void {
  const { parentLink } = state.model;
  const path = state.path;
  let count = 0;
  placeJoints(state);
  for (let i = link; i > 0; i = parentLink[i]!) path[count++] = i;
  while (count > 0) placeLink(state, path[--count]!);
}

/**
 * As `forwardKinematics`, but only for `links`, which come parents first; the others keep old values. For motions of a few
 * joints: the links that they move.
 */
export function forwardKinematicsOf(state: RobotState, links: Int32Array): void {
  placeJoints(state);
  for (let k = 0; k < links.length; k++) placeLink(state, links[k]!);
}

/** Pose of `toLink` seen from `fromLink`: fromLink-from-toLink. Needs forward kinematics. */
export function relativePose(state: RobotState, fromLink: number, toLink: number, out: pose.Pose): pose.Pose {
  return pose.composeInverse(state.worldFromLink[fromLink]!, state.worldFromLink[toLink]!, out);
}

/** Fills jointVelocity, linkVelocity and linkBiasAcceleration of every link from `state.qd`; needs forward kinematics. */
export function forwardVelocities(state: RobotState): void {
  const linkCount = state.model.linkCount;
  state.linkVelocity.fill(0, 0, 6);
  state.linkBiasAcceleration.fill(0, 0, 6);
  jointsFromDofs(state.model, state.qd, state.jointVelocity);
  for (let i = 1; i < linkCount; i++) moveLink(state, i);
}

/** Mass of `link` and all that hangs on it [kg]. */
export function carriedMass({ parentLink, mass, linkCount }: RobotModel, link: number): number {
  let sum = 0;
  for (let i = link; i < linkCount; i++) {
    let ancestor = i;
    while (ancestor > link) ancestor = parentLink[ancestor]!;
    if (ancestor === link) sum += mass[i]!;
  }
  return sum;
}

/** Centre of mass of `link` and all that hangs on it (link 0: the whole robot), in world [m]; needs forward kinematics. */
export function centreOfMass(state: RobotState, link: number, out: Vec3): Vec3 {
  const { parentLink, mass, centreOfMass: c, linkCount } = state.model;
  const T = state.linkPoses;
  const inside = state.path;
  let total = 0;
  let x = 0;
  let y = 0;
  let z = 0;
  for (let i = link; i < linkCount; i++) {
    inside[i] = i === link || (parentLink[i]! >= link && inside[parentLink[i]!] === 1) ? 1 : 0;
    const m = mass[i]!;
    if (inside[i] === 0 || m === 0) continue;
    const t = 12 * i;
    const cx = c[3 * i]!;
    const cy = c[3 * i + 1]!;
    const cz = c[3 * i + 2]!;
    total += m;
    x += m * (T[t]! * cx + T[t + 1]! * cy + T[t + 2]! * cz + T[t + 9]!);
    y += m * (T[t + 3]! * cx + T[t + 4]! * cy + T[t + 5]! * cz + T[t + 10]!);
    z += m * (T[t + 6]! * cx + T[t + 7]! * cy + T[t + 8]! * cz + T[t + 11]!);
  }
  // A subtree without mass has no centre; its own origin is the harmless answer.
  const massless = !(total > 0);
  out[0] = massless ? T[12 * link + 9]! : x / total;
  out[1] = massless ? T[12 * link + 10]! : y / total;
  out[2] = massless ? T[12 * link + 11]! : z / total;
  return out;
}

/**
 * out[i] = Σ factor·x[dof] over the terms of the joint above link i: what values of the dofs (positions, velocities,
 * accelerations) give the joints, without their offsets. [linkCount]
 */
export function jointsFromDofs(model: RobotModel, x: Float64Array, out: Float64Array): void {
  const { termStart, termDof, termFactor, linkCount } = model;
  let k = 0;
  for (let i = 0; i < linkCount; i++) {
    const end = termStart[i + 1]!;
    let sum = 0;
    for (; k < end; k++) sum += termFactor[k]! * x[termDof[k]!]!;
    out[i] = sum;
  }
}

/** Positions of all joints, their sines and cosines. */
function placeJoints(state: RobotState): void {
  const { model, jointPosition } = state;
  const { linkCount, jointOffset } = model;
  jointsFromDofs(model, state.q, jointPosition);
  for (let i = 0; i < linkCount; i++) jointPosition[i] = jointPosition[i]! + jointOffset[i]!;
  sinCos(jointPosition, linkCount, state.sin, state.cos);
}

/** worldFromLink = worldFromParent · parentFromJoint · motion(q). */
function placeLink(state: RobotState, i: number): void {
  placeJoint(state, i);
  const motion = state.motion[i];
  if (motion === JointMotionKind.aboutZ) turn(state, i, 0, 1, 2);
  else if (motion === JointMotionKind.aboutX) turn(state, i, 1, 2, 0);
  else if (motion === JointMotionKind.aboutY) turn(state, i, 2, 0, 1);
  else if (motion === JointMotionKind.prismatic) slide(state, i);
  else if (motion === JointMotionKind.anyRevolute) turnAboutAny(state, i);
}

/** The pose link i has with its joint at zero: `pose.compose` on offsets of the flat arrays. */
function placeJoint(state: RobotState, i: number): void {
  const T = state.linkPoses;
  const C = state.placements;
  const p = 12 * state.model.parentLink[i]!;
  const c = 12 * i;
  const p0 = T[p]!;
  const p1 = T[p + 1]!;
  const p2 = T[p + 2]!;
  const p3 = T[p + 3]!;
  const p4 = T[p + 4]!;
  const p5 = T[p + 5]!;
  const p6 = T[p + 6]!;
  const p7 = T[p + 7]!;
  const p8 = T[p + 8]!;
  const c0 = C[c]!;
  const c1 = C[c + 1]!;
  const c2 = C[c + 2]!;
  const c3 = C[c + 3]!;
  const c4 = C[c + 4]!;
  const c5 = C[c + 5]!;
  const c6 = C[c + 6]!;
  const c7 = C[c + 7]!;
  const c8 = C[c + 8]!;
  const tx = C[c + 9]!;
  const ty = C[c + 10]!;
  const tz = C[c + 11]!;
  T[c] = p0 * c0 + p1 * c3 + p2 * c6;
  T[c + 1] = p0 * c1 + p1 * c4 + p2 * c7;
  T[c + 2] = p0 * c2 + p1 * c5 + p2 * c8;
  T[c + 3] = p3 * c0 + p4 * c3 + p5 * c6;
  T[c + 4] = p3 * c1 + p4 * c4 + p5 * c7;
  T[c + 5] = p3 * c2 + p4 * c5 + p5 * c8;
  T[c + 6] = p6 * c0 + p7 * c3 + p8 * c6;
  T[c + 7] = p6 * c1 + p7 * c4 + p8 * c7;
  T[c + 8] = p6 * c2 + p7 * c5 + p8 * c8;
  T[c + 9] = p0 * tx + p1 * ty + p2 * tz + T[p + 9]!;
  T[c + 10] = p3 * tx + p4 * ty + p5 * tz + T[p + 10]!;
  T[c + 11] = p6 * tx + p7 * ty + p8 * tz + T[p + 11]!;
}

/** Rotates columns u and v of link i's pose about its column w. */
function turn(state: RobotState, i: number, u: number, v: number, w: number): void {
  const T = state.linkPoses;
  const sign = state.axisSign[i]!;
  const s = sign * state.sin[i]!;
  const c = state.cos[i]!;
  let k = 12 * i;
  const a = 3 * i;
  for (let row = 0; row < 3; row++, k += 3) {
    const x = T[k + u]!;
    const y = T[k + v]!;
    T[k + u] = c * x + s * y;
    T[k + v] = c * y - s * x;
    state.worldAxis[a + row] = sign * T[k + w]!;
  }
}

/** Rodrigues' formula on the rows of link i's rotation: row·Rot(axis, angle). */
function turnAboutAny(state: RobotState, i: number): void {
  const T = state.linkPoses;
  const axis = state.model.jointAxis;
  const x = axis[3 * i]!;
  const y = axis[3 * i + 1]!;
  const z = axis[3 * i + 2]!;
  const s = state.sin[i]!;
  const c = state.cos[i]!;
  for (let row = 0; row < 3; row++) {
    const k = 12 * i + 3 * row;
    const a = T[k]!;
    const b = T[k + 1]!;
    const d = T[k + 2]!;
    const along = a * x + b * y + d * z;
    const rest = (1 - c) * along;
    // row·[axis]× = row × axis
    T[k] = c * a + s * (b * z - d * y) + rest * x;
    T[k + 1] = c * b + s * (d * x - a * z) + rest * y;
    T[k + 2] = c * d + s * (a * y - b * x) + rest * z;
    state.worldAxis[3 * i + row] = along;
  }
}

function slide(state: RobotState, i: number): void {
  const distance = state.jointPosition[i]!;
  const T = state.linkPoses;
  const axis = state.model.jointAxis;
  for (let row = 0; row < 3; row++) {
    const k = 12 * i + 3 * row;
    const along = T[k]! * axis[3 * i]! + T[k + 1]! * axis[3 * i + 1]! + T[k + 2]! * axis[3 * i + 2]!;
    state.worldAxis[3 * i + row] = along;
    T[12 * i + 9 + row] = T[12 * i + 9 + row]! + distance * along;
  }
}

/**
 * Velocity and q̈ = 0 acceleration of link i from those of its parent, r being the vector between their origins:
 * v = v_p + ω_p × r, a = a_p + α_p × r + ω_p × (ω_p × r), plus what the joint adds (Coriolis for a sliding one).
 */
function moveLink(state: RobotState, i: number): void {
  const { model, linkPoses: T, worldAxis: axis, linkVelocity: v, linkBiasAcceleration: a } = state;
  const parent = model.parentLink[i]!;
  const p = 6 * parent;
  const k = 6 * i;
  const rx = T[12 * i + 9]! - T[12 * parent + 9]!;
  const ry = T[12 * i + 10]! - T[12 * parent + 10]!;
  const rz = T[12 * i + 11]! - T[12 * parent + 11]!;
  const wx = v[p + 3]!;
  const wy = v[p + 4]!;
  const wz = v[p + 5]!;
  const ux = wy * rz - wz * ry;
  const uy = wz * rx - wx * rz;
  const uz = wx * ry - wy * rx;
  const bx = a[p + 3]!;
  const by = a[p + 4]!;
  const bz = a[p + 5]!;
  v[k] = v[p]! + ux;
  v[k + 1] = v[p + 1]! + uy;
  v[k + 2] = v[p + 2]! + uz;
  v[k + 3] = wx;
  v[k + 4] = wy;
  v[k + 5] = wz;
  a[k] = a[p]! + by * rz - bz * ry + wy * uz - wz * uy;
  a[k + 1] = a[p + 1]! + bz * rx - bx * rz + wz * ux - wx * uz;
  a[k + 2] = a[p + 2]! + bx * ry - by * rx + wx * uy - wy * ux;
  a[k + 3] = bx;
  a[k + 4] = by;
  a[k + 5] = bz;
  const kind = model.jointKind[i];
  if (kind === JointKind.fixed) return;
  const speed = state.jointVelocity[i]!;
  const sx = speed * axis[3 * i]!;
  const sy = speed * axis[3 * i + 1]!;
  const sz = speed * axis[3 * i + 2]!;
  const revolute = kind === JointKind.revolute;
  const at = revolute ? k + 3 : k;
  const coriolis = revolute ? 1 : 2;
  v[at] = v[at]! + sx;
  v[at + 1] = v[at + 1]! + sy;
  v[at + 2] = v[at + 2]! + sz;
  a[at] = a[at]! + coriolis * (wy * sz - wz * sy);
  a[at + 1] = a[at + 1]! + coriolis * (wz * sx - wx * sz);
  a[at + 2] = a[at + 2]! + coriolis * (wx * sy - wy * sx);
}

/**
 * The dofs that move two links against each other, in model order: those of the joints on the way from one to the other.
 * A dof that moves a joint of that way through a coupling counts, even if it also moves a joint below both.
 */
export function dofsBetween(model: RobotModel, a: number, b: number): number[] {
  const { parentLink, termStart, termDof } = model;
  const above = (link: number): number[] => {
    const way: number[] = [];
    for (let at = link; at > 0; at = parentLink[at]!) way.push(at);
    return way;
  };
  const [first, second] = [above(a), above(b)];
  const apart = [...first.filter((link) => !second.includes(link)), ...second.filter((link) => !first.includes(link))];
  const dofs = apart.flatMap((link) => [...termDof.subarray(termStart[link]!, termStart[link + 1]!)]);
  return [...new Set(dofs)].sort((i, k) => i - k);
}
