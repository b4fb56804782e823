import type { ArmPlanRequest, ArmPlanResult } from "../planning/arm/arm-plan.js";

/** What the planner says, and since when. */
export type ArmPlanAnswer = ArmPlanResult & { readonly answeredNs: number };

/**
 * Whoever plans for one arm: in the caller's own thread, or later a pool of workers. One question at a time; everything
 * a plan depends on is in the question, so that any worker gives the same answer.
 */
export interface ArmPlanner {
  /** Asks. The question before must have been answered. */
  submit(request: ArmPlanRequest, nowNs: number): void;
  /** The answer, once, when it is there; null until then. `answeredNs` tells since when. */
  collect(nowNs: number): ArmPlanAnswer | null;
}
