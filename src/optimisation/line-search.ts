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
/** A correction longer than this part of the step is no correction but another step. */
const longestCorrection = 0.5;

/** Finds how far to go along the subproblem's step: all of it, corrected to second order, or shortened until φ decreases. */
export class LineSearch {
  readonly #correction: Float64Array;
  /** The part of the step that was tried last; 1 for the full step and for its correction. */
  length = Number.NaN;
  /** φ at the current point, and how much higher it was at the last trial. */
  #start = Number.NaN;
  #rise = Number.NaN;

  constructor({ n }: ProblemShape) {
    this.#correction = new Float64Array(n);
  }

  /** Leaves the accepted point in `trial`, evaluated with derivatives. */
  run(current: Point, trial: Point, subproblem: Subproblem, merit: MeritFunction, evaluator: Evaluator): SearchOutcome {
    merit.evaluate(current.evaluation);
    this.#start = merit.value;
    this.length = 1;
    if (evaluator.isOutOfTime()) return SearchOutcome.outOfTime;
    trial.moveAlong(current.x, subproblem.step, 1, evaluator.problem);
    // Full steps are accepted so often that derivatives are evaluated at once.
    const isDefined = evaluator.evaluate(trial);
    if (isDefined && this.#isEnough(trial, merit)) return SearchOutcome.accepted;
    this.#noteFailure(isDefined, merit);
    if (isDefined && this.#correct(current, trial, subproblem, evaluator) && this.#isEnough(trial, merit))
      return SearchOutcome.accepted;
    return this.#shorten(current, trial, subproblem, merit, evaluator);
  }

  #shorten(
    current: Point,
    trial: Point,
    subproblem: Subproblem,
    merit: MeritFunction,
    evaluator: Evaluator,
  ): SearchOutcome {
    for (let count = 0; count < trialLimit; count++) {
      if (evaluator.isOutOfTime()) return SearchOutcome.outOfTime;
      this.#cutLength(merit);
      trial.moveAlong(current.x, subproblem.step, this.length, evaluator.problem);
      const isDefined = evaluator.evaluateValues(trial);
      const isEnough = isDefined && this.#isEnough(trial, merit);
      if (isEnough && evaluator.evaluate(trial)) return SearchOutcome.accepted;
      this.#noteFailure(isDefined && !isEnough, merit);
    }
    return SearchOutcome.failed;
  }

  /** Whether φ has decreased as much as it must at the present length. */
  #isEnough(trial: Point, merit: MeritFunction): boolean {
    merit.evaluate(trial.evaluation);
    const rounding = meritPrecision * (1 + Math.abs(this.#start));
    return merit.value <= this.#start + sufficientDecrease * this.length * merit.slope + rounding;
  }

  /** Keeps how far φ has risen, as what the next cut is computed from; unknown where the problem is undefined. */
  #noteFailure(isDefined: boolean, merit: MeritFunction): void {
    this.#rise = isDefined ? merit.value - this.#start : Number.NaN;
  }

  /** To the minimiser of the parabola through φ(0), φ′(0) and φ(trial), within bounds; halves where φ was undefined. */
  #cutLength(merit: MeritFunction): void {
    const slope = merit.slope * this.length;
    const factor = (-0.5 * slope) / (this.#rise - slope);
    this.length *= factor < longestCut ? Math.max(factor, shortestCut) : longestCut;
  }

  /**
   * The second-order correction: back onto the constraints the full step assumed active, against the curvature that would
   * otherwise reject good steps near a solution (the Maratos effect). False if it is too long to be one, or leads to a point
   * where the problem is undefined.
   */
  #correct(current: Point, trial: Point, subproblem: Subproblem, evaluator: Evaluator): boolean {
    const correction = this.#correction;
    const { step } = subproblem;
    if (evaluator.isOutOfTime()) return false;
    subproblem.program.correctActiveRows(trial.evaluation.constraints, correction);
    let squaredCorrection = 0;
    let squaredStep = 0;
    for (let i = 0; i < step.length; i++) {
      squaredCorrection += correction[i]! * correction[i]!;
      squaredStep += step[i]! * step[i]!;
      correction[i] = correction[i]! + step[i]!;
    }
    if (!(squaredCorrection <= longestCorrection * longestCorrection * squaredStep)) return false;
    trial.moveAlong(current.x, correction, 1, evaluator.problem);
    return evaluator.evaluate(trial);
  }
}
