import { setFlagsFromString } from "node:v8";

/**
 * What calms a JavaScript engine whose threads have deadlines. Young garbage is collected by the thread whose it is,
 * without helpers: there is little of it, a helper that is kept from its core holds the thread up for as long, and waking
 * helpers costs more than they save. It also gets more room, so that it is collected less often.
 */
const CALM = ["--no-parallel-scavenge", "--min-semi-space-size=16"] as const;

/** The same for another process: from its start the engine may also do without helpers for old garbage. */
export const calmEngineFlags = ["--single-threaded-gc", "--min-semi-space-size=16"] as const;

/** Calms the engine of this process; to be called before the threads start that it is for. */
export function calmEngine(): void {
  for (const flag of CALM) setFlagsFromString(flag);
}
