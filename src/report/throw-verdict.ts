import type { Robot } from "../robot/robot.js";
import type { ReplayedGrasp } from "../run/replay/grasp-log.js";
import { evaluateGrasp } from "../simulation/verdict.js";
import type { FlyingBall } from "../simulation/world/catch-world.js";
import type { PlanReport, ThrowVerdict } from "./report-types.js";

/** A flight to judge by, and where it comes from. */
export interface JudgingFlight {
  readonly source: "truth" | "smoothed";
  readonly ball: Pick<FlyingBall, "path" | "released" | "lands">;
}

/** What became of a throw: by the geometric gate, against the best flight there is. `end` is that of the replay [s]. */
export function throwVerdict(
  robot: Robot,
  grasp: ReplayedGrasp | null,
  flight: JudgingFlight | null,
  plans: readonly PlanReport[],
  end: number,
): ThrowVerdict {
  const judgedBy: ThrowVerdict["judgedBy"] = flight?.source ?? "nothing";
  const nothing = { lateral: null, timing: null, misses: [], judgedBy };
  if (grasp === null) return { ...nothing, ...withoutGrasp(plans, end) };
  const group = robot.model.groups.find(({ name }) => name === grasp.arm);
  const hand = robot.hands.find(({ name }) => name === group?.hand);
  if (flight === null || hand === undefined) {
    return { ...nothing, outcome: "missed", reason: "the recording does not say where the ball was" };
  }
  const { caught, misses, lateral, timing } = evaluateGrasp(flight.ball, grasp, hand);
  const isMet = Number.isFinite(lateral);
  const vain = caught ? null : reasonInVain(plans);
  if (vain !== null) return { ...nothing, outcome: "not reachable", reason: vain };
  return {
    outcome: caught ? "caught" : "missed",
    lateral: isMet ? lateral : null,
    timing: isMet ? timing : null,
    misses,
    reason: caught ? null : missedBy(lateral, timing, misses),
    judgedBy,
  };
}

/**
 * Why there was no catch, if the motion in execution at the end was none but only came near to one: the hand that closed then
 * has missed nothing. Null: it was a catch.
 */
function reasonInVain(plans: readonly PlanReport[]): string | null {
  const taken = plans.findLast(({ handover }) => handover === "accepted");
  return taken === undefined || taken.tCatch !== null ? null : taken.reason;
}

function missedBy(lateral: number, timing: number, misses: readonly string[]): string {
  if (!Number.isFinite(lateral)) return "the ball never passed the hand";
  const when = timing >= 0 ? "late" : "early";
  return `by ${(100 * lateral).toFixed(1)} cm and ${(1e3 * Math.abs(timing)).toFixed(1)} ms ${when} (${misses.join(", ")})`;
}

/** Nobody closed a hand: was the ball seen, and what was in the way? */
function withoutGrasp(plans: readonly PlanReport[], end: number): Pick<ThrowVerdict, "outcome" | "reason"> {
  if (plans.length === 0) return { outcome: "not seen", reason: "no prediction was good enough to plan with" };
  const taken = plans.findLast(({ handover }) => handover === "accepted");
  if (taken?.tCatch !== undefined && taken.tCatch !== null && taken.tCatch > end) return cutShort;
  const reasons = plans.flatMap(({ reason }) => (reason === null ? [] : [reason]));
  const refused = plans.find(({ handover }) => handover !== null && handover !== "accepted");
  if (reasons.length > 0) return { outcome: "not reachable", reason: reasons[0]! };
  if (refused !== undefined)
    return { outcome: "not reachable", reason: `control refused the plan: ${refused.handover}` };
  return cutShort;
}

/** A hand was on its way. */
const cutShort = {
  outcome: "missed",
  reason: "the recording, or the part replayed, ends before the hand closed",
} as const;
