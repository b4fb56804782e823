import * as pose from "../../src/math/pose.js";
import { Random } from "../../src/math/random.js";
import * as vec3 from "../../src/math/vec3.js";
import { NloptSolver } from "../../src/optimisation/nlopt-backend.js";
import { Evaluation } from "../../src/optimisation/problem-interface.js";
import { iterationBudget } from "../../src/optimisation/solver-interface.js";
import type { CatchTask } from "../../src/planning/problem/catch-problem.js";
import { findReachableTimes } from "../../src/planning/problem/reachable-times.js";
import type { CatchSolution } from "../../src/planning/search/catch-solution.js";
import { CatchSolver } from "../../src/planning/search/catch-solver.js";
import { defaultSeedGrid, handPose } from "../../src/planning/search/seeds.js";
import type { PlanningSetting } from "./setting.js";

/** Random starts of each solver. */
export const RANDOM_STARTS = 512;
/** The grid of analytic inverse kinematics: a time every 5 ms, rolls and elbow angles every 10°. */
const TIME_STEP = 0.005;
const ANGLES = 36;
/** Best points of the grid that are polished. */
const POLISHED = 24;
const ITERATIONS = 300;

export type ReferenceSource = "sqp" | "nlopt" | "grid";

/** The best verified catch of one case, or none. `cost` is the value that is minimised; see `objectives.ts`. */
export interface ReferenceCatch {
  readonly source: ReferenceSource;
  readonly cost: number;
  readonly x: readonly number[];
}

/** Finds the best catch of a case by three independent searches, none of which is the planner's own. */
export class ReferenceSearch {
  readonly #setting: PlanningSetting;
  readonly #sqp: CatchSolver;
  readonly #nlopt: CatchSolver;
  readonly #solution: CatchSolution;
  readonly #evaluation: Evaluation;

  private constructor(setting: PlanningSetting, sqp: CatchSolver, nlopt: CatchSolver) {
    this.#setting = setting;
    this.#sqp = sqp;
    this.#nlopt = nlopt;
    this.#solution = sqp.createSolution();
    this.#evaluation = new Evaluation(sqp.problem);
  }

  static async create(setting: PlanningSetting, task: CatchTask): Promise<ReferenceSearch> {
    const sqp = new CatchSolver(setting.arm, task);
    const nlopt = await NloptSolver.create(sqp.problem);
    return new ReferenceSearch(setting, sqp, new CatchSolver(setting.arm, task, defaultSeedGrid, nlopt));
  }

  find(task: CatchTask, seed: string): ReferenceCatch | null {
    const random = new Random(seed);
    const candidates = [
      this.#polish(this.#sqp, task, this.#randomStarts(task, random), "sqp"),
      this.#polish(this.#nlopt, task, this.#randomStarts(task, random), "nlopt"),
      this.#polish(this.#sqp, task, this.#gridStarts(task), "grid"),
    ];
    let best: ReferenceCatch | null = null;
    for (const candidate of candidates)
      if (candidate !== null && (best === null || candidate.cost < best.cost)) best = candidate;
    return best;
  }

  #polish(
    solver: CatchSolver,
    task: CatchTask,
    starts: readonly Float64Array[],
    source: ReferenceSource,
  ): ReferenceCatch | null {
    const { n } = solver.problem;
    const buffer = new Float64Array(starts.length * n);
    starts.forEach((start, k) => void buffer.set(start, k * n));
    solver.polish(task, buffer, starts.length, { solve: iterationBudget(ITERATIONS) }, this.#solution);
    const { found, cost, x } = this.#solution;
    return found ? { source, cost, x: [...x] } : null;
  }

  /** Joints anywhere within their limits, times anywhere the ball is in reach. */
  #randomStarts(task: CatchTask, random: Random): Float64Array[] {
    this.#sqp.problem.begin(task);
    const { lower, upper, n, dofs } = this.#sqp.problem;
    const window = { from: 0, to: 0 };
    if (!findReachableTimes(task.path, this.#setting.arm, lower[dofs]!, upper[dofs]!, window)) return [];
    return Array.from({ length: RANDOM_STARTS }, () => {
      const x = new Float64Array(n);
      for (let i = 0; i < dofs; i++) x[i] = random.uniformIn(lower[i]!, upper[i]!);
      x[dofs] = random.uniformIn(window.from, window.to);
      return x;
    });
  }

  /** The best points of the dense grid, by objective among the feasible, else by violation. */
  #gridStarts(task: CatchTask): Float64Array[] {
    const { problem } = this.#sqp;
    problem.begin(task);
    const { lower, upper, dofs } = problem;
    const window = { from: 0, to: 0 };
    if (!findReachableTimes(task.path, this.#setting.arm, lower[dofs]!, upper[dofs]!, window)) return [];
    const best = new BestStarts(POLISHED);
    for (let t = window.from; t <= window.to; t += TIME_STEP) this.#searchTime(task, t, best);
    return best.starts;
  }

  #searchTime(task: CatchTask, t: number, best: BestStarts): void {
    const srs = this.#setting.arm.srs!;
    const { dofs } = this.#sqp.problem;
    const [ball, velocity, acceleration] = [vec3.create(), vec3.create(), vec3.create()];
    task.path.evaluate(t, ball, velocity, acceleration);
    const target = pose.create();
    const found = new Float64Array(8 * dofs);
    const x = new Float64Array(dofs + 1);
    for (let r = 0; r < ANGLES; r++) {
      handPose(ball, velocity, (2 * Math.PI * r) / ANGLES, target);
      for (let e = 0; e < ANGLES; e++) {
        const count = srs.solve(target, (2 * Math.PI * e) / ANGLES, found);
        for (let b = 0; b < count; b++) {
          x.set(found.subarray(b * dofs, (b + 1) * dofs));
          x[dofs] = t;
          best.consider(x, this.#rank(x));
        }
      }
    }
  }

  #rank(x: Float64Array): number {
    this.#sqp.problem.evaluateValues(x, this.#evaluation);
    const { objective, inequality } = this.#evaluation;
    let violation = 0;
    for (const value of inequality) if (value < 0) violation -= value;
    return violation > 0 ? INFEASIBLE + violation : objective;
  }
}

/** Ranks every infeasible point behind every feasible one. */
const INFEASIBLE = 1e6;
/** Starts nearer than this to a better one would polish to the same place [rad, s]. */
const NEAR = 0.15;

/** The best starts seen, none near another. */
class BestStarts {
  readonly #capacity: number;
  readonly #entries: { rank: number; x: Float64Array }[] = [];

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  get starts(): Float64Array[] {
    return this.#entries.map(({ x }) => x);
  }

  consider(x: Float64Array, rank: number): void {
    const entries = this.#entries;
    if (entries.length === this.#capacity && !(rank < entries.at(-1)!.rank)) return;
    const near = entries.findIndex((entry) => distance(entry.x, x) < NEAR);
    if (near >= 0) {
      if (entries[near]!.rank <= rank) return;
      entries.splice(near, 1);
    } else if (entries.length === this.#capacity) entries.pop();
    const at = entries.findIndex((entry) => entry.rank > rank);
    entries.splice(at < 0 ? entries.length : at, 0, { rank, x: x.slice() });
  }
}

function distance(a: Float64Array, b: Float64Array): number {
  let largest = 0;
  for (let i = 0; i < a.length; i++) largest = Math.max(largest, Math.abs(a[i]! - b[i]!));
  return largest;
}
