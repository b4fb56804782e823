import * as pose from "../../math/pose.js";
import { FlycatcherError } from "../../runtime/errors.js";
import { JointKind, type RobotModel } from "../robot.js";
import { type ChainStep, chainSteps } from "./chain-steps.js";
import { sinCos } from "./sin-cos.js";

/** How a step's constant is applied. */
const Placement = { aboutX: 0, any: 1 } as const;

/**
 * The kinematics between two links for planning: only the chain's own dofs, everything constant merged, nothing
 * allocated. `update(q)` computes the tip and all joint frames; the rest reads what it left.
 *
 * Each joint is brought to the form Rz(q + offset) with a constant translation and a rotation about x before it: the
 * other two of a constant rotation's Euler angles (z–x–z) are absorbed by the joints on either side.
 *
 * @example
 * const arm = new KinematicChain(model, chest, hand, group.dofs);
 * arm.update(q);
 * arm.baseFromTip; // chestFromHand
 * arm.jacobian(J); // 6 × 7
 */
export class KinematicChain {
  readonly model: RobotModel;
  readonly baseLink: number;
  readonly tipLink: number;
  /** The chain's dofs as indices of the model; q of every method is in this order. */
  readonly dofs: Int32Array;
  readonly dofCount: number;
  /** Moving joints between base and tip, in that order: the link above which each sits. */
  readonly joints: Int32Array;
  readonly jointCount: number;
  /** Limits of the chain's dofs. [dofCount] */
  readonly lower: Float64Array;
  readonly upper: Float64Array;

  /** Pose of the tip in the base; `update`. */
  readonly baseFromTip = pose.create();
  /** Origin of each joint's frame in the base [m]; `update`. [3·jointCount] */
  readonly jointOrigin: Float64Array;
  /**
   * Unit axis of each joint in the base; `update`. For a joint passed from child to parent it is still the joint's own
   * axis, though the tip moves against it. [3·jointCount]
   */
  readonly jointAxis: Float64Array;

  readonly steps: readonly ChainStep[];
  /** `JointKind` of each joint. [jointCount] */
  readonly kind: Uint8Array;
  /** Joint s has the terms termStart[s] … termStart[s + 1] − 1 of `termDof` (counting within the chain) and `termFactor`. */
  readonly termStart: Int32Array;
  readonly termDof: Int32Array;
  readonly termFactor: Float64Array;
  readonly #held: Float64Array | undefined;
  /** Rotation and translation before each step, the rotation reduced to Rx if `#placement` says so. [12·(joints + 1)] */
  readonly #constants: Float64Array;
  readonly #placement: Uint8Array;
  readonly #offset: Float64Array;
  readonly #position: Float64Array;
  readonly #sin: Float64Array;
  readonly #cos: Float64Array;

  /**
   * `held` (a position for every dof of the model) fixes the dofs on the way that are not the chain's; without it such
   * a dof is an error. A dof of the chain that does not lie on the way is allowed and has no effect.
   */
  constructor(
    model: RobotModel,
    baseLink: number,
    tipLink: number,
    dofs: readonly number[] | Int32Array,
    held?: Float64Array,
  ) {
    checkIndices(model, baseLink, tipLink, dofs);
    if (held !== undefined) checkHeld(model, held);
    this.model = model;
    this.baseLink = baseLink;
    this.tipLink = tipLink;
    this.dofs = Int32Array.from(dofs);
    this.dofCount = dofs.length;
    this.lower = Float64Array.from(dofs, (dof) => model.lower[dof]!);
    this.upper = Float64Array.from(dofs, (dof) => model.upper[dof]!);
    this.#held = held?.slice();
    const { steps, tail } = chainSteps(model, baseLink, tipLink, [...dofs], held);
    const count = steps.length;
    this.steps = steps;
    this.joints = Int32Array.from(steps, (step) => step.link);
    this.jointCount = count;
    this.jointOrigin = new Float64Array(3 * count);
    this.jointAxis = new Float64Array(3 * count);
    this.#constants = new Float64Array(12 * (count + 1));
    this.#placement = new Uint8Array(count + 1);
    this.kind = Uint8Array.from(steps, (step) => step.kind);
    this.#offset = Float64Array.from(steps, (step) => step.offset);
    const terms = steps.flatMap((step) => step.terms);
    this.termStart = new Int32Array(count + 1);
    for (let s = 0; s < count; s++) this.termStart[s + 1] = this.termStart[s]! + steps[s]!.terms.length;
    this.termDof = Int32Array.from(terms, (term) => term.dof);
    this.termFactor = Float64Array.from(terms, (term) => term.factor);
    this.#position = new Float64Array(count);
    this.#sin = new Float64Array(count);
    this.#cos = new Float64Array(count);
    this.#reduce([...steps.map((step) => step.placement), tail]);
  }

