import { brakeWords } from "../catching/stop-recovery.js";
import { Severity } from "../messages/event.js";
import { BrakeReason, MonitorPhase } from "../safety/monitor/monitor-words.js";
import type { EventMessage, StateMessage } from "./stage-messages.js";

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
