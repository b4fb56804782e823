import type { ArmPlanAnswer, ArmPlanner } from "../../../src/catching/arm-planner.js";
import type { CatchTimes } from "../../../src/catching/catch-times.js";
import type { ArmPlanRequest, ArmPlanResult } from "../../../src/planning/arm/arm-plan.js";

/**
 * A planner on the simulation's clock: the answer is there when the budget has passed, however long planning really
 * took.
 */
export class LockStepPlanner implements ArmPlanner {
  readonly #planner: { plan(request: ArmPlanRequest): ArmPlanResult };
  readonly #times: CatchTimes;
  #answer: ArmPlanAnswer | null = null;

  constructor(planner: { plan(request: ArmPlanRequest): ArmPlanResult }, times: CatchTimes) {
    this.#planner = planner;
    this.#times = times;
  }

  submit(request: ArmPlanRequest, nowNs: number): void {
    const { coldBudgetNs, warmBudgetNs } = this.#times;
    const answeredNs = nowNs + (request.previous === null ? coldBudgetNs : warmBudgetNs);
    this.#answer = { ...this.#planner.plan(request), answeredNs };
  }

  collect(nowNs: number): ArmPlanAnswer | null {
    const answer = this.#answer;
    if (answer === null || nowNs < answer.answeredNs) return null;
    this.#answer = null;
    return answer;
  }
}
