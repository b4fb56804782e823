import type { Point } from "./evaluator.js";
import type { NonlinearProblem, ProblemShape } from "./problem-interface.js";
import { QuadraticProgram, QuadraticStatus } from "./quadratic-program.js";

/** How much of the linearised violation a tenfold weight must remove to be worth keeping. */
const worthwhileReduction = 0.1;

/**
 * The quadratic program of one SQP iteration: the constraints linearised at a point, the bounds as they are. Its rows are
 * elastic with one common weight, so it has an answer even where the linearised constraints contradict each other or the
 * bounds; where they do not, and no multiplier reaches the weight, the answer is the ordinary one.
 */
export class Subproblem {
  readonly program: QuadraticProgram;
  /** The step d from the point. */
  readonly step: Float64Array;
  /** Multipliers of the constraints, then (signed) of the bounds. */
  readonly multipliers: Float64Array;
  /** Weight of the elastic rows. */
  weight = Number.NaN;
  /** Violation of each linearised constraint that the step leaves, and their sum. */
  readonly remaining: Float64Array;
  leftViolation = 0;
  readonly #rowCount: number;
  readonly #equalityCount: number;
  #weightLimit = Number.NaN;
  #gradient: Float64Array;
  #jacobian: Float64Array;

  constructor({ n, equalityCount, inequalityCount }: ProblemShape) {
    this.#rowCount = equalityCount + inequalityCount;
    this.#equalityCount = equalityCount;
    this.program = new QuadraticProgram(n, this.#rowCount);
    this.remaining = new Float64Array(this.#rowCount);
    this.step = this.program.step;
    this.multipliers = this.program.constraints.multipliers;
    this.#gradient = this.step;
    this.#jacobian = this.step;
  }

  setWeights(weight: number, limit: number): void {
    this.weight = weight;
    this.#weightLimit = limit;
  }

  get canRaiseWeight(): boolean {
    return this.weight * 10 <= this.#weightLimit;
  }

  raiseWeight(): void {
    this.weight *= 10;
  }

  /** Linearises the problem at a point. */
  linearise({ x, evaluation }: Point, problem: NonlinearProblem): void {
    const { lower, upper } = this.program.constraints;
    const rowCount = this.#rowCount;
    for (let k = 0; k < rowCount; k++) {
      const limit = -evaluation.constraints[k]!;
      lower[k] = limit;
      upper[k] = k < this.#equalityCount ? limit : Number.POSITIVE_INFINITY;
    }
    for (let i = 0; i < x.length; i++) {
      lower[rowCount + i] = problem.lower[i]! - x[i]!;
      upper[rowCount + i] = problem.upper[i]! - x[i]!;
    }
    this.#gradient = evaluation.gradient;
    this.#jacobian = evaluation.jacobian;
  }

  /** Solves it with the program's Hessian; if violations are left, with ten times the weight too, kept where that helps. */
  solve(): QuadraticStatus {
    const status = this.#solveWithWeight();
    if (status !== QuadraticStatus.solved || this.leftViolation === 0 || !this.canRaiseWeight) return status;
    const left = this.leftViolation;
    this.raiseWeight();
    const raisedStatus = this.#solveWithWeight();
    if (raisedStatus === QuadraticStatus.solved && this.leftViolation <= (1 - worthwhileReduction) * left)
      return QuadraticStatus.solved;
    this.weight /= 10;
    return this.#solveWithWeight();
  }

  #solveWithWeight(): QuadraticStatus {
    const { cap } = this.program.constraints;
    for (let k = 0; k < this.#rowCount; k++) cap[k] = this.weight;
    const status = this.program.solve(this.#gradient, this.#jacobian);
    this.#measureRemaining();
    return status;
  }

  /** Only saturated rows are left violated. */
  #measureRemaining(): void {
    const { constraints } = this.program;
    const { activity, lower } = constraints;
    this.leftViolation = 0;
    this.remaining.fill(0);
    if (constraints.saturatedCount === 0) return;
    for (let k = 0; k < this.#rowCount; k++) {
      if (activity[k] !== 2 && activity[k] !== -2) continue;
      const violation = Math.abs(lower[k]! - constraints.rowValue(k, this.step));
      this.remaining[k] = violation;
      this.leftViolation += violation;
    }
  }
}
