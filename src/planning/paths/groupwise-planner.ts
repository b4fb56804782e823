import type { PathCheck } from "../../collision/path-check.js";
import type { Random } from "../../math/random.js";
import type { JointSpace } from "./joint-space.js";
import {
  noPath,
  type PathBudget,
  PathOutcome,
  type PathPlanner,
  type PathProblem,
  type PathResult,
} from "./path-planner.js";
import { RrtConnect } from "./rrt-connect.js";

/** Some of the joints, as a planner of their own sees them. */
export interface JointPart {
  /** Indices of the problem's joints. */
  readonly joints: readonly number[];
  readonly space: JointSpace;
  readonly check: PathCheck;
}

/** Goals that are tried. */
const MOST_GOALS = 2;

/**
 * One group of joints after the other, all others standing: what two arms do in fourteen dimensions is often two times seven.
 * Both orders are tried. Shortcuts afterwards let the groups move together again.
 */
export class GroupwisePlanner implements PathPlanner {
  readonly name = "rrt-connect";
  readonly #parts: readonly JointPart[];
  readonly #tree: PathPlanner = new RrtConnect({ local: 0.25 });

  constructor(parts: readonly JointPart[]) {
    this.#parts = parts;
  }

  plan(problem: PathProblem, random: Random, budget: PathBudget): PathResult {
    for (const [k, goal] of problem.goals.slice(0, MOST_GOALS).entries()) {
      for (const parts of [this.#parts, [...this.#parts].reverse()]) {
        const path = this.#inTurn(problem, goal, parts, random, budget);
        if (path !== null) return { outcome: PathOutcome.found, path, goal: k };
        if (budget.isOver()) return noPath(PathOutcome.exhausted);
      }
    }
    return noPath(PathOutcome.none);
  }

  /** The path of all joints, the parts moving in this order; null if one of them finds none. */
  #inTurn(
    { check: whole, space, start }: PathProblem,
    goal: Float64Array,
    parts: readonly JointPart[],
    random: Random,
    budget: PathBudget,
  ): Float64Array[] | null {
    const path = [start.slice()];
    const posture = whole.posture();
    for (const { joints, space: own, check } of parts) {
      const here = path[path.length - 1]!;
      for (let i = 0; i < here.length; i++) posture[whole.dofs[i]!] = here[i]!;
      check.margin = whole.margin;
      check.setPosture(posture);
      const pick = (q: Float64Array) => Float64Array.from(joints, (i) => q[i]!);
      const result = this.#move({ space: own, check, start: pick(here), goals: [pick(goal)] }, random, budget);
      whole.samples += check.samples;
      if (result === null) return null;
      for (const corner of result.slice(1)) {
        const next = here.slice();
        for (const [m, i] of joints.entries()) next[i] = corner[m]!;
        path.push(next);
      }
    }
    space.unwrap(path);
    return path;
  }

  #move(problem: PathProblem, random: Random, budget: PathBudget): readonly Float64Array[] | null {
    const { check, start, goals } = problem;
    const end = goals[0]!;
    if (!check.isFree(start) || !check.isFree(end)) return null;
    if (check.isLongEdgeFree(start, end)) return [start, end];
    const { outcome, path } = this.#tree.plan(problem, random, budget);
    return outcome === PathOutcome.found ? path : null;
  }
}
