/**
 * A smooth nonlinear program, as every solver of this folder sees it:
 *
 *     minimise f(x)   subject to   c_E(x) = 0,   c_I(x) ≥ 0,   lower ≤ x ≤ upper
 *
 * Solvers never evaluate outside the bounds, so a problem may rely on them (a square root of x ≥ 0 is safe).
 */
export interface ProblemShape {
  /** Number of unknowns. */
  readonly n: number;
  readonly equalityCount: number;
  readonly inequalityCount: number;
}

export interface NonlinearProblem extends ProblemShape {
  /** Exact bounds of the unknowns, length n; −Infinity and +Infinity where there is none. */
  readonly lower: Float64Array;
  readonly upper: Float64Array;
  /** Fills all of `out`. A point where the problem is undefined is reported by a NaN anywhere in it, never by a throw. */
  evaluate(x: Float64Array, out: Evaluation): void;
  /** Fills `out.objective` and `out.constraints` alone: the line search's trials need no derivatives. */
  evaluateValues(x: Float64Array, out: Evaluation): void;
  /**
   * Fills `out` (n × n, symmetric) with the Hessian of f(x) − Σ multipliers·constraints(x), or any approximation of it
   * (Gauss–Newton). Used only by a solver told to; one that is not positive definite is shifted until it is.
   */
  lagrangianHessian?(x: Float64Array, multipliers: Float64Array, out: Float64Array): void;
}

/** What a problem says of one point. Preallocated, filled by `evaluate`; equalities come before inequalities. */
export class Evaluation {
  /** f(x). */
  objective = Number.NaN;
  /** ∇f(x), length n. */
  readonly gradient: Float64Array;
  /** c_E(x) then c_I(x). */
  readonly constraints: Float64Array;
  /** Row-major derivatives of `constraints`, one row of length n per constraint. */
  readonly jacobian: Float64Array;
  /** Views into `constraints` and `jacobian`, for problems that fill the two kinds apart. */
  readonly equality: Float64Array;
  readonly equalityJacobian: Float64Array;
  readonly inequality: Float64Array;
  readonly inequalityJacobian: Float64Array;

  constructor({ n, equalityCount, inequalityCount }: ProblemShape) {
    const rows = equalityCount + inequalityCount;
    this.gradient = new Float64Array(n);
    this.constraints = new Float64Array(rows);
    this.jacobian = new Float64Array(rows * n);
    this.equality = this.constraints.subarray(0, equalityCount);
    this.inequality = this.constraints.subarray(equalityCount);
    this.equalityJacobian = this.jacobian.subarray(0, equalityCount * n);
    this.inequalityJacobian = this.jacobian.subarray(equalityCount * n);
  }
}

/** Whether objective and constraints are all finite numbers. */
export function hasFiniteValues(evaluation: Evaluation): boolean {
  return Number.isFinite(evaluation.objective) && allFinite(evaluation.constraints);
}

/** Whether values and derivatives are all finite numbers. */
export function isFiniteEvaluation(evaluation: Evaluation): boolean {
  return hasFiniteValues(evaluation) && allFinite(evaluation.gradient) && allFinite(evaluation.jacobian);
}

/** x − x is 0 for a finite number and NaN for any other, and NaN survives the sum: one branch for the whole array. */
export function allFinite(values: Float64Array): boolean {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[i]! - values[i]!;
  return sum === 0;
}
