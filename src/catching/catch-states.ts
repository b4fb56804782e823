import { type ChartTransition, type StateChart, StateMachine } from "./state-machine.js";

/** What an arm is about. `active`, `catching` and `returning` have others within them. */
export type CatchState =
  | "idle"
  | "active"
  | "watching"
  | "catching"
  | "reaching"
  | "grasping"
  | "holding"
  | "returning"
  | "carrying"
  | "dropping"
  | "homing"
  | "braking"
  | "fault";

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
  /** The ball has been held long enough, and is brought to a box. */
  | "held"
  /** The same, where there is no way to a box, or the arm is to stay. */
  | "kept"
  /** The hand is over the box. */
  | "carried"
  /** The fingers are open. */
  | "dropped"
  /** The arm stands, the hand is open: another ball may come. */
  | "ready"
  /** Another arm catches the ball, or nobody can any more. */
  | "lost"
  /** The safety monitor stops the robot. */
  | "unsafe"
  /** The robot stands and may move again. */
  | "released"
  /** It cannot get free by itself. */
  | "failed"
  /** A person has put it right. */
  | "repaired";

/** What leads from one state to another. What is not here does not happen. */
export const catchTransitions: readonly ChartTransition<CatchState, CatchEvent>[] = [
  { from: "idle", event: "start", to: "watching" },
  { from: "watching", event: "planned", to: "reaching" },
  { from: "reaching", event: "planned", to: "reaching" },
  { from: "reaching", event: "lost", to: "homing" },
  { from: "reaching", event: "closing", to: "grasping" },
  { from: "grasping", event: "closed", to: "holding" },
  { from: "holding", event: "held", to: "carrying" },
  { from: "holding", event: "kept", to: "homing" },
  { from: "carrying", event: "carried", to: "dropping" },
  { from: "carrying", event: "lost", to: "homing" },
  { from: "dropping", event: "dropped", to: "homing" },
  { from: "homing", event: "ready", to: "watching" },
  { from: "active", event: "unsafe", to: "braking" },
  { from: "active", event: "failed", to: "fault" },
  { from: "braking", event: "released", to: "homing" },
  { from: "braking", event: "failed", to: "fault" },
  { from: "fault", event: "repaired", to: "homing" },
];

export const catchChart: StateChart<CatchState, CatchEvent> = {
  initial: "idle",
  within: {
    watching: "active",
    catching: "active",
    reaching: "catching",
    grasping: "catching",
    holding: "catching",
    returning: "active",
    carrying: "returning",
    dropping: "returning",
    homing: "returning",
  },
  transitions: catchTransitions,
};

export function createCatchMachine(): StateMachine<CatchState, CatchEvent> {
  return new StateMachine(catchChart);
}
