import type { CatchTask } from "../problem/catch-problem.js";
import { CatchSolution, type CatchSolver, type SearchBudget } from "./catch-solver.js";
import { MergedSolution } from "./merged-solution.js";
import { defaultSeedGrid } from "./seeds.js";

/** Which starts of a global search to polish: number `part`, part + parts, part + 2·parts, … */
export interface SearchPart {
  readonly part: number;
  readonly parts: number;
}

/** The whole of a search. */
export const WHOLE: SearchPart = { part: 0, parts: 1 };

/** The analytic inverse kinematics has eight branches, each with a start of its own at each time. */
const MOST_STARTS = defaultSeedGrid.times * 8;

/** The best of one part of a global search. All parts of it, merged in any order, are the whole search, bit by bit. */
export function searchPart(
  solver: CatchSolver,
  task: CatchTask,
  { starts, solve }: SearchBudget,
  { part, parts }: SearchPart,
): MergedSolution {
  const { n, dofs } = solver.problem;
  const seeds = new Float64Array(Math.min(starts, MOST_STARTS) * n);
  const count = solver.seeds(task, Math.min(starts, MOST_STARTS), seeds);
  const solution = new CatchSolution(solver.problem);
  const best = new MergedSolution(dofs);
  for (let k = part; k < count && !best.cutShort; k += parts) {
    solver.polish(task, seeds.subarray(k * n, (k + 1) * n), 1, solve, solution);
    best.addStart(solution, k);
  }
  return best;
}
