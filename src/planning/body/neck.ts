import * as mat3 from "../../math/mat3.js";
import * as pose from "../../math/pose.js";
import * as vec3 from "../../math/vec3.js";
import { relativePose, stateAt } from "../../robot/kinematics/kinematics.js";
import { type JointGroup, JointKind, type Robot, type RobotModel } from "../../robot/robot.js";
import type { RobotState } from "../../robot/state.js";
import { FlycatcherError } from "../../runtime/errors.js";

/** How well the neck can look at a point. */
export const AimStatus = {
  /** The optical axis goes through the point. */
  exact: 0,
  /** As near as the joint limits allow, or the point is too near to the joints to be looked at. */
  limited: 1,
  /** A coordinate is not finite; nothing was written. */
  invalid: 2,
} as const;
export type AimStatus = (typeof AimStatus)[keyof typeof AimStatus];

const FULL_TURN = 2 * Math.PI;
/** Rounds of the iteration for s: one is exact for axes at right angles; cameras mounted 3° off need five for 1e-9 rad. */
const ROUNDS = 5;
/** Sine of the least lean of the optical axis out of its plane that is not rounding. */
const RIGHT_ANGLE = 1e-12;
/** Angle past the point that counts as looking at it [rad]: a thousandth of a pixel. */
const AIM_TOLERANCE = 1e-6;
/** How much an angle of turning the head counts against an angle of looking past the point. */
const TURN_WEIGHT = 1e-4;

/**
 * Points the mean optical axis of the stereo pair (or of the only camera) at a point, by the two revolute joints of a
 * neck, in closed form (thesis, section 3.5.1).
 *
 * With the joints at zero let the axes be a₁ through o₁ and a₂ through o₂, and o₂ + c + s·d the optical axis. Turning by
 * θ₂ about the second and θ₁ about the first axis brings it to the point p if
 *
 *   Rot(a₂, θ₂)(c + s·d) = y(θ₁) := o₁ − o₂ + Rot(a₁, −θ₁)(p − o₁).
 *
 * The component along a₂ does not see θ₂: a₂·y(θ₁) = a₂·c + s·(a₂·d), which has the form A·cos θ₁ + B·sin θ₁ = C; its two
 * solutions are looking forwards and, with the head thrown back, backwards. Then θ₂ is the angle between the two sides as
 * seen along a₂, and s follows from their lengths. Where d is at a right angle to a₂, as in a pan–tilt head, C does not
 * depend on s and all is exact at once; else it is a quick iteration.
 *
 * Inside, all is in axes with a₂ = (0, 1, 0) and a₁ = (0, sin γ, cos γ), in which the products above are components.
 *
 * @example
 * const neck = new NeckPointing(robot);
 * const ball = pose.transformPointInverse(worldFromChest, ballInWorld, vec3.create());
 * neck.aim(ball, q, target); // then limiter.step(target)
 */
export class NeckPointing {
  readonly group: JointGroup;
  /** Link in whose frame points are given: what the neck stands on. */
  readonly baseLink: number;
  readonly lower: Float64Array;
  readonly upper: Float64Array;
  /** From the inner axes to those of the base, and o₁ in the base. */
  readonly #baseFromInner: mat3.Mat3;
  readonly #o1: vec3.Vec3;
  /** In the inner axes: a₁, o₂ − o₁, c, d. */
  readonly #a1: vec3.Vec3;
  readonly #o2: vec3.Vec3;
  readonly #c: vec3.Vec3;
  readonly #d: vec3.Vec3;
  /** p − o₁, y(θ₁), the eye. */
  readonly #r = vec3.create();
  readonly #y = vec3.create();
  readonly #eye = vec3.create();
  readonly #candidate = new Float64Array(2);
  readonly #solution = new Float64Array(2);
  /** Of the candidate, in an array so that they are never boxed: s, and the angle past the point. */
  readonly #measures = new Float64Array(2);

