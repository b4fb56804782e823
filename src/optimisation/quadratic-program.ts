import { ActiveFactor } from "./active-factor.js";
import { QuadraticConstraints } from "./quadratic-constraints.js";
import { WorstConflict } from "./worst-conflict.js";

export const QuadraticStatus = {
  solved: 0,
  /** No point satisfies the constraints (only where a `cap` is infinite). */
  infeasible: 1,
  /** Stopped early; step and multipliers are not an answer. */
  iterationLimit: 2,
  /** The Hessian is not positive definite. */
  notConvex: 3,
} as const;
export type QuadraticStatus = (typeof QuadraticStatus)[keyof typeof QuadraticStatus];

/** Squared part of a normal outside the span of the active ones below which it counts as linearly dependent on them. */
const dependence = 1e-20;
/** Part of a normal along an active one below which it is rounding, and that one's multiplier cannot block a step. */
const negligibleRate = 1e-14;
/** What ends a dual step, if it is not an active constraint at its (non-negative) position. */
const atLimit = -1;
const atCap = -2;

/**
 * A dense, strictly convex quadratic program
 *
 *     minimise ½·xᵀHx + gᵀx + Σ cap_k · violation_k(x)   within the bounds of x,
 *
 * where violation_k is the distance of row_k·x from [lower_k, upper_k]. With cap = Infinity the rows are ordinary
 * constraints (equal limits make an equality); a finite cap makes a row elastic: an ℓ1 penalty, so that an answer always
 * exists. In the dual a cap is nothing but the bound |multiplier| ≤ cap, so one dual active-set method (Goldfarb & Idnani
 * 1983) does both: a row whose multiplier reaches its cap leaves the active set *saturated*, pulling with that force.
 * The bounds of x are never elastic and are met exactly.
 *
 * Each solve starts from the active set of the last one (`constraints.activity`), allocates nothing, and gives the same
 * bits for the same input and activity.
 */
export class QuadraticProgram {
  readonly n: number;
  /** Limits, caps and bounds, filled by the caller before a solve; multipliers and activity after it. */
  readonly constraints: QuadraticConstraints;
  /** The answer x. */
  readonly step: Float64Array;
  /** Steps of the last solve. */
  iterations = 0;
  readonly iterationLimit: number;

  readonly #factor: ActiveFactor;
  /** The constraints in the factor, in its order. */
  readonly #active: Int32Array;
  #isConvex = false;
  #gradient: Float64Array;
  readonly #tilted: Float64Array;
  readonly #projected: Float64Array;
  readonly #coordinates: Float64Array;
  readonly #right: Float64Array;
  readonly #dualStep: Float64Array;
  readonly #direction: Float64Array;
  /** The constraint being enforced. */
  readonly #conflict = new WorstConflict();
  /** Of the normal last projected: its squared length, and the part of it outside the span of the active ones. */
  #squaredLength = Number.NaN;
  #freeSquaredLength = Number.NaN;
  /** Change of the conflicting constraint's multiplier in the step at hand. */
  #change = Number.NaN;

  constructor(n: number, rowCount: number) {
    this.n = n;
    this.constraints = new QuadraticConstraints(n, rowCount);
    this.step = new Float64Array(n);
    this.iterationLimit = 10 * (n + rowCount) + 50;
    this.#factor = new ActiveFactor(n);
    this.#active = new Int32Array(n);
    this.#gradient = new Float64Array(n);
    this.#tilted = new Float64Array(n);
    this.#projected = new Float64Array(n);
    this.#coordinates = new Float64Array(n);
    this.#right = new Float64Array(n);
    this.#dualStep = new Float64Array(n);
    this.#direction = new Float64Array(n);
  }

  /** Takes the Hessian of the solves to come (row-major, n × n). False if it is not positive definite. */
  setHessian(hessian: Float64Array): boolean {
    this.#isConvex = this.#factor.setHessian(hessian);
    return this.#isConvex;
  }

