import type { ArmPlanAnswer } from "../../catching/arm-planner.js";
import type { ArmPlanRequest } from "../../planning/arm/arm-plan.js";

/** A question to a planner that had an answer. */
export interface AnsweredQuestion {
  readonly arm: string;
  /** Ball it is about. */
  readonly track: number;
  readonly askedNs: number;
  readonly request: ArmPlanRequest;
  readonly answer: ArmPlanAnswer;
}
