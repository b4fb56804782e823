import type { Evaluation, ProblemShape } from "./problem-interface.js";
import type { Subproblem } from "./subproblem.js";

/**
 * The ℓ1 merit function φ(x) = f(x) + Σ w_k·violation_k(x), exact once each weight reaches the size of its constraint's
 * multiplier. The weights follow the multipliers up at once and down slowly (Powell 1978, eq. 4.7), so that one hard stretch
 * does not leave weights that make every later step short.
 */
export class MeritFunction {
  readonly weights: Float64Array;
  readonly #equalityCount: number;

  constructor({ equalityCount, inequalityCount }: ProblemShape) {
    this.weights = new Float64Array(equalityCount + inequalityCount);
    this.#equalityCount = equalityCount;
  }

  reset(): void {
    this.weights.fill(0);
  }

  /** Takes the multipliers of a new subproblem into account. */
  followMultipliers(multipliers: Float64Array): void {
    const weights = this.weights;
    for (let k = 0; k < weights.length; k++) {
      const force = Math.abs(multipliers[k]!);
      weights[k] = Math.max(force, 0.5 * (weights[k]! + force));
    }
  }

  /** φ; NaN where the problem is undefined. */
  value(evaluation: Evaluation): number {
    const { constraints } = evaluation;
    let sum = evaluation.objective;
    for (let k = 0; k < constraints.length; k++) sum += this.weights[k]! * this.#violation(constraints[k]!, k);
    return sum;
  }

  /**
   * Upper bound of the derivative of φ along the subproblem's step, by convexity of the linearised violations; negative
   * unless the point is stationary.
   */
  slope(evaluation: Evaluation, subproblem: Subproblem): number {
    const { constraints, gradient } = evaluation;
    const { step } = subproblem;
    let sum = 0;
    for (let i = 0; i < gradient.length; i++) sum += gradient[i]! * step[i]!;
    for (let k = 0; k < constraints.length; k++) {
      const weight = this.weights[k]!;
      if (weight !== 0) sum -= weight * this.#violation(constraints[k]!, k);
      if (subproblem.isSaturated(k)) sum += weight * subproblem.remainingViolation(k);
    }
    return sum;
  }

  #violation(value: number, k: number): number {
    if (k < this.#equalityCount) return Math.abs(value);
    return value < 0 ? -value : 0;
  }
}
