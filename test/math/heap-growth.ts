import { setFlagsFromString } from "node:v8";

/*
 * Allocation as a behaviour of compiled code: until V8 has optimised a function its numbers are boxed, so a measurement
 * must wait for the compiler. It compiles on a background thread, which on a busy machine may starve: here it shall
 * compile at once, in the calling thread.
 */
setFlagsFromString("--no-concurrent-recompilation");

export const MEASURED_CALLS = 20_000;
/** Rounds of `MEASURED_CALLS` before giving up; compiled code usually settles in the first two. */
const MAX_ROUNDS = 20;

function growthOfOneRound(call: () => void): number {
  globalThis.gc!();
  const before = process.memoryUsage().heapUsed;
  for (let i = 0; i < MEASURED_CALLS; i++) call();
  return process.memoryUsage().heapUsed - before;
}

/**
 * Bytes by which `MEASURED_CALLS` calls grow the heap once their code has settled: the first figure below `allowance`, or
 * the least of all rounds. Garbage counts too, for a round stays far from filling the young generation.
 */
export function heapGrowth(call: () => void, allowance: number): number {
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < MAX_ROUNDS && !(least < allowance); round++) {
    least = Math.min(least, growthOfOneRound(call));
  }
  return least;
}