  /** The same chain with results of its own. */
  clone(): KinematicChain {
    return new KinematicChain(this.model, this.baseLink, this.tipLink, this.dofs, this.#held);
  }

  /** Forward kinematics: fills baseFromTip, jointOrigin and jointAxis. */
  update(q: Float64Array): void {
    const count = this.jointCount;
    const C = this.#constants;
    const placement = this.#placement;
    const origin = this.jointOrigin;
    const axis = this.jointAxis;
    const position = this.#position;
    const sin = this.#sin;
    const cos = this.#cos;
    this.#place(q);
    sinCos(position, count, sin, cos);
    // Columns x, y, z of the running rotation and the running origin p, in locals so that they stay in registers.
    let xx = 1;
    let xy = 0;
    let xz = 0;
    let yx = 0;
    let yy = 1;
    let yz = 0;
    let zx = 0;
    let zy = 0;
    let zz = 1;
    let px = 0;
    let py = 0;
    let pz = 0;
    for (let s = 0; s <= count; s++) {
      const k = 12 * s;
      const tx = C[k + 9]!;
      const ty = C[k + 10]!;
      const tz = C[k + 11]!;
      px += xx * tx + yx * ty + zx * tz;
      py += xy * tx + yy * ty + zy * tz;
      pz += xz * tx + yz * ty + zz * tz;
      if (placement[s] === Placement.aboutX) {
        const c = C[k + 4]!;
        const d = C[k + 7]!;
        const x = yx;
        const y = yy;
        const z = yz;
        yx = c * x + d * zx;
        yy = c * y + d * zy;
        yz = c * z + d * zz;
        zx = c * zx - d * x;
        zy = c * zy - d * y;
        zz = c * zz - d * z;
      } else {
        const c0 = C[k]!;
        const c1 = C[k + 1]!;
        const c2 = C[k + 2]!;
        const c3 = C[k + 3]!;
        const c4 = C[k + 4]!;
        const c5 = C[k + 5]!;
        const c6 = C[k + 6]!;
        const c7 = C[k + 7]!;
        const c8 = C[k + 8]!;
        const ux = xx;
        const uy = xy;
        const uz = xz;
        const vx = yx;
        const vy = yy;
        const vz = yz;
        xx = ux * c0 + vx * c3 + zx * c6;
        xy = uy * c0 + vy * c3 + zy * c6;
        xz = uz * c0 + vz * c3 + zz * c6;
        yx = ux * c1 + vx * c4 + zx * c7;
        yy = uy * c1 + vy * c4 + zy * c7;
        yz = uz * c1 + vz * c4 + zz * c7;
        zx = ux * c2 + vx * c5 + zx * c8;
        zy = uy * c2 + vy * c5 + zy * c8;
        zz = uz * c2 + vz * c5 + zz * c8;
      }
      if (s === count) break;
      const o = 3 * s;
      axis[o] = zx;
      axis[o + 1] = zy;
      axis[o + 2] = zz;
      if (this.kind[s] === JointKind.revolute) {
        const c = cos[s]!;
        const d = sin[s]!;
        const x = xx;
        const y = xy;
        const z = xz;
        xx = c * x + d * yx;
        xy = c * y + d * yy;
        xz = c * z + d * yz;
        yx = c * yx - d * x;
        yy = c * yy - d * y;
        yz = c * yz - d * z;
      } else {
        const d = position[s]!;
        px += d * zx;
        py += d * zy;
        pz += d * zz;
      }
      origin[o] = px;
      origin[o + 1] = py;
      origin[o + 2] = pz;
    }
    const tip = this.baseFromTip;
    tip[0] = xx;
    tip[1] = yx;
    tip[2] = zx;
    tip[3] = xy;
    tip[4] = yy;
    tip[5] = zy;
    tip[6] = xz;
    tip[7] = yz;
    tip[8] = zz;
    tip[9] = px;
    tip[10] = py;
    tip[11] = pz;
  }

  /**
   * Jacobian of the tip's origin in the base, for the `q` of the last `update`: 6 × dofCount, row-major, rows 0–2
   * linear [m/s per unit], 3–5 angular [rad/s per unit].
   */
  jacobian(out: Float64Array): Float64Array {
    const { jointAxis: axis, jointOrigin: origin, jointCount, baseFromTip: tip, dofCount: n } = this;
    out.fill(0, 0, 6 * n);
    for (let s = 0; s < jointCount; s++) {
      const o = 3 * s;
      const ax = axis[o]!;
      const ay = axis[o + 1]!;
      const az = axis[o + 2]!;
      const rx = tip[9] - origin[o]!;
      const ry = tip[10] - origin[o + 1]!;
      const rz = tip[11] - origin[o + 2]!;
      const revolute = this.kind[s] === JointKind.revolute;
      const lx = revolute ? ay * rz - az * ry : ax;
      const ly = revolute ? az * rx - ax * rz : ay;
      const lz = revolute ? ax * ry - ay * rx : az;
      const end = this.termStart[s + 1]!;
      for (let k = this.termStart[s]!; k < end; k++) {
        const factor = this.termFactor[k]!;
        const d = this.termDof[k]!;
        out[d] = out[d]! + factor * lx;
        out[d + n] = out[d + n]! + factor * ly;
        out[d + 2 * n] = out[d + 2 * n]! + factor * lz;
        if (!revolute) continue;
        out[d + 3 * n] = out[d + 3 * n]! + factor * ax;
        out[d + 4 * n] = out[d + 4 * n]! + factor * ay;
        out[d + 5 * n] = out[d + 5 * n]! + factor * az;
      }
    }
    return out;
  }

  /** Position of every joint from those of the dofs. */
  #place(q: Float64Array): void {
    const start = this.termStart;
    const count = this.jointCount;
    for (let s = 0; s < count; s++) {
      const end = start[s + 1]!;
      let sum = this.#offset[s]!;
      for (let k = start[s]!; k < end; k++) sum += this.termFactor[k]! * q[this.termDof[k]!]!;
      this.#position[s] = sum;
    }
  }

