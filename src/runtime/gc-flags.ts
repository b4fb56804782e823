import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/**
 * V8's flags for a process whose threads have deadlines. Each thread collects its own young garbage, without helpers:
 * there is little of it, a helper that is kept from its core holds the thread up for as long, and waking helpers costs more
 * than they save. The young generation also gets more room, so that it is collected less often.
 */
const FLAGS = ["--no-parallel-scavenge", "--min-semi-space-size=16"] as const;

/** The same for a process to be started: from its start V8 may also do without helpers for old garbage. */
export const processGcFlags = ["--single-threaded-gc", "--min-semi-space-size=16"] as const;

/** Sets them for this process; to be called before the threads start that they are for. */
export function setGcFlags(): void {
  for (const flag of FLAGS) setFlagsFromString(flag);
}

/** Collects all garbage of the calling thread now, so that it does not have to be done when time matters. */
export function collectGarbage(): void {
  setFlagsFromString("--expose-gc");
  const collect: unknown = runInNewContext("gc");
  if (typeof collect === "function") collect();
}
