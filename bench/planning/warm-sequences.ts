import { Random } from "../../src/math/random.js";
import { iterationBudget } from "../../src/optimisation/solver-interface.js";
import type { CatchTask } from "../../src/planning/problem/catch-problem.js";
import type { CatchSolver } from "../../src/planning/search/catch-solver.js";
import type { ReferenceCase } from "./reference.js";
import type { PlanningSetting } from "./setting.js";

/** One replan: the prediction of the next camera frame, the moving start, and what the last solve left. */
export interface WarmCase {
  readonly task: CatchTask;
  readonly start: Float64Array;
  readonly warmStart: Float64Array;
}

const FRAME = 0.04;
/** How much the prediction moves from one frame to the next: about a filter's own sigma after a few images [m, m/s]. */
const POSITION_STEP = 0.01;
const VELOCITY_STEP = 0.05;

/**
 * For each case that can be caught, the replan one camera frame later: the arm has followed its plan for 40 ms, and the
 * ball's predicted state has moved by a centimetre and 5 cm/s.
 */
export function makeWarmCases(
  setting: PlanningSetting,
  solver: CatchSolver,
  cases: readonly ReferenceCase[],
): WarmCase[] {
  const random = new Random("warm cases");
  const solution = solver.createSolution();
  return cases.flatMap((entry) => {
    const task = setting.caseTask(entry);
    solver.cold(task, { starts: 16, solve: iterationBudget(200) }, solution);
    const left = solution.x.at(-1)! - FRAME;
    if (!solution.found || left < FRAME) return [];
    const [q, w, a] = [0, 0, 0].map(() => new Float64Array(setting.ready.length)) as [
      Float64Array,
      Float64Array,
      Float64Array,
    ];
    solution.ramps.evaluate(FRAME, q, w, a);
    const jitter = { position: POSITION_STEP, velocity: VELOCITY_STEP, random };
    const path = setting.flight(entry.throwId, entry.delay + FRAME, jitter);
    const start = solution.x.slice();
    start[start.length - 1] = left;
    return [{ task: setting.task(entry.mode, path, q, w), start, warmStart: solution.warmStart.slice() }];
  });
}
