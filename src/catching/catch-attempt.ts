import type { BallPrediction } from "../messages/prediction.js";
import type { CatchPlan } from "../planning/arm/arm-plan.js";
import type { AttemptSnapshot } from "./snapshot.js";

/** What has been done about one ball. */
export interface CatchAttempt {
  readonly track: number;
  /** Time of the first confirmed prediction [s]. */
  readonly firstSeen: number;
  /** How late the arm follows its commands, which plans are made of [s]. */
  readonly commandDelay: number;
  /** The plan in execution: a catch, or what comes nearest to one. */
  plan: CatchPlan | null;
  /** When the first plan began [s], and the objective of the first catch. */
  begun: number;
  firstObjective: number | null;
  /** Global searches, plans that control took over, solves from the plan before that found nothing, plans refused. */
  searches: number;
  taken: number;
  unsolved: number;
  refused: number;
  /** Whether the last solve from the plan before found nothing: the next one searches everywhere. */
  isStuck: boolean;
  /** Whether that search found nothing either: another arm may have the ball. */
  isLost: boolean;
  /** Why the first search found nothing, or its plan was not taken: later ones fail because it is late. */
  reason: string | null;
  /** Why the last question that had no answer had none. */
  lastRefusal: string | null;
}

/** Objective of a plan that is a catch; null of one that only comes near to it, and of none. */
export function objectiveOf(plan: CatchPlan | null): number | null {
  return plan === null || plan.shortfall > 0 ? null : plan.objective;
}

/** Why there was no catch of a ball. */
export function noPlanReason(attempt: Pick<CatchAttempt, "reason" | "lastRefusal"> | null): string {
  return attempt?.reason ?? attempt?.lastRefusal ?? "never seen";
}

/** An attempt as plain data. */
export function attemptSnapshot({
  plan,
  begun,
  isStuck: _,
  isLost: __,
  commandDelay,
  ...attempt
}: CatchAttempt): AttemptSnapshot {
  return {
    ...attempt,
    begun: Number.isNaN(begun) ? null : begun,
    objective: objectiveOf(plan),
    hasPlan: plan !== null,
    isCatch: plan !== null && !(plan.shortfall > 0),
    tCatch: plan === null ? null : plan.tCatch + commandDelay,
  };
}

/** Nothing has been done yet about the ball of a prediction. */
export function newAttempt({ track, state }: BallPrediction, commandDelay: number): CatchAttempt {
  return {
    track,
    commandDelay,
    firstSeen: state.time,
    plan: null,
    begun: Number.NaN,
    firstObjective: null,
    searches: 0,
    taken: 0,
    unsolved: 0,
    isStuck: false,
    isLost: false,
    refused: 0,
    reason: null,
    lastRefusal: null,
  };
}