  /** Solves for this gradient and these rows (row-major, rowCount × n), with limits, caps and bounds as they stand. */
  solve(gradient: Float64Array, rows: Float64Array): QuadraticStatus {
    this.iterations = 0;
    if (!this.#isConvex) return QuadraticStatus.notConvex;
    this.#gradient = gradient;
    this.constraints.rows = rows;
    this.#seedActiveSet();
    this.#settleMultipliers();
    for (;;) {
      if (!this.#conflict.find(this.constraints, this.step)) break;
      const status = this.#enforce();
      if (status !== QuadraticStatus.solved) return status;
    }
    if (this.iterations > 0) this.#solveActiveSet();
    this.constraints.meetBounds(this.step);
    return QuadraticStatus.solved;
  }

  /** Forgets the active set, so that the next solve starts from none. */
  forgetActivity(): void {
    this.constraints.activity.fill(0);
  }

  /**
   * The shortest step, in the metric of H, that moves every active row by −residual while active bounds stay: the
   * second-order correction, when `residual` is what the linearisation left of each constraint.
   */
  correctActiveRows(residual: Float64Array, out: Float64Array): void {
    const factor = this.#factor;
    for (let k = 0; k < factor.size; k++) {
      const index = this.#active[k]!;
      this.#right[k] = index < this.constraints.rowCount ? -residual[index]! : 0;
    }
    factor.solveTriangleTransposed(this.#right, this.#coordinates);
    factor.combine(this.#coordinates, 0, factor.size, out);
  }

  /** Equalities first, then the constraints active last time, each only if independent of those before it. */
  #seedActiveSet(): void {
    const constraints = this.constraints;
    const { activity, rowCount } = constraints;
    this.#factor.restart();
    constraints.saturatedCount = 0;
    constraints.multipliers.fill(0);
    for (let k = 0; k < rowCount; k++)
      if (constraints.isEquality(k)) this.#seed(k, activity[k] === 0 ? 1 : activity[k]!);
    for (let k = 0; k < activity.length; k++)
      if (activity[k] !== 0 && (k >= rowCount || !constraints.isEquality(k))) this.#seed(k, activity[k]!);
  }

  #seed(index: number, guess: number): void {
    const constraints = this.constraints;
    constraints.activity[index] = 0;
    if (!constraints.hasLimit(index, guess)) return;
    if (guess === 2 || guess === -2) {
      constraints.saturate(index, guess >> 1);
      return;
    }
    if (this.#factor.size === this.n) return;
    this.#projectNormal(index);
    if (this.#freeSquaredLength > 0) this.#activate(index, guess);
  }

  /** From the guessed active set to one whose multipliers are all in their range, by dropping the worst, one at a time. */
  #settleMultipliers(): void {
    const { multipliers, least, most, activity } = this.constraints;
    for (;;) {
      this.#solveActiveSet();
      let worst = 0;
      let position = -1;
      for (let k = 0; k < this.#factor.size; k++) {
        const index = this.#active[k]!;
        const excess = Math.max(least[index]! - multipliers[index]!, multipliers[index]! - most[index]!);
        if (excess > worst) {
          worst = excess;
          position = k;
        }
      }
      if (position < 0) return;
      const index = this.#removeActive(position);
      activity[index] = 0;
      multipliers[index] = 0;
    }
  }

  /** The minimiser with the active constraints as equalities and the saturated ones as constant forces; its multipliers. */
  #solveActiveSet(): void {
    const factor = this.#factor;
    const constraints = this.constraints;
    const active = this.#active;
    const projected = this.#projected;
    const coordinates = this.#coordinates;
    const right = this.#right;
    const dual = this.#dualStep;
    const { size, n } = factor;
    constraints.tilt(this.#gradient, this.#tilted);
    factor.projectRow(this.#tilted, 0, projected);
    for (let k = 0; k < size; k++) {
      const index = active[k]!;
      right[k] = constraints.activity[index]! > 0 ? constraints.lower[index]! : constraints.upper[index]!;
    }
    factor.solveTriangleTransposed(right, coordinates);
    for (let k = 0; k < size; k++) right[k] = coordinates[k]! + projected[k]!;
    for (let j = size; j < n; j++) coordinates[j] = -projected[j]!;
    factor.combine(coordinates, 0, n, this.step);
    factor.solveTriangle(right, dual);
    for (let k = 0; k < size; k++) constraints.multipliers[active[k]!] = dual[k]!;
  }

  /** Moves primal and dual until the conflicting constraint is active or saturated, letting go of those in the way. */
  #enforce(): QuadraticStatus {
    const { constraints } = this;
    const { index, side } = this.#conflict;
    const isRising = this.#conflict.gap > 0;
    const wasSaturated = constraints.activity[index] !== 0;
    constraints.holdAt(index, side);
    while (this.iterations++ < this.iterationLimit) {
      this.#projectNormal(index);
      this.#factor.solveTriangle(this.#projected, this.#dualStep);
      const blocker = this.#findStep(index, isRising);
      if (!(Math.abs(this.#change) < Number.POSITIVE_INFINITY)) return QuadraticStatus.infeasible;
      this.#move(index);
      if (blocker >= 0) {
        constraints.settle(this.#removeActive(blocker));
        continue;
      }
      if (wasSaturated) constraints.saturatedCount--;
      if (blocker === atLimit) this.#activate(index, side);
      else constraints.settle(index);
      return QuadraticStatus.solved;
    }
    return QuadraticStatus.iterationLimit;
  }

  /**
   * How far the multiplier of the conflicting constraint moves (#change), and what ends the move: the position of an
   * active constraint whose own multiplier has come to its end, `atLimit` of the constraint, or `atCap` of its multiplier.
   */
  #findStep(index: number, isRising: boolean): number {
    const { multipliers, least, most } = this.constraints;
    const rates = this.#dualStep;
    const negligible = negligibleRate * Math.sqrt(this.#squaredLength);
    const sign = isRising ? 1 : -1;
    let end = atCap;
    let length = isRising ? most[index]! - multipliers[index]! : multipliers[index]! - least[index]!;
    const full = Math.abs(this.#conflict.gap) / this.#freeSquaredLength;
    if (full <= length) {
      length = full;
      end = atLimit;
    }
    for (let k = 0; k < this.#factor.size; k++) {
      const rate = -sign * rates[k]!;
      if (!(Math.abs(rate * this.#factor.triangle[k * (this.n + 1)]!) > negligible)) continue;
      const other = this.#active[k]!;
      const room = rate > 0 ? most[other]! - multipliers[other]! : multipliers[other]! - least[other]!;
      const blockedAt = Math.max(0, room) / Math.abs(rate);
      if (!(blockedAt < length)) continue;
      length = blockedAt;
      end = k;
    }
    this.#change = sign * length;
    return end;
  }

  /** Changes the multiplier of `index` by #change, and x and the active multipliers so that all stays stationary. */
  #move(index: number): void {
    const factor = this.#factor;
    const { multipliers } = this.constraints;
    const { step, n } = this;
    const direction = this.#direction;
    const change = this.#change;
    for (let k = 0; k < factor.size; k++) {
      const other = this.#active[k]!;
      multipliers[other] = multipliers[other]! - change * this.#dualStep[k]!;
    }
    multipliers[index] = multipliers[index]! + change;
    if (this.#freeSquaredLength === 0) return;
    this.#conflict.gap -= change * this.#freeSquaredLength;
    factor.combine(this.#projected, factor.size, n, direction);
    for (let i = 0; i < n; i++) step[i] = step[i]! + change * direction[i]!;
  }

  #activate(index: number, side: number): void {
    this.constraints.activity[index] = side;
    this.constraints.holdAt(index, side);
    this.#active[this.#factor.size] = index;
    this.#factor.add(this.#projected);
  }

  #removeActive(position: number): number {
    const index = this.#active[position]!;
    this.#factor.drop(position);
    for (let k = position; k < this.#factor.size; k++) this.#active[k] = this.#active[k + 1]!;
    return index;
  }

  /** Projects the normal of constraint `index` and measures it; a linearly dependent one has no free part. */
  #projectNormal(index: number): void {
    const { rowCount, rows, n } = this.constraints;
    const projected = this.#projected;
    const { size } = this.#factor;
    if (index < rowCount) this.#factor.projectRow(rows, index * n, projected);
    else this.#factor.projectAxis(index - rowCount, projected);
    let held = 0;
    let free = 0;
    for (let j = 0; j < size; j++) held += projected[j]! * projected[j]!;
    for (let j = size; j < n; j++) free += projected[j]! * projected[j]!;
    this.#squaredLength = held + free;
    this.#freeSquaredLength = free > dependence * (held + free) ? free : 0;
  }
}
