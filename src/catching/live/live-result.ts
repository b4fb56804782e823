import * as vec3 from "../../math/vec3.js";
import type { Robot } from "../../robot/robot.js";
import type { WorldMessage } from "../../simulation/robot-sim/world-protocol.js";
import type { Throw } from "../../simulation/throws.js";
import { noPlanReason } from "../catch-attempt.js";
import type { ThrowResult } from "../run-summary.js";
import type { ArmReport, AttemptReport } from "./attempt-report.js";

type Verdict = Extract<WorldMessage, { type: "verdict" }>;

/** What became of a throw: the world's verdict, and what the arms had done about the ball. Times on the run's clock [s]. */
export function liveResult(
  robot: Robot,
  { id, aim, flightTime, state }: Throw,
  released: number,
  { hand, time, verdict, hold }: Verdict,
  arms: readonly ArmReport[],
): ThrowResult {
  const arm = hand === null ? null : armOf(robot, hand);
  const attempt = attemptOf(arm, released, arms);
  const isGrasped = verdict !== null && time !== null;
  const isCaught = isGrasped && (hold === null ? verdict.caught : hold === "held");
  const hasPlan = attempt !== null && attempt.objective !== null;
  // A hand that closed without a catch in sight has missed nothing.
  const isMissed = isGrasped && !isCaught && (attempt === null || hasPlan);
  return {
    id,
    aim: [...aim],
    flightTime,
    speed: vec3.norm(state.velocity),
    arm,
    outcome: isCaught ? "caught" : isMissed ? "missed" : "no-plan",
    reason: isCaught ? null : isMissed ? [hold, ...verdict.misses].join(", ") : noPlanReason(attempt),
    reactionTime: hasPlan ? attempt.begun - released : null,
    catchTime: isCaught || isMissed ? time - released : null,
    verdict: isCaught || isMissed ? verdict : null,
    hold,
    errors: null,
    firstObjective: attempt?.firstObjective ?? null,
    objective: attempt?.objective ?? null,
    searches: attempt?.searches ?? 0,
    replans: Math.max(0, (attempt?.taken ?? 0) - 1),
    unsolved: attempt?.unsolved ?? 0,
    refused: attempt?.refused ?? 0,
  };
}

function armOf({ model }: Robot, hand: string): string | null {
  return model.groups.find((group) => group.hand === hand)?.name ?? null;
}

/** That of the arm that closed its hand, or of one that tried since the ball was released. */
function attemptOf(arm: string | null, released: number, arms: readonly ArmReport[]): AttemptReport | null {
  const own = arms.find((report) => report.arm === arm)?.attempt ?? null;
  if (own !== null) return own;
  const tried = arms.flatMap(({ attempt }) => (attempt !== null && attempt.firstSeen >= released ? [attempt] : []));
  return tried.find(({ objective }) => objective === null) ?? tried[0] ?? null;
}