  /**
   * Writes the constants, those between two revolute joints as Rz(a)·Rx(α)·Rz(b) with a and b moved into the offsets
   * of the joints before and after.
   */
  #reduce(placements: readonly pose.Pose[]): void {
    const last = this.jointCount;
    placements.forEach((placement, s) => {
      const between =
        s > 0 && s < last && this.kind[s - 1] === JointKind.revolute && this.kind[s] === JointKind.revolute;
      this.#placement[s] = between ? Placement.aboutX : Placement.any;
      this.#constants.set(placement, 12 * s);
      if (!between) return;
      const { before, middle, after } = eulerZXZ(placement);
      this.#offset[s - 1] = this.#offset[s - 1]! + before;
      this.#offset[s] = this.#offset[s]! + after;
      const c = Math.cos(before);
      const d = Math.sin(before);
      const translation = [c * placement[9] + d * placement[10], c * placement[10] - d * placement[9], placement[11]];
      const [cm, sm] = [Math.cos(middle), Math.sin(middle)];
      this.#constants.set([1, 0, 0, 0, cm, -sm, 0, sm, cm, ...translation], 12 * s);
    });
  }
}

/** The rotation as Rz(before)·Rx(middle)·Rz(after); well defined at middle = 0 and π too. */
function eulerZXZ(p: pose.Pose): { before: number; middle: number; after: number } {
  const before = Math.atan2(p[2], 0 - p[5]);
  const c = Math.cos(before);
  const s = Math.sin(before);
  return {
    before,
    middle: Math.atan2(s * p[2] - c * p[5], p[8]),
    after: Math.atan2(-(c * p[1] + s * p[4]), c * p[0] + s * p[3]),
  };
}

function checkIndices(model: RobotModel, base: number, tip: number, dofs: readonly number[] | Int32Array): void {
  for (const link of [base, tip]) {
    if (!(Number.isInteger(link) && link >= 0 && link < model.linkCount)) {
      throw invalid("a link", link, model.linkCount);
    }
  }
  for (const dof of dofs) {
    if (!(Number.isInteger(dof) && dof >= 0 && dof < model.dofCount)) throw invalid("a dof", dof, model.dofCount);
  }
  if (new Set(dofs).size !== dofs.length) {
    throw new FlycatcherError("FLY_CHAIN_INVALID", "A chain names a dof twice", {
      expected: "each dof once",
      found: [...dofs].join(", "),
    });
  }
}

function checkHeld(model: RobotModel, held: Float64Array): void {
  if (held.length === model.dofCount && held.every(Number.isFinite)) return;
  throw new FlycatcherError("FLY_CHAIN_INVALID", "A chain's held positions do not fit the robot", {
    expected: `${model.dofCount} finite numbers, one for each dof`,
    found: `${held.length}, of which ${held.filter(Number.isFinite).length} finite`,
  });
}

function invalid(what: string, found: number, count: number): FlycatcherError {
  return new FlycatcherError("FLY_CHAIN_INVALID", `A chain names ${what} the robot does not have`, {
    expected: `an index below ${count}`,
    found: String(found),
  });
}
