import { StateMachine, type Transition } from "./state-machine.js";

/** What the robot is about. */
export type CatchState = "idle" | "watching" | "reaching" | "grasping" | "holding" | "returning";

/** What makes it change its mind. */
export type CatchEvent =
  /** The run begins. */
  | "start"
  /** Control has taken over a plan for a ball. */
  | "planned"
  /** The hand is told to close. */
  | "closing"
  /** The fingers are closed. */
  | "closed"
  /** The ball has been held long enough. */
  | "held"
  /** The arm stands, the hand is open: another ball may come. */
  | "ready";

/**
 * The states of a catch. Emergencies are more rows of this table: any state to `braking` on "unsafe", and from there to
 * `returning` or `fault`.
 */
export const catchTransitions: readonly Transition<CatchState, CatchEvent>[] = [
  { from: "idle", event: "start", to: "watching" },
  { from: "watching", event: "planned", to: "reaching" },
  { from: "reaching", event: "planned", to: "reaching" },
  { from: "reaching", event: "closing", to: "grasping" },
  { from: "grasping", event: "closed", to: "holding" },
  { from: "holding", event: "held", to: "returning" },
  { from: "returning", event: "ready", to: "watching" },
];

export function createCatchMachine(): StateMachine<CatchState, CatchEvent> {
  return new StateMachine<CatchState, CatchEvent>("idle", catchTransitions);
}
