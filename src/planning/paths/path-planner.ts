import type { PathCheck } from "../../collision/path-check.js";
import type { Random } from "../../math/random.js";
import type { JointSpace } from "./joint-space.js";

/** What every path planner is asked: a way for some joints from a start to any of some goals. */
export interface PathProblem {
  readonly space: JointSpace;
  /** Set to the posture of all other joints. */
  readonly check: PathCheck;
  readonly start: Float64Array;
  /** Free configurations, any of which will do, the preferred first. */
  readonly goals: readonly Float64Array[];
}

/** What a search may use up. */
export interface PathBudget {
  /** Configurations that may be looked at. */
  readonly samples: number;
  /** Read now and then; true ends the search: a deadline, or a cancellation. */
  readonly isOver: () => boolean;
}

export const PathOutcome = {
  found: "found",
  /** There is no way that this planner could find, whatever the budget. */
  none: "none",
  exhausted: "exhausted",
} as const;
export type PathOutcome = (typeof PathOutcome)[keyof typeof PathOutcome];

/** How a search ended. */
export interface PathResult {
  readonly outcome: PathOutcome;
  /** Corners from the start to a goal; empty unless found. */
  readonly path: readonly Float64Array[];
  /** Index of the goal that was reached; −1 unless found. */
  readonly goal: number;
}

/**
 * Finds paths of straight edges between configurations. The same problem, random stream and budget of samples give the same
 * path; what a planner keeps from one problem to the next is memory alone.
 */
export interface PathPlanner {
  readonly name: string;
  plan(problem: PathProblem, random: Random, budget: PathBudget): PathResult;
}

/** Without a path. */
export function noPath(outcome: PathOutcome): PathResult {
  return { outcome, path: [], goal: -1 };
}
