import {
  Evaluation,
  hasFiniteValues,
  isFiniteEvaluation,
  type NonlinearProblem,
  type ProblemShape,
} from "./problem-interface.js";
import type { SolveBudget } from "./solver-interface.js";

/** A place and what the problem says of it. */
export class Point {
  readonly x: Float64Array;
  readonly evaluation: Evaluation;

  constructor(shape: ProblemShape) {
    this.x = new Float64Array(shape.n);
    this.evaluation = new Evaluation(shape);
  }

  /** x ← place, moved into the bounds. A NaN stays one. */
  moveTo(place: Float64Array, { lower, upper, n }: NonlinearProblem): void {
    for (let i = 0; i < n; i++) this.x[i] = clamp(place[i]!, lower[i]!, upper[i]!);
  }

  /** x ← from + length·step, moved into the bounds; a full step that ends on a bound meets it to the last bit. */
  moveAlong(from: Float64Array, step: Float64Array, length: number, { lower, upper, n }: NonlinearProblem): void {
    for (let i = 0; i < n; i++) {
      const change = length * step[i]!;
      const toLower = lower[i]! - from[i]!;
      const toUpper = upper[i]! - from[i]!;
      this.x[i] =
        change <= toLower ? lower[i]! : change >= toUpper ? upper[i]! : clamp(from[i]! + change, lower[i]!, upper[i]!);
    }
  }
}

function clamp(value: number, lower: number, upper: number): number {
  return Math.min(Math.max(value, lower), upper);
}

/** The problem being solved and what the solve has used of its budget. */
export class Evaluator {
  /** Set by `begin`. */
  problem!: NonlinearProblem;
  evaluations = 0;
  valueEvaluations = 0;
  #clock: (() => number) | null = null;
  #deadline = Number.POSITIVE_INFINITY;

  begin(problem: NonlinearProblem, budget: SolveBudget): void {
    this.problem = problem;
    this.evaluations = 0;
    this.valueEvaluations = 0;
    this.#clock = budget.clock;
    this.#deadline = budget.deadline;
  }

  /** Values and derivatives at the point; false if any of them is not a finite number. */
  evaluate(point: Point): boolean {
    this.evaluations++;
    this.problem.evaluate(point.x, point.evaluation);
    return isFiniteEvaluation(point.evaluation);
  }

  /** Values alone; false if any of them is not a finite number. */
  evaluateValues(point: Point): boolean {
    this.valueEvaluations++;
    this.problem.evaluateValues(point.x, point.evaluation);
    return hasFiniteValues(point.evaluation);
  }

  /** Whether the deadline has passed. Without a clock it never has; a clock that says NaN has stopped. */
  isOutOfTime(): boolean {
    return this.#clock !== null && !(this.#clock() <= this.#deadline);
  }
}
