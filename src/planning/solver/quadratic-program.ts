import { ActiveFactor } from "./active-factor.js";
import { QuadraticConstraints } from "./quadratic-constraints.js";

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

/** Violations below this, relative to the constraint's own size, are rounding. */
const precision = 1e-13;
/** Squared part of a normal outside the span of the active ones below which it counts as linearly dependent on them. */
const dependence = 1e-20;
/** Part of a normal along an active one below which it is rounding, and that one's multiplier cannot block a step. */
const negligibleRate = 1e-14;

/**
 * A dense, strictly convex quadratic program
 *
 *     minimise ½·xᵀHx + gᵀx + Σ cap_k · violation_k(x)   subject to   lower ≤ x ≤ upper,
 *
 * where violation_k is the distance of row_k·x from [rowLower_k, rowUpper_k]. With cap = Infinity the rows are ordinary
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
  /** Of the constraint being enforced: how far its value has still to go (signed), and to which limit. */
  #gap = Number.NaN;
  #side = 0;
  #projectedLength = Number.NaN;
  #worst = Number.NaN;
  #found = -1;

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
      const worst = this.#findMostViolated();
      if (worst < 0) break;
      const status = this.#enforce(worst);
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
    const { activity, rowCount, n, multipliers } = this.constraints;
    this.#factor.restart();
    this.constraints.saturatedCount = 0;
    multipliers.fill(0);
    for (let k = 0; k < rowCount; k++) if (this.constraints.isEquality(k)) this.#tryActive(k, 1);
    for (let k = 0; k < rowCount + n; k++) {
      const guess = activity[k]!;
      if (guess !== 0 && !(k < rowCount && this.constraints.isEquality(k))) this.#tryActive(k, guess);
    }
  }

  #tryActive(index: number, guess: number): void {
    this.constraints.activity[index] = 0;
    const wasActive = guess === 1 || guess === -1;
    if (!wasActive || this.#factor.size === this.n || !Number.isFinite(this.constraints.limit(index, guess))) return;
    this.#projectNormal(index);
    if (this.#freeSquaredLength() > 0) this.#activate(index, guess);
  }

  /** From the guessed active set to one whose multipliers are all in their range, by dropping the worst, one at a time. */
  #settleMultipliers(): void {
    for (;;) {
      this.#solveActiveSet();
      let worst = 0;
      let position = -1;
      for (let k = 0; k < this.#factor.size; k++) {
        const index = this.#active[k]!;
        const side = this.constraints.activity[index]!;
        const room = Math.min(this.constraints.room(index, side, 1), this.constraints.room(index, side, -1));
        if (room < worst) {
          worst = room;
          position = k;
        }
      }
      if (position < 0) return;
      const index = this.#removeActive(position);
      this.constraints.activity[index] = 0;
      this.constraints.multipliers[index] = 0;
    }
  }

  /** The minimiser with the active constraints as equalities and the saturated ones as constant forces; its multipliers. */
  #solveActiveSet(): void {
    const factor = this.#factor;
    const { activity, multipliers } = this.constraints;
    const { size, n } = factor;
    this.constraints.tilt(this.#gradient, this.#tilted);
    factor.projectRow(this.#tilted, 0, this.#projected);
    for (let k = 0; k < size; k++) {
      const index = this.#active[k]!;
      this.#right[k] = this.constraints.limit(index, activity[index]!);
    }
    factor.solveTriangleTransposed(this.#right, this.#coordinates);
    for (let k = 0; k < size; k++) this.#right[k] = this.#coordinates[k]! + this.#projected[k]!;
    for (let j = size; j < n; j++) this.#coordinates[j] = -this.#projected[j]!;
    factor.combine(this.#coordinates, 0, n, this.step);
    factor.solveTriangle(this.#right, this.#dualStep);
    for (let k = 0; k < size; k++) multipliers[this.#active[k]!] = this.#dualStep[k]!;
  }

  /** The constraint most in conflict with x, and how (#gap, #side); −1 if none is. */
  #findMostViolated(): number {
    const constraints = this.constraints;
    const { activity, rowCount, rowLower, rowUpper, lower, upper } = constraints;
    const step = this.step;
    const reach = largestMagnitude(step);
    this.#worst = 0;
    this.#found = -1;
    for (let k = 0; k < rowCount; k++) {
      const state = activity[k]!;
      if (state === 1 || state === -1) continue;
      const value = constraints.rowValue(k, step);
      if (state === 0 && value >= rowLower[k]! && value <= rowUpper[k]!) continue;
      this.#weighConflict(k, state, value, rowLower[k]!, rowUpper[k]!, reach, constraints.rowLength(k));
    }
    for (let i = 0; i < step.length; i++) {
      const value = step[i]!;
      if (value >= lower[i]! && value <= upper[i]!) continue;
      const state = activity[rowCount + i]!;
      if (state === 0) this.#weighConflict(rowCount + i, state, value, lower[i]!, upper[i]!, reach, 1);
    }
    return this.#found;
  }

  /** Compares one conflict with the worst so far, each as a distance in x. */
  #weighConflict(
    k: number,
    state: number,
    value: number,
    lower: number,
    upper: number,
    reach: number,
    length: number,
  ): void {
    const side = state !== 0 ? state >> 1 : value < lower ? 1 : -1;
    const limit = side > 0 ? lower : upper;
    // A free constraint must be pushed back to its limit; a saturated one has to let go once it is past it.
    const conflict = ((state === 0 ? side : -side) * (limit - value)) / length;
    if (!(conflict > this.#worst)) return;
    if (!(conflict > precision * (reach + (1 + Math.abs(limit)) / length))) return;
    this.#worst = conflict;
    this.#found = k;
    this.#gap = limit - value;
    this.#side = side;
  }

  /** Moves primal and dual until `index` is active or saturated, letting go of the constraints that stand in the way. */
  #enforce(index: number): QuadraticStatus {
    const { constraints } = this;
    const sign = this.#gap > 0 ? 1 : -1;
    const wasSaturated = constraints.activity[index] !== 0;
    while (this.iterations++ < this.iterationLimit) {
      this.#projectNormal(index);
      this.#factor.solveTriangle(this.#projected, this.#dualStep);
      const free = this.#freeSquaredLength();
      const full = free > 0 ? Math.abs(this.#gap) / free : Number.POSITIVE_INFINITY;
      const own = Math.min(full, constraints.room(index, this.#side, sign));
      const blocker = this.#findBlocker(own, sign);
      const length = blocker < 0 ? own : this.#blockingLength(blocker, sign);
      if (length === Number.POSITIVE_INFINITY) return QuadraticStatus.infeasible;
      this.#move(index, sign * length, free);
      if (blocker >= 0) constraints.settle(this.#removeActive(blocker));
      else {
        if (wasSaturated) constraints.saturatedCount--;
        if (length === full) this.#activate(index, this.#side);
        else constraints.settle(index);
        return QuadraticStatus.solved;
      }
    }
    return QuadraticStatus.iterationLimit;
  }

  /** Position of the active constraint whose multiplier first comes to its end, before `length`; −1 if none. */
  #findBlocker(length: number, sign: number): number {
    let blocker = -1;
    for (let k = 0; k < this.#factor.size; k++) {
      const blockedAt = this.#blockingLength(k, sign);
      if (blockedAt < length) {
        length = blockedAt;
        blocker = k;
      }
    }
    return blocker;
  }

  /** How long a step the active constraint at `position` allows. */
  #blockingLength(position: number, sign: number): number {
    const rate = -sign * this.#dualStep[position]!;
    const diagonal = this.#factor.triangle[position * (this.n + 1)]!;
    if (!(Math.abs(rate * diagonal) > negligibleRate * this.#projectedLength)) return Number.POSITIVE_INFINITY;
    const index = this.#active[position]!;
    const room = this.constraints.room(index, this.constraints.activity[index]!, rate > 0 ? 1 : -1);
    return Math.max(0, room) / Math.abs(rate);
  }

  /** Changes the multiplier of `index` by `change`, and x and the active multipliers with it so that all stays stationary. */
  #move(index: number, change: number, freeSquaredLength: number): void {
    const factor = this.#factor;
    const { multipliers } = this.constraints;
    for (let k = 0; k < factor.size; k++) {
      const other = this.#active[k]!;
      multipliers[other] = multipliers[other]! - change * this.#dualStep[k]!;
    }
    multipliers[index] = multipliers[index]! + change;
    if (freeSquaredLength === 0) return;
    this.#gap -= change * freeSquaredLength;
    factor.combine(this.#projected, factor.size, this.n, this.#direction);
    for (let i = 0; i < this.n; i++) this.step[i] = this.step[i]! + change * this.#direction[i]!;
  }

  #activate(index: number, side: number): void {
    this.constraints.activity[index] = side;
    this.#active[this.#factor.size] = index;
    this.#factor.add(this.#projected);
  }

  #removeActive(position: number): number {
    const index = this.#active[position]!;
    this.#factor.drop(position);
    for (let k = position; k < this.#factor.size; k++) this.#active[k] = this.#active[k + 1]!;
    return index;
  }

  #projectNormal(index: number): void {
    const { rowCount, rows, n } = this.constraints;
    if (index < rowCount) this.#factor.projectRow(rows, index * n, this.#projected);
    else this.#factor.projectAxis(index - rowCount, this.#projected);
  }

  /** Squared length of the projected normal outside the active span; 0 if it is linearly dependent on the active normals. */
  #freeSquaredLength(): number {
    const projected = this.#projected;
    let held = 0;
    let free = 0;
    for (let j = 0; j < this.#factor.size; j++) held += projected[j]! * projected[j]!;
    for (let j = this.#factor.size; j < this.n; j++) free += projected[j]! * projected[j]!;
    this.#projectedLength = Math.sqrt(held + free);
    return free > dependence * (held + free) ? free : 0;
  }
}

function largestMagnitude(values: Float64Array): number {
  let largest = 0;
  for (let i = 0; i < values.length; i++) largest = Math.max(largest, Math.abs(values[i]!));
  return largest;
}
