import * as cholesky from "../../math/cholesky.js";
import { MatrixStatus } from "../../math/cholesky.js";
import { so3Log } from "../../math/lie.js";
import * as mat3 from "../../math/mat3.js";
import type { Pose } from "../../math/pose.js";
import * as vec3 from "../../math/vec3.js";
import type { KinematicChain } from "../../robot/kinematics/chain.js";

/** What of a frame's orientation a goal asks for. */
export type FreeAxes =
  /** Nothing is free: position and orientation. */
  | { readonly kind: "none" }
  /** The roll about the frame's z axis is free. */
  | { readonly kind: "roll" }
  /** The z axis lies within an angle of the target's [rad]. */
  | { readonly kind: "cone"; readonly angle: number }
  /** Only the position counts. */
  | { readonly kind: "orientation" };

/** Error of the frame's origin [m] and of its orientation [rad] that is good enough. */
const TOLERANCE = 1e-9;
/** Relative damping: rows of free axes are zero. */
const DAMPING = 1e-10;
/** Steps in which the goal has to be met for the first time, and all steps. */
const STEPS = 40;
const MOST_STEPS = 110;
/** Pulls towards the middle, each made good again by steps to the goal; the fewest before one that gains too little ends it. */
const MOST_PULLS = 16;
const LEAST_PULLS = 4;
const WORTHWHILE = 0.995;
/** Longest step of a joint [rad or m], and errors of which one step takes a part only [m, rad]. */
const LONGEST_STEP = 0.6;
const LONGEST_PULL = 0.25;
const FAR = 0.25;
/** Power of the norm that stands for the greatest of all stretched ways. */
const POWER = 8;
/** A cone is entered by so much, so that its border is not missed by rounding [rad]. */
const INSIDE = 1e-6;

/**
 * Finds a configuration of some joints with a frame where it is wanted, and among those one that is near a middle measured
 * in widths: with the middle and the half widths of what each joint can reach by a time, a configuration with all |z| ≤ 1
 * is one that can be reached by then.
 *
 * Steps lead to the goal by the least weighted way, within the joint limits. Once there, pulls lead towards the middle along
 * what the goal leaves free, Σ (z/w)² becoming the least; and the weights are changed so that the greatest |z| counts most
 * (iteratively reweighted least squares).
 */
export class ReachSolver {
  readonly chain: KinematicChain;
  /** Errors of the last result [m, rad]. */
  positionError = Number.NaN;
  rotationError = Number.NaN;
  /** Greatest |z| of the last result. */
  stretch = Number.NaN;

  readonly #free: FreeAxes;
  readonly #error = new Float64Array(6);
  readonly #rotation = vec3.create();
  readonly #turn = mat3.create();
  readonly #jacobian: Float64Array;
  readonly #normal = new Float64Array(36);
  readonly #multiplier = new Float64Array(6);
  readonly #weight: Float64Array;
  readonly #z: Float64Array;
  readonly #blocked: Uint8Array;
  readonly #best: Float64Array;

  constructor(chain: KinematicChain, free: FreeAxes) {
    const n = chain.dofCount;
    this.chain = chain;
    this.#free = free;
    this.#jacobian = new Float64Array(6 * n);
    this.#weight = new Float64Array(n);
    this.#z = new Float64Array(n);
    this.#blocked = new Uint8Array(n);
    this.#best = new Float64Array(n);
  }

