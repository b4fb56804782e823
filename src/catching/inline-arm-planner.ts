import { type ArmPlannerOptions, CatchPlanner } from "../planning/arm/arm-planner.js";
import type { CatchArm } from "../planning/problem/catch-arm.js";
import type { ArmPlanAnswer, ArmPlanner, ArmPlanRequest } from "./arm-planner.js";

export interface InlinePlannerOptions extends ArmPlannerOptions {
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

/** An arm's planner in the caller's thread: `submit` plans at once. */
export class InlineArmPlanner implements ArmPlanner {
  readonly timings: PlannerTimings;
  readonly #planner: CatchPlanner;
  readonly #stopwatch: () => number;
  #answer: ArmPlanAnswer | null = null;

  /** `posture` is the one the robot waits in. */
  constructor(arm: CatchArm, posture: Float64Array, options: InlinePlannerOptions = {}) {
    const { stopwatch = () => 0, timings = { coldMs: [], fruitlessMs: [], warmMs: [] }, ...planning } = options;
    this.timings = timings;
    this.#stopwatch = stopwatch;
    this.#planner = new CatchPlanner(arm, posture, planning);
  }

  submit(request: ArmPlanRequest, nowNs: number): void {
    const begun = this.#stopwatch();
    this.#answer = { ...this.#planner.plan(request), answeredNs: nowNs };
    const { coldMs, fruitlessMs, warmMs } = this.timings;
    const kind = request.previous !== null ? warmMs : this.#answer.plan === null ? fruitlessMs : coldMs;
    kind.push(this.#stopwatch() - begun);
  }

  collect(): ArmPlanAnswer | null {
    const answer = this.#answer;
    this.#answer = null;
    return answer;
  }
}
