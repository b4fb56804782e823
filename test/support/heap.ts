import { setFlagsFromString } from "node:v8";

/*
 * Allocation as a behaviour of compiled code: until V8 has optimised a function its numbers are boxed, so a measurement
 * must wait for the compiler. It compiles on a background thread, which on a busy machine may starve: here it shall
 * compile at once, in the calling thread.
 */
setFlagsFromString("--no-concurrent-recompilation");

/** Rounds before giving up; compiled code usually settles in the first two. */
const MAX_ROUNDS = 20;

/** Bytes per call below which nothing is allocated: less than a quarter of the smallest object, a boxed number of 16. */
export const allocationFree = 4;

/**
 * Bytes per call that a larger algorithm may take: V8 boxes a number (16 bytes) here and there where it stops inlining,
 * which depends on what else the process has run. A typed array would cost 100 and more, at every call.
 */
export const boxedNumbers = 64;

/**
 * Bytes of JavaScript heap that one call of `work` takes once its code has settled: the first figure below `enough`, or
 * the least of all rounds. No collection runs inside a round of sensible length, so short-lived garbage counts as well.
 */
export function heapBytesPerCall(work: (index: number) => void, calls = 20_000, enough = allocationFree): number {
  const collect = globalThis.gc;
  if (collect === undefined) throw new Error("run with --expose-gc");
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < MAX_ROUNDS && !(least < enough); round++) {
    collect();
    const before = process.memoryUsage().heapUsed;
    for (let i = 0; i < calls; i++) work(i);
    least = Math.min(least, (process.memoryUsage().heapUsed - before) / calls);
  }
  return least;
}
