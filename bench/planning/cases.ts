import { Random } from "../../src/math/random.js";
import { iterationBudget } from "../../src/optimisation/solver-interface.js";
import type { CatchMode } from "../../src/planning/problem/objectives.js";
import { CatchSolver } from "../../src/planning/search/catch-solver.js";
import { FIRST_MOTION, type PlanningSetting, THROW_SEED } from "./setting.js";

/** One planning problem of the suite, as plain data: it is stored with the reference. */
export interface PlanningCase {
  readonly throwId: number;
  readonly mode: CatchMode;
  /** From the release to the start of the motion [s]. */
  readonly delay: number;
  readonly q0: readonly number[];
  readonly w0: readonly number[];
}

const modes: readonly CatchMode[] = ["soft", "latest", "cool", "sure"];
const FRAME = 0.04;
/** A plan is not replanned when less than this is left to the catch [s]. */
const LAST_REPLAN = 0.12;

/**
 * The suite's cases: throw k in mode k mod 4. Half of them start at rest in the ready posture, half while a plan for the
 * same throw is under way, at a random one of its 40 ms steps; a throw that cannot be caught stays a standing start.
 */
export function makeCases(setting: PlanningSetting, count: number): PlanningCase[] {
  const random = new Random(THROW_SEED).fork("cases");
  const still = new Float64Array(setting.ready.length);
  const first = setting.task("soft", setting.flight(0, FIRST_MOTION), setting.ready, still);
  const solver = new CatchSolver(setting.arm, first);
  const solution = solver.createSolution();
  return Array.from({ length: count }, (_, throwId) => {
    const mode = modes[throwId % modes.length]!;
    const isMoving = throwId % 8 >= 4;
    const standing = { throwId, mode, delay: FIRST_MOTION, q0: [...setting.ready], w0: [...still] };
    const step = random.uniform();
    if (!isMoving) return standing;
    const task = setting.task(mode, setting.flight(throwId, FIRST_MOTION), setting.ready, still);
    solver.cold(task, { starts: 24, solve: iterationBudget(200) }, solution);
    const steps = Math.floor((solution.x.at(-1)! - LAST_REPLAN) / FRAME);
    if (!solution.found || steps < 1) return standing;
    const elapsed = (1 + Math.floor(step * steps)) * FRAME;
    const [q, w, a] = [new Float64Array(still.length), new Float64Array(still.length), new Float64Array(still.length)];
    solution.ramps.evaluate(elapsed, q, w, a);
    return { throwId, mode, delay: FIRST_MOTION + elapsed, q0: [...q], w0: [...w] };
  });
}
