import { type CatchAttempt, objectiveOf } from "../catch-attempt.js";
import type { CatchState } from "../catch-states.js";
import type { PlannerTimings } from "../inline-arm-planner.js";

/** What an arm has done about its ball, or the last there was, as it passes between threads. */
export interface ArmReport {
  readonly arm: string;
  readonly state: CatchState;
  readonly attempt: AttemptReport | null;
}

export type AttemptReport = Omit<CatchAttempt, "plan" | "isStuck"> & {
  /** Objective of the catch in execution, null without one, and when the hand closes about it, or nearly so [s]. */
  readonly objective: number | null;
  readonly tCatch: number | null;
};

/** What the coordinator's thread says of itself when it is asked. */
export interface CoordinatorReport {
  readonly arms: readonly ArmReport[];
  readonly isWaiting: boolean;
  readonly timings: PlannerTimings;
  /** Plans that control accepted and the coordinator could not follow. */
  readonly divergences: number;
}

export function reportAttempt({ plan, isStuck: _, ...attempt }: CatchAttempt): AttemptReport {
  return { ...attempt, objective: objectiveOf(plan), tCatch: plan?.tCatch ?? null };
}
