import * as cholesky from "../../math/cholesky.js";
import { MatrixStatus } from "../../math/cholesky.js";
import * as vec3 from "../../math/vec3.js";
import { type CatchProblem, EQUALITIES } from "../problem/catch-problem.js";

/** Configurations drawn for one catch time, and those of them that are brought to the ball. */
const DRAWN = 144;
const REFINED = 16;
/** Newton steps of each; from a draw whose hand is some decimetres off, four or five reach a tenth of a millimetre. */
const STEPS = 6;
/** Error of hand and direction at which a start is good enough: the solver does the rest [m, rad]. */
const CLOSE = 1e-4;
/** Damping of the steps [m²]: below the square of any lever that matters. */
const DAMPING = 1e-4;
/** A turn of the hand by a radian counts as this far [m]: about the length of a forearm. */
const TURN_LENGTH = 0.3;
/** Configurations of one branch differ by less in every joint [rad or m]. */
const BRANCH_WIDTH = 0.6;

/**
 * Configurations with the hand at the ball for arms of any kinematics. Where an analytic inverse kinematics enumerates the
 * whole arm, this looks only where the joints can be in time: an even sequence of configurations (Roberts' R sequence)
 * fills the box of what each joint reaches by the catch time; those nearest to the ball are brought to it by damped Newton
 * steps on the five equalities of a catch, inside that box. Roll and redundancy stay free, whatever the number of joints.
 */
export class ReachableStarts {
  static readonly capacity = REFINED;
  /** Configurations of the last `find`, one after the other, and the branch of each. */
  readonly configurations: Float64Array;
  readonly branches = new Int32Array(REFINED);

  readonly #problem: CatchProblem;
  readonly #maxBranches: number;
  readonly #dofs: number;
  /** Steps of the even sequence in each dimension. */
  readonly #strides: Float64Array;
  readonly #low: Float64Array;
  readonly #high: Float64Array;
  readonly #q: Float64Array;
  readonly #costs = new Float64Array(REFINED);
  readonly #jacobian: Float64Array;
  readonly #rows: Float64Array;
  readonly #normal = new Float64Array(EQUALITIES * EQUALITIES);
  readonly #residual = new Float64Array(EQUALITIES);
  readonly #direction = vec3.create();
  readonly #axis = vec3.create();
  readonly #lever = vec3.create();

  constructor(problem: CatchProblem, maxBranches: number) {
    const { dofs } = problem;
    this.#problem = problem;
    this.#maxBranches = maxBranches;
    this.#dofs = dofs;
    this.configurations = new Float64Array(REFINED * dofs);
    this.#strides = evenStrides(dofs);
    this.#low = new Float64Array(dofs);
    this.#high = new Float64Array(dofs);
    this.#q = new Float64Array(dofs);
    this.#jacobian = new Float64Array(6 * dofs);
    this.#rows = new Float64Array(EQUALITIES * dofs);
  }

  /**
   * For a ball at `ball` with `velocity`, and the joints' reach as the problem's ramps have it: fills `configurations` and
   * `branches`, returns how many. Each `round` draws others.
   */
  find(ball: vec3.Vec3, velocity: vec3.Vec3, round: number): number {
    vec3.scale(velocity, 1 / vec3.norm(velocity), this.#direction);
    this.#bound();
    const found = this.#draw(ball, round);
    for (let k = 0; k < found; k++) {
      const q = this.configurations.subarray(k * this.#dofs, (k + 1) * this.#dofs);
      this.#refine(q, ball);
      this.branches[k] = this.#branchOf(k);
    }
    return found;
  }

  /** The box of what the joints reach by the catch time. A joint whose reach is all outside its limits stands on one. */
  #bound(): void {
    const { ramps, lower, upper } = this.#problem;
    for (let i = 0; i < this.#dofs; i++) {
      this.#low[i] = Math.min(Math.max(lower[i]!, ramps.lowest[i]!), upper[i]!);
      this.#high[i] = Math.max(Math.min(upper[i]!, ramps.highest[i]!), this.#low[i]!);
    }
  }

  /** The draws with the hand nearest to the ball, nearest first. */
  #draw(ball: vec3.Vec3, round: number): number {
    const { chain } = this.#problem.arm;
    const dofs = this.#dofs;
    const q = this.#q;
    const costs = this.#costs;
    let found = 0;
    for (let s = 0; s < DRAWN; s++) {
      const place = round * DRAWN + s + 1;
      for (let i = 0; i < dofs; i++) {
        const along = 0.5 + place * this.#strides[i]!;
        q[i] = this.#low[i]! + (along - Math.floor(along)) * (this.#high[i]! - this.#low[i]!);
      }
      chain.update(q);
      const cost = this.#distance(ball);
      if (found === REFINED && !(cost < costs[found - 1]!)) continue;
      let at = found < REFINED ? found++ : found - 1;
      for (; at > 0 && costs[at - 1]! > cost; at--) {
        costs[at] = costs[at - 1]!;
        this.configurations.copyWithin(at * dofs, (at - 1) * dofs, at * dofs);
      }
      costs[at] = cost;
      this.configurations.set(q, at * dofs);
    }
    return found;
  }

