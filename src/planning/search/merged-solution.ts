import type { CatchTask } from "../problem/catch-problem.js";
import { CatchSolution } from "./catch-solution.js";
import type { CatchSolver, SearchBudget } from "./catch-solver.js";
import { defaultSeedGrid } from "./seeds.js";
import { Verdict } from "./verify.js";

/** No start at all. */
const NONE = -1;

/**
 * The best of several searches of one task. What comes out does not depend on who polished which start, nor on the order
 * in which the results come: ties are settled by the index of the start, as one thread polishing them all would.
 */
export class MergedSolution extends CatchSolution {
  /** Indices of the starts that led to the catch, to the least violated point and to the last refusal; −1: none. */
  start = NONE;
  leastViolatedStart = NONE;
  refusalStart = NONE;
  /** Of the best refused. */
  refusedStart = NONE;

  /** `warmStart` is empty until a catch is found. */
  constructor(dofs: number) {
    super(dofs, new Float64Array(0));
  }

  override reset(): void {
    super.reset();
    this.start = NONE;
    this.leastViolatedStart = NONE;
    this.refusalStart = NONE;
    this.refusedStart = NONE;
  }

  /** Adds what the polishing of start number `start` gave; true if that is the best catch now. */
  addStart(result: CatchSolution, start: number): boolean {
    this.#count(result);
    this.#addLeastViolated(result, start);
    this.#addRefusal(result, start);
    this.#addRefused(result, start);
    return this.#addCatch(result, start);
  }

  /** Adds the best of other starts. */
  addPart(part: MergedSolution): void {
    this.#count(part);
    this.#addLeastViolated(part, part.leastViolatedStart);
    this.#addRefusal(part, part.refusalStart);
    this.#addRefused(part, part.refusedStart);
    this.#addCatch(part, part.start);
  }

  #count({ starts, iterations, evaluations, cutShort, lookedElsewhere }: CatchSolution): void {
    this.lookedElsewhere ||= lookedElsewhere;
    this.starts += starts;
    this.iterations += iterations;
    this.evaluations += evaluations;
    this.cutShort ||= cutShort;
  }

  #addCatch(other: CatchSolution, start: number): boolean {
    const isBetter = other.cost < this.cost || (other.cost === this.cost && start < this.start);
    if (!other.found || !isBetter) return false;
    this.start = start;
    this.found = true;
    this.optimal = other.optimal;
    this.cost = other.cost;
    this.objective = other.objective;
    this.x.set(other.x);
    this.ramps.copyFrom(other.ramps);
    this.arrival = other.arrival;
    this.clearance = other.clearance;
    this.setWarmStart(other.warmStart);
    return true;
  }

  #addLeastViolated({ leastViolation, leastViolated }: CatchSolution, start: number): void {
    const isBetter =
      leastViolation < this.leastViolation ||
      (leastViolation === this.leastViolation && start >= 0 && start < this.leastViolatedStart);
    if (!isBetter) return;
    this.leastViolatedStart = start;
    this.leastViolation = leastViolation;
    this.leastViolated.set(leastViolated);
  }

  #addRefusal({ refusal }: CatchSolution, start: number): void {
    if (refusal === Verdict.ok || start <= this.refusalStart) return;
    this.refusalStart = start;
    this.refusal = refusal;
  }

  #addRefused({ refusedCost, refused, refusedBody }: CatchSolution, start: number): void {
    const isBetter = refusedCost < this.refusedCost || (refusedCost === this.refusedCost && start < this.refusedStart);
    if (!isBetter) return;
    this.refusedStart = start;
    this.refusedCost = refusedCost;
    this.refused.set(refused);
    this.refusedBody = refusedBody;
  }

  setWarmStart(state: Float64Array): void {
    if (this.warmStart.length !== state.length) this.warmStart = new Float64Array(state.length);
    this.warmStart.set(state);
  }
}

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
  const solution = solver.createSolution();
  const best = new MergedSolution(dofs);
  for (let k = part; k < count && !best.cutShort; k += parts) {
    solver.polish(task, seeds.subarray(k * n, (k + 1) * n), 1, { solve }, solution);
    best.addStart(solution, k);
  }
  return best;
}
