import { StateMachine, type Transition } from "./state-machine.js";

/** What the robot is about. */
export type CatchState = "idle" | "watching" | "reaching" | "grasping" | "holding" | "returning" | "braking";

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
  | "ready"
  /** Another arm catches the ball, or nobody can any more. */
  | "lost"
  /** The safety monitor stops the robot. */
  | "unsafe"
  /** The robot stands and may move again. */
  | "released";

/** The states in which the monitor may stop the robot. */
const stoppable = ["watching", "reaching", "grasping", "holding", "returning"] as const;

/** The states of a catch. What is not here does not happen. */
export const catchTransitions: readonly Transition<CatchState, CatchEvent>[] = [
  { from: "idle", event: "start", to: "watching" },
  { from: "watching", event: "planned", to: "reaching" },
  { from: "reaching", event: "planned", to: "reaching" },
  { from: "reaching", event: "lost", to: "returning" },
  { from: "reaching", event: "closing", to: "grasping" },
  { from: "grasping", event: "closed", to: "holding" },
  { from: "holding", event: "held", to: "returning" },
  { from: "returning", event: "ready", to: "watching" },
  ...stoppable.map((from) => ({ from, event: "unsafe", to: "braking" }) as const),
  { from: "braking", event: "released", to: "returning" },
];

export function createCatchMachine(): StateMachine<CatchState, CatchEvent> {
  return new StateMachine<CatchState, CatchEvent>("idle", catchTransitions);
}
