import type { CatchArm } from "../problem/catch-arm.js";
import type { ArmPlanRequest, ArmPlanResult } from "./arm-plan.js";
import { type ArmPlannerOptions, CatchPlanner } from "./arm-planner.js";

export interface TimedPlannerOptions extends ArmPlannerOptions {
  /** Wall clock [ms], for `timings` alone: no plan depends on it. */
  readonly stopwatch?: () => number;
  /** Where to write them; a place of its own by default. */
  readonly timings?: PlannerTimings;
}

/**
 * How long planning really took [ms]: global searches that found a catch, those that did not, and solves from the plan
 * before.
 */
export interface PlannerTimings {
  readonly coldMs: number[];
  readonly fruitlessMs: number[];
  readonly warmMs: number[];
}

/** An arm's planner that measures how long it takes. */
export class TimedPlanner {
  readonly timings: PlannerTimings;
  readonly #planner: CatchPlanner;
  readonly #stopwatch: () => number;

  /** `posture` is the one the robot waits in. */
  constructor(arm: CatchArm, posture: Float64Array, options: TimedPlannerOptions = {}) {
    const { stopwatch = () => 0, timings = { coldMs: [], fruitlessMs: [], warmMs: [] }, ...planning } = options;
    this.timings = timings;
    this.#stopwatch = stopwatch;
    this.#planner = new CatchPlanner(arm, posture, planning);
  }

  plan(request: ArmPlanRequest): ArmPlanResult {
    const begun = this.#stopwatch();
    const answer = this.#planner.plan(request);
    const { coldMs, fruitlessMs, warmMs } = this.timings;
    const kind = request.previous !== null ? warmMs : answer.plan === null ? fruitlessMs : coldMs;
    kind.push(this.#stopwatch() - begun);
    return answer;
  }
}
