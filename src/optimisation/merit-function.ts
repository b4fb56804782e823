import type { Evaluation, ProblemShape } from "./problem-interface.js";
import type { Subproblem } from "./subproblem.js";

/**
 * The ℓ1 merit function φ(x) = f(x) + Σ w_k·violation_k(x), exact once each weight reaches the size of its constraint's
 * multiplier. The weights follow the multipliers up at once and down slowly (Powell 1978, eq. 4.7), so that one hard stretch
 * does not leave weights that make every later step short. Results are fields, as in `optimality.ts`.
 */
export class MeritFunction {
  readonly weights: Float64Array;
  /** φ at the point last evaluated; NaN where the problem is undefined. */
  value = Number.NaN;
  /**
   * Upper bound of the derivative of φ along the subproblem's step, by convexity of the linearised violations; negative
   * unless the point is stationary.
   */
  slope = Number.NaN;
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

  /** Sets `value`. */
  evaluate({ objective, constraints }: Evaluation): void {
    const weights = this.weights;
    let sum = objective;
    for (let k = 0; k < constraints.length; k++) {
      const value = constraints[k]!;
      const violation = value < 0 ? -value : k < this.#equalityCount ? value : 0;
      // Not skipped where there is none: a NaN must come through.
      sum += weights[k]! * violation + (value - value);
    }
    this.value = sum;
  }

  /** Sets `slope`. */
  evaluateSlope({ constraints, gradient }: Evaluation, { step, remaining }: Subproblem): void {
    const weights = this.weights;
    let sum = 0;
    for (let i = 0; i < gradient.length; i++) sum += gradient[i]! * step[i]!;
    for (let k = 0; k < constraints.length; k++) {
      const value = constraints[k]!;
      const violation = value < 0 ? -value : k < this.#equalityCount ? value : 0;
      sum += weights[k]! * (remaining[k]! - violation);
    }
    this.slope = sum;
  }
}
