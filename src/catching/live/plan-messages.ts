import { reviveAnswer as revive } from "../../planning/arm/revive.js";
import type { ArmPlanAnswer } from "../arm-planner.js";

export { reviveRequest } from "../../planning/arm/revive.js";

/** A planner's answer as it passes between threads, and how long it took. */
export interface PlannerReply {
  readonly answer: ArmPlanAnswer;
  readonly planningMs: number;
  /** The system's number of the planner's thread. */
  readonly thread: number;
}

export function reviveAnswer(answer: ArmPlanAnswer, answeredNs: number): ArmPlanAnswer {
  return { ...revive(answer), answeredNs };
}
