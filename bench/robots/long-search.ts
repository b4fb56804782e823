import { Random } from "../../src/math/random.js";
import { iterationBudget } from "../../src/optimisation/solver-interface.js";
import type { CatchTask } from "../../src/planning/problem/catch-problem.js";
import { findReachableTimes } from "../../src/planning/problem/reachable-times.js";
import type { CatchSolution } from "../../src/planning/search/catch-solution.js";
import { CatchSolver } from "../../src/planning/search/catch-solver.js";
import { defaultSeedGrid } from "../../src/planning/search/seeds.js";
import type { PlanningSetting } from "../planning/setting.js";

/** Starts of a long search: half of them anywhere, half from a grid of catch times four times as fine. */
export const LONG_STARTS = 640;
const HALF = LONG_STARTS / 2;
/** Starts of one catch time; see `SeedSearch`. */
const PER_TIME = 8;
const SOLVE = iterationBudget(200);
/** Joints without limits are drawn from one turn either way. */
const TURN = Math.PI;

/** The best catch of a long search. */
export interface LongCatch {
  readonly cost: number;
  /** (q, t). */
  readonly x: readonly number[];
}

function catchOf({ found, cost, x }: CatchSolution): LongCatch | null {
  return found ? { cost, x: [...x] } : null;
}

/** The best catch that 640 starts lead to, for any arm: what a search of a dozen is measured against. */
export class LongSearch {
  readonly #setting: PlanningSetting;
  readonly #solver: CatchSolver;
  readonly #solution: CatchSolution;
  readonly #starts: Float64Array;

  constructor(setting: PlanningSetting, task: CatchTask) {
    this.#setting = setting;
    this.#solver = new CatchSolver(setting.arm, task, { ...defaultSeedGrid, times: HALF / PER_TIME });
    this.#solution = this.#solver.createSolution();
    this.#starts = new Float64Array(HALF * this.#solver.problem.n);
  }

  /** The best verified catch; null if there is none. */
  find(task: CatchTask, seed: string): LongCatch | null {
    const solution = this.#solution;
    this.#solver.polish(task, this.#starts, this.#drawStarts(task, new Random(seed)), { solve: SOLVE }, solution);
    const anywhere = catchOf(solution);
    this.#solver.cold(task, { starts: HALF, solve: SOLVE }, solution);
    const grid = catchOf(solution);
    if (anywhere === null || grid === null) return anywhere ?? grid;
    return grid.cost < anywhere.cost ? grid : anywhere;
  }

  /** Joints anywhere within their limits, times anywhere the ball is in reach. */
  #drawStarts(task: CatchTask, random: Random): number {
    const { problem } = this.#solver;
    problem.begin(task);
    const { lower, upper, n, dofs } = problem;
    const window = { from: 0, to: 0 };
    if (!findReachableTimes(task.path, this.#setting.arm, lower[dofs]!, upper[dofs]!, window)) return 0;
    for (let at = 0; at < this.#starts.length; at += n) {
      for (let i = 0; i < dofs; i++) {
        this.#starts[at + i] = random.uniformIn(Math.max(-TURN, lower[i]!), Math.min(TURN, upper[i]!));
      }
      this.#starts[at + dofs] = random.uniformIn(window.from, window.to);
    }
    return HALF;
  }
}
