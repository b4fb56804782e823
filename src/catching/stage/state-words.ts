import { Severity } from "../../messages/event.js";
import { BrakeReason, MonitorPhase } from "../../safety/monitor/monitor-words.js";
import type { DirectorDisclosure } from "../disclosure.js";
import { brakeWords } from "../stop-recovery.js";
import type { ArmState, EventMessage, StateMessage } from "./stage-messages.js";

/** The arms' state machines as spectators are told of them. */
export function armStates({ arms }: DirectorDisclosure): ArmState[] {
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

/** A condition with its present value; that an arm waits for nothing is not worth a word. */
function conditionOf(text: string, value: string): string {
  return value === "nothing" ? text : `${text} (${value})`;
}

/** What the safety monitor is about. */
export function monitorState(phase: MonitorPhase, reason: BrakeReason): StateMessage["monitor"] {
  return {
    phase: nameIn(MonitorPhase, phase),
    reason: reason === BrakeReason.none ? "" : brakeWords(reason),
  };
}

export function severityName(severity: Severity): EventMessage["severity"] {
  return nameIn(Severity, severity);
}

/** The name of a value in an object of names. */
export function nameIn<Names extends string>(names: Readonly<Record<Names, number>>, value: number): Names {
  return (Object.keys(names) as Names[]).find((name) => names[name] === value)!;
}
