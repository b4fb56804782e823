import type { ArmState, Attempt } from "../messages/report.js";
import type { GuardReading } from "./catch-guards.js";
import type { CatchEvent, CatchState } from "./catch-states.js";
import type { Passage } from "./state-machine.js";

/** A director laid open: plain data that can be sent anywhere. All times on the run's clock [s]. */
export interface DirectorSnapshot {
  readonly time: number;
  readonly arms: readonly ArmSnapshot[];
  /** Arms that have been asked about the same ball, which is nobody's yet; null if none is. */
  readonly contest: { readonly track: number; readonly arms: readonly string[] } | null;
  /** Balls that come, when last any was seen. */
  readonly ballsInSight: number;
  readonly body: BodySnapshot;
}

/** What torso and platform are about. */
export interface BodySnapshot {
  /** `waiting` where it belongs; `sent`: control has not answered for a motion yet; `away`: it helps, or has helped. */
  readonly state: "waiting" | "sent" | "away";
}

/** The state machine of one arm. */
export interface ArmSnapshot {
  readonly arm: string;
  readonly state: CatchState;
  /** The states it lies within, innermost first. */
  readonly within: readonly CatchState[];
  /** When it got there. */
  readonly since: number;
  /** What it waits for: `planner`, `choice`, `control` or `nothing`. */
  readonly waitsFor: string;
  /** Ways out of the state, and what stands for or against each. */
  readonly guards: readonly GuardReading[];
  /** The last transitions, the newest last. */
  readonly transitions: readonly PassageReading[];
  readonly attempt: AttemptSnapshot | null;
}

type PassageReading = Omit<Passage<CatchState, CatchEvent>, "timeNs"> & { readonly time: number };

/** What has been done about the ball in hand, or the last there was. */
export type AttemptSnapshot = Omit<Attempt, "arm" | "number" | "isDropped">;

/** The arms' state machines as they are published. */
export function armStates({ arms }: DirectorSnapshot): ArmState[] {
  return arms.map(({ arm, state, since, guards, transitions }) => ({
    arm,
    state,
    since,
    guards: guards.map(({ name, to, holds, value, text }) => ({ name, to, holds, text: conditionOf(text, value) })),
    transitions: transitions.map(({ time, from, event, to, reason }) => ({
      time,
      from,
      to,
      reason: reason === "" ? event : reason,
    })),
  }));
}

/** A condition with its present value; an arm that waits for nothing needs none. */
function conditionOf(text: string, value: string): string {
  return value === "nothing" ? text : `${text} (${value})`;
}
