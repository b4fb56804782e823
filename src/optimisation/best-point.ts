import type { Point } from "./evaluator.js";
import type { Optimality } from "./optimality.js";

/** The best point of a solve: the feasible one with the least objective, or while there is none the least violated in all. */
export class BestPoint {
  readonly x: Float64Array;
  objective = Number.NaN;
  violation = Number.POSITIVE_INFINITY;
  kktResidual = Number.NaN;
  #totalViolation = Number.POSITIVE_INFINITY;
  readonly #feasibilityTolerance: number;

  constructor(n: number, feasibilityTolerance: number) {
    this.x = new Float64Array(n);
    this.#feasibilityTolerance = feasibilityTolerance;
  }

  /** Forgets the last solve. */
  reset(): void {
    this.objective = Number.NaN;
    this.violation = Number.POSITIVE_INFINITY;
    this.#totalViolation = Number.POSITIVE_INFINITY;
    this.kktResidual = Number.NaN;
  }

  /** Whether no point has been offered that was worth keeping. */
  get isEmpty(): boolean {
    return Number.isNaN(this.objective);
  }

  get isFeasible(): boolean {
    return this.violation <= this.#feasibilityTolerance;
  }

  /** Keeps the point if it is better. */
  offer(point: Point, optimality: Optimality): void {
    const isFeasible = optimality.violation <= this.#feasibilityTolerance;
    const isBetter =
      isFeasible !== this.isFeasible
        ? isFeasible
        : isFeasible
          ? point.evaluation.objective < this.objective
          : optimality.totalViolation < this.#totalViolation;
    if (isBetter) this.take(point, optimality);
  }

  take({ x, evaluation }: Point, { violation, totalViolation, kktResidual }: Optimality): void {
    this.x.set(x);
    this.objective = evaluation.objective;
    this.violation = violation;
    this.#totalViolation = totalViolation;
    this.kktResidual = kktResidual;
  }
}
