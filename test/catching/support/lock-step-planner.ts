import type { ArmPlanAnswer, ArmPlanner, ArmPlanRequest } from "../../../src/catching/arm-planner.js";
import type { CatchTimes } from "../../../src/catching/catch-times.js";

/**
 * A planner on the simulation's clock: the answer is there when the budget has passed, however long planning really
 * took.
 */
export class LockStepPlanner implements ArmPlanner {
  readonly #planner: ArmPlanner;
  readonly #times: CatchTimes;
  #dueNs = Number.POSITIVE_INFINITY;

  constructor(planner: ArmPlanner, times: CatchTimes) {
    this.#planner = planner;
    this.#times = times;
  }

  submit(request: ArmPlanRequest, nowNs: number): void {
    const { coldBudgetNs, warmBudgetNs } = this.#times;
    this.#dueNs = nowNs + (request.previous === null ? coldBudgetNs : warmBudgetNs);
    this.#planner.submit(request, nowNs);
  }

  collect(nowNs: number): ArmPlanAnswer | null {
    if (nowNs < this.#dueNs) return null;
    const answer = this.#planner.collect(nowNs);
    return answer === null ? null : { ...answer, answeredNs: this.#dueNs };
  }
}
