import { JointRamps } from "../../src/motion/joint-ramps.js";
import type { CatchTask } from "../../src/planning/problem/catch-problem.js";
import type { CatchSolution } from "../../src/planning/search/catch-solution.js";
import type { CatchSolver, SearchBudget } from "../../src/planning/search/catch-solver.js";

/** One verified catch of a ball, among others of the same ball by the same arm. */
export interface CatchOption {
  /** Joint positions at the catch, then its time. */
  readonly x: Float64Array;
  readonly ramps: JointRamps;
  /** Value that was minimised: comparable among the options of one arm and one ball. */
  readonly cost: number;
  /** Probability of success; null where no covariance is known. */
  readonly probability: number | null;
  /** By how much the catch comes later than the slowest joint could be there [s]. */
  readonly slack: number;
}

/** Options closer than this in every joint [rad or m] and in time [s] are the same. */
const SAME_POSITION = 0.15;
const SAME_TIME = 0.03;

/**
 * The different catches of one task that the starts of a search lead to, best first, `most` of them at most: other
 * elbows, other ways round, other times. What a search that only wants the best throws away is what two arms that get
 * into each other's way can fall back on.
 */
export function findCatchOptions(
  solver: CatchSolver,
  task: CatchTask,
  budget: SearchBudget,
  most: number,
): CatchOption[] {
  const { n } = solver.problem;
  const starts = new Float64Array(budget.starts * n);
  const count = solver.seeds(task, budget.starts, starts);
  const solution = solver.createSolution();
  const found: CatchOption[] = [];
  for (let s = 0; s < count && !solution.cutShort; s++) {
    solver.polish(task, starts.subarray(s * n, (s + 1) * n), 1, { solve: budget.solve }, solution);
    if (solution.found) found.push(optionOf(task, solution));
  }
  return distinct(found, most);
}

/** The best of each kind, best first; of equals the one found first. */
function distinct(found: readonly CatchOption[], most: number): CatchOption[] {
  const kept: CatchOption[] = [];
  for (const option of [...found].sort((a, b) => a.cost - b.cost)) {
    if (kept.length === most) break;
    if (!kept.some((other) => isSame(option.x, other.x))) kept.push(option);
  }
  return kept;
}

function isSame(a: Float64Array, b: Float64Array): boolean {
  const time = a.length - 1;
  return a.every((value, i) => Math.abs(value - b[i]!) <= (i === time ? SAME_TIME : SAME_POSITION));
}

export function optionOf(task: CatchTask, { x, ramps, cost }: CatchSolution): CatchOption {
  const own = new JointRamps(ramps.count);
  own.copyFrom(ramps);
  const time = x[ramps.count]!;
  const { q0, w0, maxVelocity, maxAcceleration, success } = task;
  const fastest = own.minimalTimes(q0, w0, x, maxVelocity, maxAcceleration, new Float64Array(ramps.count));
  const probability = success === null ? null : Math.exp(success.logProbability(time));
  return { x: x.slice(), ramps: own, cost, probability, slack: time - fastest };
}
