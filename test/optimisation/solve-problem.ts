import { Evaluation, type NonlinearProblem } from "../../src/optimisation/problem-interface.js";
import { iterationBudget, type SolveBudget, SolveResult } from "../../src/optimisation/solver-interface.js";
import { SqpSolver } from "../../src/optimisation/sqp.js";
import type { SqpOptions } from "../../src/optimisation/sqp-options.js";
import { hockSchittkowski } from "./hock-schittkowski.js";

/** One solve with a solver of its own. */
export function solve(
  problem: NonlinearProblem,
  start: readonly number[],
  budget: SolveBudget = iterationBudget(200),
  options: Partial<SqpOptions> = {},
): SolveResult {
  const result = new SolveResult(problem.n);
  new SqpSolver(problem, options).solve(problem, Float64Array.from(start), null, budget, result);
  return result;
}

/** Sum of all violations at x. */
export function totalViolation(problem: NonlinearProblem, x: Float64Array): number {
  const evaluation = new Evaluation(problem);
  problem.evaluateValues(x, evaluation);
  const equalities = evaluation.equality.reduce((total, value) => total + Math.abs(value), 0);
  return evaluation.inequality.reduce((total, value) => total + Math.max(0, -value), equalities);
}

/** A problem by its number in the book. */
export const hs = (wanted: number) => hockSchittkowski.find(({ number }) => number === wanted)!;
