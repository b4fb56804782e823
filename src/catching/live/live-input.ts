import type { WatchedPart } from "../../control/watchdog.js";
import { Reaction } from "../../control/watchdog.js";

/** The parts of a live run that control listens to, in the order of their heartbeats. */
export const LivePart = { coordinator: 0, seeing: 1 } as const;

/**
 * How long each may be silent [s]. Neither can do harm by silence: a plan in execution ends at rest by itself. So control
 * finishes what it has and takes nothing new.
 */
export const watchedParts: readonly WatchedPart[] = [
  { name: "coordinator", patience: 0.5, reaction: Reaction.finish },
  { name: "seeing", patience: 0.5, reaction: Reaction.finish },
];