  /** Squared distance of the hand to the ball, its turn away from it included. */
  #distance(ball: vec3.Vec3): number {
    const tip = this.#problem.arm.chain.baseFromTip;
    const d = this.#direction;
    let sum = 0;
    for (let k = 0; k < 3; k++) {
      const off = tip[9 + k]! - ball[k]!;
      const turned = TURN_LENGTH * (tip[3 * k + 2]! + d[k]!);
      sum += off * off + turned * turned;
    }
    return sum;
  }

  /** Newton steps to the ball, inside the box. */
  #refine(q: Float64Array, ball: vec3.Vec3): void {
    const { chain } = this.#problem.arm;
    for (let step = 0; step < STEPS; step++) {
      chain.update(q);
      if (!(this.#linearise(ball) > CLOSE)) return;
      if (!this.#solve()) return;
      for (let i = 0; i < this.#dofs; i++) {
        let move = 0;
        for (let row = 0; row < EQUALITIES; row++) move -= this.#rows[row * this.#dofs + i]! * this.#residual[row]!;
        q[i] = Math.min(Math.max(q[i]! + move, this.#low[i]!), this.#high[i]!);
      }
    }
  }

  /** Residual and its derivatives by the joints, where the chain is; returns the greatest residual. */
  #linearise(ball: vec3.Vec3): number {
    const { chain } = this.#problem.arm;
    const dofs = this.#dofs;
    const J = chain.jacobian(this.#jacobian);
    const tip = chain.baseFromTip;
    const turnedAway = tip[2] * this.#direction[0] + tip[5] * this.#direction[1] + tip[8] * this.#direction[2] > 0;
    let greatest = turnedAway ? Number.POSITIVE_INFINITY : 0;
    for (let k = 0; k < 3; k++) {
      this.#residual[k] = tip[9 + k]! - ball[k]!;
      for (let i = 0; i < dofs; i++) this.#rows[k * dofs + i] = J[k * dofs + i]!;
    }
    for (let k = 0; k < 2; k++) this.#lineariseAxis(k, J);
    for (let row = 0; row < EQUALITIES; row++) greatest = Math.max(greatest, Math.abs(this.#residual[row]!));
    return greatest;
  }

  /** Row 3 + k: the hand's axis k is across the ball's direction; in metres, as the rows of the position. */
  #lineariseAxis(k: number, J: Float64Array): void {
    const dofs = this.#dofs;
    const tip = this.#problem.arm.chain.baseFromTip;
    const axis = vec3.set(tip[k]!, tip[3 + k]!, tip[6 + k]!, this.#axis);
    const lever = vec3.cross(axis, this.#direction, this.#lever);
    this.#residual[3 + k] = TURN_LENGTH * vec3.dot(axis, this.#direction);
    for (let i = 0; i < dofs; i++) {
      const turn = lever[0] * J[3 * dofs + i]! + lever[1] * J[4 * dofs + i]! + lever[2] * J[5 * dofs + i]!;
      this.#rows[(3 + k) * dofs + i] = TURN_LENGTH * turn;
    }
  }

  /** (J·Jᵀ + λ)⁻¹·r in place of r. */
  #solve(): boolean {
    const dofs = this.#dofs;
    for (let a = 0; a < EQUALITIES; a++) {
      for (let b = 0; b <= a; b++) {
        let sum = a === b ? DAMPING : 0;
        for (let i = 0; i < dofs; i++) sum += this.#rows[a * dofs + i]! * this.#rows[b * dofs + i]!;
        this.#normal[a * EQUALITIES + b] = sum;
      }
    }
    if (cholesky.factor(this.#normal, EQUALITIES, this.#normal) !== MatrixStatus.ok) return false;
    cholesky.solve(this.#normal, this.#residual, EQUALITIES, this.#residual);
    return true;
  }

  /** That of the first configuration that is alike; else a new one, or the last where there are too many. */
  #branchOf(k: number): number {
    let next = 0;
    for (let other = 0; other < k; other++) {
      if (this.#areAlike(k, other)) return this.branches[other]!;
      next = Math.max(next, this.branches[other]! + 1);
    }
    return Math.min(next, this.#maxBranches - 1);
  }

  #areAlike(a: number, b: number): boolean {
    const dofs = this.#dofs;
    for (let i = 0; i < dofs; i++) {
      const apart = Math.abs(this.configurations[a * dofs + i]! - this.configurations[b * dofs + i]!);
      if (apart > BRANCH_WIDTH) return false;
    }
    return true;
  }
}

/** Steps of Roberts' R sequence: powers of the inverse of the root of xᵈ⁺¹ = x + 1. */
function evenStrides(dimensions: number): Float64Array {
  let root = 2;
  for (let k = 0; k < 64; k++) root = (1 + root) ** (1 / (dimensions + 1));
  return Float64Array.from({ length: dimensions }, (_, i) => root ** -(i + 1));
}
