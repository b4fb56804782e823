import type { Evaluator, Point } from "./evaluator.js";
import type { MeritFunction } from "./merit-function.js";
import type { ProblemShape } from "./problem-interface.js";
import type { Subproblem } from "./subproblem.js";

export const SearchOutcome = { accepted: 0, failed: 1, outOfTime: 2 } as const;
export type SearchOutcome = (typeof SearchOutcome)[keyof typeof SearchOutcome];

/** Part of the predicted decrease of the merit function that a step must keep (Armijo). */
const sufficientDecrease = 1e-4;
/** A merit difference below this part of the merit itself is rounding, and does not reject a step. */
const meritPrecision = 1e-14;
/** Bounds of one shortening of the step. */
const shortestCut = 0.1;
const longestCut = 0.5;
const trialLimit = 20;

/** Finds how far to go along the subproblem's step: all of it, corrected to second order, or shortened until φ decreases. */
export class LineSearch {
  readonly #correction: Float64Array;

  constructor({ n }: ProblemShape) {
    this.#correction = new Float64Array(n);
  }

  /** Leaves the accepted point in `trial`, evaluated with derivatives. */
  run(
    current: Point,
    trial: Point,
    subproblem: Subproblem,
    merit: MeritFunction,
    slope: number,
    evaluator: Evaluator,
  ): SearchOutcome {
    const { problem } = evaluator;
    const start = merit.value(current.evaluation);
    const rounding = meritPrecision * (Math.abs(start) + 1);
    if (evaluator.isOutOfTime()) return SearchOutcome.outOfTime;
    trial.moveAlong(current.x, subproblem.step, 1, problem);
    const isFullFinite = evaluator.evaluate(trial);
    let reached = merit.value(trial.evaluation);
    if (isFullFinite && reached <= start + sufficientDecrease * slope + rounding) return SearchOutcome.accepted;

    if (isFullFinite && this.#correct(current, trial, subproblem, evaluator)) {
      if (merit.value(trial.evaluation) <= start + sufficientDecrease * slope + rounding) return SearchOutcome.accepted;
    }
    let length = 1;
    for (let count = 0; count < trialLimit; count++) {
      if (evaluator.isOutOfTime()) return SearchOutcome.outOfTime;
      length *= cut(reached - start, slope * length);
      trial.moveAlong(current.x, subproblem.step, length, problem);
      reached = evaluator.evaluateValues(trial) ? merit.value(trial.evaluation) : Number.NaN;
      if (!(reached <= start + sufficientDecrease * length * slope + rounding)) continue;
      if (evaluator.evaluate(trial)) return SearchOutcome.accepted;
      reached = Number.NaN;
    }
    return SearchOutcome.failed;
  }

  /**
   * The second-order correction: back onto the constraints the full step assumed active, against the curvature that would
   * otherwise reject good steps near a solution (the Maratos effect). False if the corrected point is undefined.
   */
  #correct(current: Point, trial: Point, subproblem: Subproblem, evaluator: Evaluator): boolean {
    const correction = this.#correction;
    if (evaluator.isOutOfTime()) return false;
    subproblem.program.correctActiveRows(trial.evaluation.constraints, correction);
    for (let i = 0; i < correction.length; i++) correction[i] = correction[i]! + subproblem.step[i]!;
    trial.moveAlong(current.x, correction, 1, evaluator.problem);
    return evaluator.evaluate(trial);
  }
}

/** Factor to the minimiser of the parabola through φ(0), φ′(0) and φ(trial), kept within bounds; NaN halves. */
function cut(rise: number, slope: number): number {
  const factor = (-0.5 * slope) / (rise - slope);
  if (!(factor < longestCut)) return longestCut;
  return Math.max(factor, shortestCut);
}