  /**
   * From `q`, which it overwrites, to a configuration with the frame at `target` (base-from-frame), as near to `middle` as
   * `halfWidth` says; whether it got there. Ends as soon as the greatest |z| is at most `enough`.
   */
  solve(target: Pose, middle: Float64Array, halfWidth: Float64Array, enough: number, q: Float64Array): boolean {
    this.#weight.fill(1);
    let least = Number.POSITIVE_INFINITY;
    let pulls = 0;
    for (let step = 0; step < MOST_STEPS; step++) {
      this.#measure(target, q);
      const isThere = this.#isThere();
      if (isThere) {
        this.#stretchAt(q, middle, halfWidth);
        const isBetter = this.stretch < WORTHWHILE * least;
        if (this.stretch < least) {
          least = this.stretch;
          this.#best.set(q);
        }
        if (least <= enough || pulls >= MOST_PULLS || (!isBetter && pulls > LEAST_PULLS)) break;
        pulls++;
        if (pulls > 1) this.#reweigh();
      } else if (step >= STEPS && least === Number.POSITIVE_INFINITY) break;
      // On the way there a step is the least one; once there the next leads to the middle.
      if (!this.#step(q, isThere ? middle : q, halfWidth, isThere ? LONGEST_PULL : LONGEST_STEP)) break;
    }
    if (least === Number.POSITIVE_INFINITY) return false;
    q.set(this.#best);
    this.#measure(target, q);
    this.#stretchAt(q, middle, halfWidth);
    return true;
  }

  #isThere(): boolean {
    return this.positionError <= TOLERANCE && this.rotationError <= TOLERANCE;
  }

  #measure(target: Pose, q: Float64Array): void {
    const e = this.#error;
    this.chain.update(q);
    const tip = this.chain.baseFromTip;
    this.#turnTo(target, tip);
    for (let i = 0; i < 3; i++) {
      e[i] = target[9 + i]! - tip[9 + i]!;
      e[3 + i] = this.#rotation[i]!;
    }
    this.positionError = Math.hypot(e[0]!, e[1]!, e[2]!);
    this.rotationError = vec3.norm(this.#rotation);
    const share = Math.min(1, FAR / Math.max(this.positionError, 0.5 * this.rotationError));
    if (share < 1) for (let row = 0; row < 6; row++) e[row] = e[row]! * share;
  }

  /** The least rotation vector that brings the frame to what is asked for, in the base's axes. */
  #turnTo(target: Pose, tip: Pose): void {
    const out = this.#rotation;
    if (this.#free.kind === "orientation") {
      vec3.set(0, 0, 0, out);
      return;
    }
    if (this.#free.kind === "none") {
      mat3.multiply(target, mat3.transpose(tip, this.#turn), this.#turn);
      so3Log(this.#turn, out);
      return;
    }
    const x = tip[5] * target[8] - tip[8] * target[5];
    const y = tip[8] * target[2] - tip[2] * target[8];
    const z = tip[2] * target[5] - tip[5] * target[2];
    const sine = Math.hypot(x, y, z);
    const angle = Math.atan2(sine, tip[2] * target[2] + tip[5] * target[5] + tip[8] * target[8]);
    const allowed = this.#free.kind === "cone" ? Math.max(0, this.#free.angle - INSIDE) : 0;
    const turn = angle <= allowed ? 0 : angle - allowed + (allowed > 0 ? 0.5 * INSIDE : 0);
    if (turn <= 0.5 * INSIDE && allowed > 0) vec3.set(0, 0, 0, out);
    else if (sine > 0) vec3.set((turn / sine) * x, (turn / sine) * y, (turn / sine) * z, out);
    else vec3.set(turn * tip[0], turn * tip[3], turn * tip[6], out);
  }

  #stretchAt(q: Float64Array, middle: Float64Array, halfWidth: Float64Array): void {
    this.stretch = 0;
    for (let i = 0; i < q.length; i++) {
      this.#z[i] = (q[i]! - middle[i]!) / halfWidth[i]!;
      const size = Math.abs(this.#z[i]!);
      // NaN must not pass for small.
      if (!(size <= this.stretch)) this.stretch = size;
    }
  }

  /** Joints that stretch most weigh most from now on. */
  #reweigh(): void {
    for (let i = 0; i < this.#weight.length; i++) {
      const share = Math.max(0.05, Math.abs(this.#z[i]!) / this.stretch);
      const wanted = share ** (-(POWER - 2) / 2);
      this.#weight[i] = Math.sqrt(this.#weight[i]! * Math.min(1e3, wanted));
    }
  }

  /** One step; joints that a limit stops are left out of it. False where it is not finite or too small to matter. */
  #step(q: Float64Array, middle: Float64Array, halfWidth: Float64Array, most: number): boolean {
    const n = this.chain.dofCount;
    this.chain.jacobian(this.#jacobian);
    this.#dropFreeRows();
    this.#blocked.fill(0);
    for (let round = 0; round < n; round++) {
      if (!this.#multipliers(q, middle, halfWidth)) return false;
      if (!this.#blockAtLimits(q, middle, halfWidth)) break;
    }
    return this.#move(q, middle, halfWidth, most);
  }

  #dropFreeRows(): void {
    const n = this.chain.dofCount;
    const J = this.#jacobian;
    const tip = this.chain.baseFromTip;
    const { kind } = this.#free;
    const isAnyhow = kind === "orientation" || (kind === "cone" && this.rotationError === 0);
    if (isAnyhow) J.fill(0, 3 * n);
    else if (kind !== "none") {
      for (let i = 0; i < n; i++) {
        const along = tip[2] * J[3 * n + i]! + tip[5] * J[4 * n + i]! + tip[8] * J[5 * n + i]!;
        J[3 * n + i] = J[3 * n + i]! - along * tip[2];
        J[4 * n + i] = J[4 * n + i]! - along * tip[5];
        J[5 * n + i] = J[5 * n + i]! - along * tip[8];
      }
    }
  }

  /** y of (A·Aᵀ + λ)·y = e + A·z, with A = J·diag(h·w) over the joints that are not blocked and z counted in w. */
  #multipliers(q: Float64Array, middle: Float64Array, halfWidth: Float64Array): boolean {
    const n = this.chain.dofCount;
    const J = this.#jacobian;
    const N = this.#normal;
    const y = this.#multiplier;
    let trace = 0;
    for (let a = 0; a < 6; a++) {
      let rhs = this.#error[a]!;
      for (let i = 0; i < n; i++) if (this.#blocked[i] === 0) rhs += J[a * n + i]! * (q[i]! - middle[i]!);
      y[a] = rhs;
      for (let b = 0; b <= a; b++) {
        let sum = 0;
        for (let i = 0; i < n; i++) {
          if (this.#blocked[i] === 1) continue;
          const scale = halfWidth[i]! * this.#weight[i]!;
          sum += J[a * n + i]! * J[b * n + i]! * scale * scale;
        }
        N[6 * a + b] = sum;
      }
      trace += N[7 * a]!;
    }
    for (let a = 0; a < 6; a++) N[7 * a] = N[7 * a]! + DAMPING * trace + 1e-18;
    if (cholesky.factor(N, 6, N) !== MatrixStatus.ok) return false;
    cholesky.solve(N, y, 6, y);
    return true;
  }

  /** Where joint i goes. */
  #aim(i: number, middle: Float64Array, halfWidth: Float64Array): number {
    const n = this.chain.dofCount;
    const scale = halfWidth[i]! * this.#weight[i]!;
    let sum = 0;
    for (let a = 0; a < 6; a++) sum += this.#jacobian[a * n + i]! * this.#multiplier[a]!;
    return middle[i]! + scale * scale * sum;
  }

  #blockAtLimits(q: Float64Array, middle: Float64Array, halfWidth: Float64Array): boolean {
    const { lower, upper, dofCount } = this.chain;
    let hasBlocked = false;
    for (let i = 0; i < dofCount; i++) {
      if (this.#blocked[i] === 1) continue;
      const aim = this.#aim(i, middle, halfWidth);
      const isStopped = (q[i]! <= lower[i]! && aim < lower[i]!) || (q[i]! >= upper[i]! && aim > upper[i]!);
      if (!isStopped) continue;
      this.#blocked[i] = 1;
      hasBlocked = true;
    }
    return hasBlocked;
  }

  #move(q: Float64Array, middle: Float64Array, halfWidth: Float64Array, most: number): boolean {
    const { lower, upper, dofCount } = this.chain;
    let longest = 0;
    for (let i = 0; i < dofCount; i++) {
      if (this.#blocked[i] === 1) continue;
      longest = Math.max(longest, Math.abs(this.#aim(i, middle, halfWidth) - q[i]!));
    }
    if (!(longest < Number.POSITIVE_INFINITY)) return false;
    const share = longest > most ? most / longest : 1;
    for (let i = 0; i < dofCount; i++) {
      if (this.#blocked[i] === 1) continue;
      const next = q[i]! + share * (this.#aim(i, middle, halfWidth) - q[i]!);
      q[i] = Math.max(lower[i]!, Math.min(upper[i]!, next));
    }
    return longest > 0;
  }
}
