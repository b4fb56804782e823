import type { NonlinearProblem } from "./problem-interface.js";

/** How a solve ended. Every outcome is here; no solver throws for what it finds in a problem. */
export const SolveStatus = {
  /** Feasible and first-order optimal within the tolerances. */
  solved: 0,
  /** Feasible, and no step improves it further, but not provably optimal (an objective with a kink ends here). */
  feasibleNotOptimal: 1,
  /** Stationary for the sum of all violations, or unable to reduce it: x is the least violated point found. */
  infeasible: 2,
  /** The clock passed the deadline; x is the best point so far. */
  deadline: 3,
  /** The iterations are used up; x is the best point so far. */
  budget: 4,
  /** The problem is not finite at the starting point. */
  undefinedAtStart: 5,
} as const;
export type SolveStatus = (typeof SolveStatus)[keyof typeof SolveStatus];

/** What a solve may use up. In lock-step runs `clock` is null and only iterations count. */
export interface SolveBudget {
  /** Major iterations. */
  readonly iterations: number;
  /** Time of the run [s], read before each evaluation; null: no deadline. */
  readonly clock: (() => number) | null;
  /** Last moment [s] on that clock. */
  readonly deadline: number;
}

/** A budget of iterations alone. */
export function iterationBudget(iterations: number): SolveBudget {
  return { iterations, clock: null, deadline: Number.POSITIVE_INFINITY };
}

/** The answer of a solve, preallocated by the caller and overwritten by each solve. */
export class SolveResult {
  status: SolveStatus = SolveStatus.undefinedAtStart;
  /** The answer; within the bounds exactly. */
  readonly x: Float64Array;
  /** f(x). */
  objective = Number.NaN;
  /** Largest violation of a constraint at x, in the constraint's own unit. */
  violation = Number.NaN;
  /** Largest component of the Karush–Kuhn–Tucker residual at x, relative to gradient and multipliers; NaN if unknown. */
  kktResidual = Number.NaN;
  iterations = 0;
  /** Evaluations with derivatives, and of values alone. */
  evaluations = 0;
  valueEvaluations = 0;

  constructor(n: number) {
    this.x = new Float64Array(n);
  }
}

export interface NonlinearSolver {
  /**
   * Solves `problem` from `start` (moved into the bounds first) and fills `result`.
   * `warmStart` is what an earlier solve of a similar problem left there (see `warm-start.ts`), or null; the solver reads
   * it at the start and writes the new state back at the end, and keeps nothing of its own between two solves.
   */
  solve(
    problem: NonlinearProblem,
    start: Float64Array,
    warmStart: Float64Array | null,
    budget: SolveBudget,
    result: SolveResult,
  ): SolveStatus;
}
