import { noPath, PathOutcome, type PathPlanner, type PathProblem, type PathResult } from "./path-planner.js";

/** The straight way to the first goal to which it is free. */
export class StraightPlanner implements PathPlanner {
  readonly name = "straight";

  plan({ space, check, start, goals }: PathProblem): PathResult {
    for (const [k, goal] of goals.entries()) {
      const end = goal.slice();
      space.unwrap([start, end]);
      if (check.isEdgeFree(start, 0, end, 0)) return { outcome: PathOutcome.found, path: [start, end], goal: k };
    }
    return noPath(PathOutcome.none);
  }
}