  constructor(robot: Robot) {
    const { group, axes, origins, eye, direction } = neckGeometry(robot);
    this.group = group;
    this.baseLink = group.baseLink;
    this.lower = Float64Array.from(group.dofs, (dof) => robot.model.lower[dof]!);
    this.upper = Float64Array.from(group.dofs, (dof) => robot.model.upper[dof]!);
    this.#baseFromInner = innerAxes(axes[0], axes[1]);
    this.#o1 = origins[0];
    const inner = (v: vec3.Vec3): vec3.Vec3 => mat3.transformTransposed(this.#baseFromInner, v, vec3.create());
    this.#a1 = inner(axes[0]);
    this.#o2 = inner(vec3.subtract(origins[1], origins[0], vec3.create()));
    this.#c = inner(vec3.subtract(eye, origins[1], vec3.create()));
    this.#d = inner(direction);
  }

  /**
   * Joint positions that look at `point` (in the base link's frame), to `out`, which may be `near`. Of the two solutions
   * the one that looks at it best within the joint limits; if both do, the nearer to `near`.
   */
  aim(point: vec3.Vec3, near: Float64Array, out: Float64Array): AimStatus {
    if (!Number.isFinite(point[0] + point[1] + point[2])) return AimStatus.invalid;
    let least = Number.POSITIVE_INFINITY;
    let status: AimStatus = AimStatus.limited;
    const q = this.#candidate;
    vec3.subtract(point, this.#o1, this.#r);
    mat3.transformTransposed(this.#baseFromInner, this.#r, this.#r);
    for (let branch = -1; branch <= 1; branch += 2) {
      this.#solveFirst(branch);
      this.#bring(0, near);
      this.#undoFirst();
      this.#solveSecond();
      this.#bring(1, near);
      this.#measurePast();
      const past = this.#measures[1]!;
      const cost = past + TURN_WEIGHT * (Math.abs(q[0]! - near[0]!) + Math.abs(q[1]! - near[1]!));
      if (!(cost < least)) continue;
      least = cost;
      this.#solution[0] = q[0]!;
      this.#solution[1] = q[1]!;
      status = past <= AIM_TOLERANCE ? AimStatus.exact : AimStatus.limited;
    }
    out[0] = this.#solution[0]!;
    out[1] = this.#solution[1]!;
    return status;
  }

  /** A point in the middle between two others as seen with the neck at `near`; all in the base link's frame. */
  middle(first: vec3.Vec3, second: vec3.Vec3, near: Float64Array, out: vec3.Vec3): vec3.Vec3 {
    const eye = this.#eye;
    this.opticalAxis(near, eye, this.#y);
    const a = vec3.distance(first, eye);
    const b = vec3.distance(second, eye);
    for (let k = 0; k < 3; k++) out[k] = (first[k]! - eye[k]!) / a + (second[k]! - eye[k]!) / b;
    vec3.normalize(out, out);
    return vec3.addScaled(eye, out, (a + b) / 2, out);
  }

  /** Where the optical axis begins and whither it goes, with the neck at `q`; in the base link's frame. */
  opticalAxis(q: Float64Array, eye: vec3.Vec3, direction: vec3.Vec3): void {
    rotateAboutY(q, this.#c, eye);
    vec3.add(eye, this.#o2, eye);
    rotate(this.#a1, q, 1, eye, eye);
    vec3.add(mat3.transform(this.#baseFromInner, eye, eye), this.#o1, eye);
    rotateAboutY(q, this.#d, direction);
    rotate(this.#a1, q, 1, direction, direction);
    mat3.transform(this.#baseFromInner, direction, direction);
  }

  /** θ₁ of one of the two solutions; where there is none, the angle that comes nearest. */
  #solveFirst(branch: number): void {
    const r = this.#r;
    const sine = this.#a1[1];
    const cosine = this.#a1[2];
    // a₂·Rot(a₁, −θ₁)·r = along + A·cos θ₁ + B·sin θ₁
    const along = sine * (sine * r[1] + cosine * r[2]);
    const A = r[1] - along;
    const B = -cosine * r[0];
    const size = Math.sqrt(A * A + B * B);
    const slope = this.#d[1];
    this.#measures[0] = Math.sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2]);
    for (let round = 0; round < ROUNDS; round++) {
      const C = this.#o2[1] + this.#c[1] + this.#measures[0]! * slope - along;
      const lean = size > 0 ? Math.acos(Math.max(-1, Math.min(1, C / size))) : 0;
      this.#candidate[0] = Math.atan2(B, A) + branch * lean;
      if (Math.abs(slope) < RIGHT_ANGLE) return;
      this.#undoFirst();
    }
  }

  /** y(θ₁), and s from |c⊥ + s·d⊥|² = |y⊥|²; 0 for a point nearer to a₂ than the optical axis ever is. */
  #undoFirst(): void {
    const y = rotate(this.#a1, this.#candidate, -1, this.#r, this.#y);
    y[0] -= this.#o2[0];
    y[1] -= this.#o2[1];
    y[2] -= this.#o2[2];
    const c = this.#c;
    const d = this.#d;
    const dd = d[0] * d[0] + d[2] * d[2];
    const cd = c[0] * d[0] + c[2] * d[2];
    const rest = c[0] * c[0] + c[2] * c[2] - y[0] * y[0] - y[2] * y[2];
    const root = cd * cd - dd * rest;
    this.#measures[0] = root > 0 ? Math.max(0, (Math.sqrt(root) - cd) / dd) : 0;
  }

  /** θ₂: the angle about a₂ from c + s·d to y. */
  #solveSecond(): void {
    const s = this.#measures[0]!;
    const x = this.#c[0] + s * this.#d[0];
    const z = this.#c[2] + s * this.#d[2];
    const y = this.#y;
    this.#candidate[1] = Math.atan2(z * y[0] - x * y[2], x * y[0] + z * y[2]);
  }

  /** Angle `i` of the candidate by whole turns as near to `near` as the limits allow; a limit if none is within. */
  #bring(i: 0 | 1, near: Float64Array): void {
    const lower = this.lower[i]!;
    const upper = this.upper[i]!;
    const angle = this.#candidate[i]!;
    const nearest = angle - FULL_TURN * Math.round((angle - near[i]!) / FULL_TURN);
    const smallest = angle - FULL_TURN * Math.round(angle / FULL_TURN);
    const isWithin = nearest >= lower && nearest <= upper;
    this.#candidate[i] = isWithin ? nearest : Math.max(lower, Math.min(upper, smallest));
  }

  /** Angle between the candidate's optical axis and the line from its eye to the point, with θ₁ undone. */
  #measurePast(): void {
    const eye = rotateAboutY(this.#candidate, this.#c, this.#eye);
    const x = this.#y[0] - eye[0];
    const y = this.#y[1] - eye[1];
    const z = this.#y[2] - eye[2];
    const d = rotateAboutY(this.#candidate, this.#d, this.#eye);
    const cx = d[1] * z - d[2] * y;
    const cy = d[2] * x - d[0] * z;
    const cz = d[0] * y - d[1] * x;
    this.#measures[1] = Math.atan2(Math.sqrt(cx * cx + cy * cy + cz * cz), d[0] * x + d[1] * y + d[2] * z);
  }
}

/** Axes x, y, z as columns: y along a₂, x across both, so that a₁ has no x; any x if they are parallel. */
function innerAxes(a1: vec3.Vec3, a2: vec3.Vec3): mat3.Mat3 {
  const x = vec3.cross(a2, a1, vec3.create());
  const other = Math.abs(a2[0]) < 0.9 ? vec3.create(1, 0, 0) : vec3.create(0, 1, 0);
  if (vec3.norm(x) < 1e-9) vec3.cross(a2, other, x);
  vec3.normalize(x, x);
  const z = vec3.cross(x, a2, vec3.create());
  const axes = mat3.create();
  for (let k = 0; k < 3; k++) axes.set([x[k]!, a2[k]!, z[k]!], 3 * k);
  return axes;
}

/** `v` turned by θ₂ = q[1] about y. The angle comes in an array since a plain number would be boxed. */
function rotateAboutY(q: Float64Array, v: vec3.Vec3, out: vec3.Vec3): vec3.Vec3 {
  const c = Math.cos(q[1]!);
  const s = Math.sin(q[1]!);
  const x = v[0];
  out[0] = c * x + s * v[2];
  out[1] = v[1];
  out[2] = c * v[2] - s * x;
  return out;
}

/** `v` turned by sign·θ₁, θ₁ = q[0], about a₁ = (0, y, z); `out` may be `v`. */
function rotate(a1: vec3.Vec3, q: Float64Array, sign: 1 | -1, v: vec3.Vec3, out: vec3.Vec3): vec3.Vec3 {
  const c = Math.cos(q[0]!);
  const s = sign * Math.sin(q[0]!);
  const along = (1 - c) * (a1[1] * v[1] + a1[2] * v[2]);
  const x = v[0];
  const y = v[1];
  const z = v[2];
  out[0] = c * x + s * (a1[1] * z - a1[2] * y);
  out[1] = c * y + s * a1[2] * x + along * a1[1];
  out[2] = c * z - s * a1[1] * x + along * a1[2];
  return out;
}

/** A neck with both joints at zero, in the frame of the link that it stands on. */
interface NeckGeometry {
  readonly group: JointGroup;
  /** Unit axes of the two joints, and a point on each. */
  readonly axes: readonly [vec3.Vec3, vec3.Vec3];
  readonly origins: readonly [vec3.Vec3, vec3.Vec3];
  /** Middle between the cameras, and their mean optical axis: a unit vector. */
  readonly eye: vec3.Vec3;
  readonly direction: vec3.Vec3;
}

/** Least share of the optical axis across the second joint's axis; with less, that joint cannot point it. */
const LEAST_ACROSS = 0.1;

/** Whether the robot has a neck that `neckGeometry` accepts the kind of. */
export function hasNeck(robot: Robot): boolean {
  return robot.model.groups.some(({ kind }) => kind === "neck") && robot.cameras.length > 0;
}

export function neckGeometry(robot: Robot): NeckGeometry {
  const { model } = robot;
  const group = model.groups.find(({ kind }) => kind === "neck");
  if (group === undefined) throw unsupported(robot, "a group of kind neck", "none");
  const joints = movingJoints(model, group);
  const isPair = joints.length === 2 && joints.every((joint, i) => isPlainRevolute(model, joint, group.dofs[i]!));
  if (!isPair) throw unsupported(robot, "two revolute joints, neither coupled", `${joints.length} joints`);
  const state = stateAt(model);
  const [first, second] = joints.map((joint) => axisOf(state, group.baseLink, joint)) as [Axis, Axis];
  const { eye, direction } = opticalAxis(robot, state, group.baseLink);
  const across = vec3.norm(vec3.cross(second.axis, direction, vec3.create()));
  if (!(across >= LEAST_ACROSS))
    throw unsupported(robot, "an optical axis across that of the second joint", "along it");
  return { group, axes: [first.axis, second.axis], origins: [first.origin, second.origin], eye, direction };
}

function movingJoints(model: RobotModel, { baseLink, tipLink }: JointGroup): number[] {
  const joints: number[] = [];
  for (let link = tipLink; link > baseLink; link = model.parentLink[link]!) {
    if (model.jointKind[link] !== JointKind.fixed) joints.unshift(link);
  }
  return joints;
}

function isPlainRevolute(model: RobotModel, joint: number, dof: number | undefined): boolean {
  const first = model.termStart[joint]!;
  const isPlain = model.termStart[joint + 1] === first + 1 && model.termFactor[first] === 1;
  return isPlain && model.termDof[first] === dof && model.jointKind[joint] === JointKind.revolute;
}

interface Axis {
  readonly axis: vec3.Vec3;
  readonly origin: vec3.Vec3;
}

function axisOf(state: RobotState, baseLink: number, joint: number): Axis {
  const worldFromBase = state.worldFromLink[baseLink]!;
  const axis = vec3.copy(vec3.view(state.worldAxis, 3 * joint), vec3.create());
  return {
    axis: pose.rotateVectorInverse(worldFromBase, axis, axis),
    origin: pose.getTranslation(relativePose(state, baseLink, joint, pose.create()), vec3.create()),
  };
}

/** Of the stereo pair, or of the first camera where there is none. Optical frames have z forward. */
function opticalAxis(robot: Robot, state: RobotState, baseLink: number): { eye: vec3.Vec3; direction: vec3.Vec3 } {
  const { cameras, stereo } = robot;
  const used = stereo === undefined ? cameras.slice(0, 1) : [cameras[stereo.left]!, cameras[stereo.right]!];
  if (used.length === 0) throw unsupported(robot, "a camera", "none");
  const eye = vec3.create();
  const direction = vec3.create();
  for (const { link } of used) {
    const baseFromCamera: pose.Pose = relativePose(state, baseLink, link, pose.create());
    vec3.addScaled(eye, pose.getTranslation(baseFromCamera, vec3.create()), 1 / used.length, eye);
    vec3.add(direction, vec3.create(baseFromCamera[2], baseFromCamera[5], baseFromCamera[8]), direction);
  }
  return { eye, direction: vec3.normalize(direction, direction) };
}

function unsupported(robot: Robot, expected: string, found: string): FlycatcherError {
  return new FlycatcherError("FLY_NECK_UNSUPPORTED", `${robot.name} cannot point its cameras`, { expected, found });
}
