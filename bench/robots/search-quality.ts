import { iterationBudget } from "../../src/optimisation/solver-interface.js";
import type { CatchTask } from "../../src/planning/problem/catch-problem.js";
import type { CatchMode } from "../../src/planning/problem/objectives.js";
import { CatchSolver } from "../../src/planning/search/catch-solver.js";
import { FIRST_MOTION, PlanningSetting } from "../planning/setting.js";
import { type LongCatch, LongSearch } from "./long-search.js";

const modes: readonly CatchMode[] = ["soft", "latest", "cool", "sure"];
/** The planner's normal cold search, as the service runs it. */
const COLD = { starts: 12, solve: iterationBudget(100) };
/** Difference of objectives that is none; see the suite `planning`. */
const NEGLIGIBLE = 2e-4;
/** A catch is better than that of the long search if it is so by this share. */
const BETTER = 1e-3;
/**
 * Searches before the first that is timed, and how often each is timed. The least counts, and it is processor time, for other
 * programs run too.
 */
const WARM_UP = 80;
const REPETITIONS = 3;

/** What came of comparing the searches of one arm with long ones. */
export interface SearchQuality {
  /** Balls for which either search finds a catch. */
  catchable: number;
  found: number;
  within: number;
  /** Catches that are better than those of the long search, and those it does not find. */
  better: number;
}

/** Fresh throws at one arm from its ready posture, in all four modes in turn. */
export class ArmTrials {
  readonly #setting: PlanningSetting;
  readonly #solver: CatchSolver;
  readonly #still: Float64Array;

  constructor(robot: string, group: string, seed: string) {
    this.#setting = new PlanningSetting(robot, group, seed);
    this.#still = new Float64Array(this.#setting.ready.length);
    this.#solver = new CatchSolver(this.#setting.arm, this.#task(0));
  }

  #task(id: number): CatchTask {
    const path = this.#setting.flight(id, FIRST_MOTION);
    return this.#setting.task(modes[id % modes.length]!, path, this.#setting.ready, this.#still);
  }

  /**
   * The best catch of each of the first throws that a long search finds, until so many are catchable, or `most` were tried. Those
   * already `known` are not searched again.
   */
  longCatches(catchable: number, most: number, known: readonly (LongCatch | null)[]): (LongCatch | null)[] {
    const long = new LongSearch(this.#setting, this.#task(0));
    const catches: (LongCatch | null)[] = [];
    let found = 0;
    for (let id = 0; id < most && found < catchable; id++) {
      const best = id < known.length ? known[id]! : long.find(this.#task(id), `long ${id}`);
      catches.push(best);
      if (best !== null) found++;
    }
    return catches;
  }

  /** Compares the search of each throw with the long one's best catch. */
  compare(references: readonly (LongCatch | null)[]): SearchQuality {
    const solution = this.#solver.createSolution();
    const { problem } = this.#solver;
    const quality: SearchQuality = { catchable: 0, found: 0, within: 0, better: 0 };
    references.forEach((reference, id) => {
      const best = reference?.cost ?? Number.POSITIVE_INFINITY;
      this.#solver.cold(this.#task(id), COLD, solution);
      if (!solution.found && reference === null) return;
      quality.catchable++;
      if (!solution.found) return;
      quality.found++;
      const objective = problem.reportObjective(best);
      const difference = reference === null ? -best : solution.objective - objective;
      if (!(difference > 0.01 * Math.abs(objective) + NEGLIGIBLE)) quality.within++;
      if (reference === null || difference < -BETTER * Math.abs(objective)) quality.better++;
    });
    return quality;
  }

  /** Milliseconds of processor time of `count` cold searches, catchable or not; and how many found a catch. */
  time(count: number): { readonly milliseconds: Float64Array; readonly found: number } {
    const solution = this.#solver.createSolution();
    const milliseconds = new Float64Array(count).fill(Number.POSITIVE_INFINITY);
    let found = 0;
    for (let id = 0; id < WARM_UP; id++) this.#solver.cold(this.#task(id % count), COLD, solution);
    for (let id = 0; id < count; id++) {
      const task = this.#task(id);
      for (let k = 0; k < REPETITIONS; k++) {
        const begin = process.cpuUsage();
        this.#solver.cold(task, COLD, solution);
        milliseconds[id] = Math.min(milliseconds[id]!, process.cpuUsage(begin).user / 1000);
      }
      if (solution.found) found++;
    }
    return { milliseconds, found };
  }
}
