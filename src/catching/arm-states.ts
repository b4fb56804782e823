import type { ArmState } from "../messages/report.js";
import type { DirectorDisclosure } from "./disclosure.js";

/** The arms' state machines as they are published. */
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

/** A condition with its present value; an arm that waits for nothing needs none. */
function conditionOf(text: string, value: string): string {
  return value === "nothing" ? text : `${text} (${value})`;
}
