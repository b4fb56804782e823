import type { Point } from "./evaluator.js";
import type { Evaluation, NonlinearProblem } from "./problem-interface.js";

/**
 * How good a point is. Results are fields, not return values: numbers that cross a call which is not inlined are boxed, and
 * the solver must not allocate.
 */
export class Optimality {
  /** Largest violation of a constraint: |c| of an equality, −c of a negative inequality. NaN if a value is NaN. */
  violation = Number.NaN;
  /** Sum of all violations: what the solver minimises where it cannot remove them. */
  totalViolation = Number.NaN;
  /**
   * Distance from the Karush–Kuhn–Tucker conditions, feasibility apart: the largest component of the Lagrangian's gradient
   * that no bound holds, or product of an inequality and its multiplier, relative to the largest of gradient, multipliers
   * and one.
   */
  kktResidual = Number.NaN;
  readonly #slopes: Float64Array;

  constructor(n: number) {
    this.#slopes = new Float64Array(n);
  }

  reset(): void {
    this.violation = Number.NaN;
    this.totalViolation = Number.NaN;
    this.kktResidual = Number.NaN;
  }

  measureViolation({ equality, inequality }: Evaluation): void {
    let largest = 0;
    let total = 0;
    for (let k = 0; k < equality.length; k++) {
      const violation = Math.abs(equality[k]!);
      largest = Math.max(largest, violation);
      total += violation;
    }
    for (let k = 0; k < inequality.length; k++) {
      const violation = Math.max(0, -inequality[k]!);
      largest = Math.max(largest, violation);
      total += violation;
    }
    this.violation = largest;
    this.totalViolation = total;
  }

  measureResidual(point: Point, multipliers: Float64Array, problem: NonlinearProblem): void {
    const { x, evaluation } = point;
    const { lower, upper, equalityCount } = problem;
    const { constraints, gradient } = evaluation;
    const slopes = this.#slopes;
    lagrangianGradient(evaluation, multipliers, slopes);
    let residual = 0;
    let scale = 1;
    for (let i = 0; i < x.length; i++) {
      const slope = slopes[i]!;
      const isHeld = slope > 0 ? x[i]! <= lower[i]! : x[i]! >= upper[i]!;
      if (!isHeld) residual = Math.max(residual, Math.abs(slope));
      scale = Math.max(scale, Math.abs(gradient[i]!));
    }
    for (let k = 0; k < constraints.length; k++) {
      const force = Math.abs(multipliers[k]!);
      scale = Math.max(scale, force);
      if (k >= equalityCount) residual = Math.max(residual, force * constraints[k]!);
    }
    this.kktResidual = residual / scale;
  }
}

/** out = ∇f − Jᵀ·multipliers, the gradient of the Lagrangian without the bounds. */
export function lagrangianGradient(evaluation: Evaluation, multipliers: Float64Array, out: Float64Array): void {
  const { gradient, jacobian, constraints } = evaluation;
  const n = gradient.length;
  for (let i = 0; i < n; i++) out[i] = gradient[i]!;
  for (let k = 0; k < constraints.length; k++) {
    const force = multipliers[k]!;
    if (force === 0) continue;
    for (let i = 0, at = k * n; i < n; i++, at++) out[i] = out[i]! - force * jacobian[at]!;
  }
}
