import type { ArmPlanAnswer, ArmPlanRequest } from "../../catching/arm-planner.js";

/** A question to a planner that had an answer. */
export interface AnsweredQuestion {
  readonly arm: string;
  /** Ball it is about. */
  readonly track: number;
  readonly askedNs: number;
  readonly request: ArmPlanRequest;
  readonly answer: ArmPlanAnswer;
}
