import type { BallState } from "../flight/flight-path.js";
import type { ArmPlanRequest, ArmPlanResult } from "../planning/arm/arm-plan.js";

export type { ArmPlanRequest, CatchPlan, OtherMotions, PlanSurroundings } from "../planning/arm/arm-plan.js";

/** A ball as perception gives it, in the world; its time is on the run's clock. */
export interface BallPrediction {
  /** Which ball. */
  readonly track: number;
  readonly state: BallState;
  /** Of position, velocity and drag, 7 × 7; null where the state is exact. */
  readonly covariance: Float64Array | null;
  /** Exposure of the newest image that went into it [s]. */
  readonly lastSeen: number;
  /** Whether it has been seen often enough to act on it. */
  readonly confirmed: boolean;
}

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
