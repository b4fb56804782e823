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
  /** Sum of the linearised violations that the step leaves. */
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
  linearise({ x, evaluation }: Point, { lower, upper, n }: NonlinearProblem): void {
    const { constraints } = this.program;
    for (let k = 0; k < this.#rowCount; k++) {
      const limit = -evaluation.constraints[k]!;
      constraints.rowLower[k] = limit;
      constraints.rowUpper[k] = k < this.#equalityCount ? limit : Number.POSITIVE_INFINITY;
    }
    for (let i = 0; i < n; i++) {
      constraints.lower[i] = lower[i]! - x[i]!;
      constraints.upper[i] = upper[i]! - x[i]!;
    }
    this.#gradient = evaluation.gradient;
    this.#jacobian = evaluation.jacobian;
  }

  /** Solves it with the program's Hessian; while violations are left, with larger weights as long as these help. */
  solve(): QuadraticStatus {
    let status = this.#solveWithWeight(this.weight);
    while (status === QuadraticStatus.solved && this.leftViolation > 0 && this.canRaiseWeight) {
      const left = this.leftViolation;
      status = this.#solveWithWeight(10 * this.weight);
      if (status !== QuadraticStatus.solved) return status;
      if (this.leftViolation > (1 - worthwhileReduction) * left) return this.#solveWithWeight(this.weight);
      this.raiseWeight();
    }
    return status;
  }

  isSaturated(k: number): boolean {
    const state = this.program.constraints.activity[k]!;
    return state === 2 || state === -2;
  }

  /** Linearised violation of constraint k after the step, if it is saturated. */
  remainingViolation(k: number): number {
    const { constraints } = this.program;
    return Math.abs(constraints.rowLower[k]! - constraints.rowValue(k, this.step));
  }

  #solveWithWeight(weight: number): QuadraticStatus {
    this.program.constraints.cap.fill(weight);
    const status = this.program.solve(this.#gradient, this.#jacobian);
    this.leftViolation = 0;
    if (this.program.constraints.saturatedCount === 0) return status;
    for (let k = 0; k < this.#rowCount; k++) if (this.isSaturated(k)) this.leftViolation += this.remainingViolation(k);
    return status;
  }
}
