/**
 * Bytes of JavaScript heap that one call of `work` takes, after warming up. No garbage collection runs inside the
 * measurement, so short-lived garbage shows as well: one boxed number is 16 bytes. The least of several rounds is
 * given, since the engine itself allocates now and then; what it does so stays below `allocationFree`.
 */
export function heapBytesPerCall(work: (index: number) => void, calls = 20_000): number {
  const collect = globalThis.gc;
  if (collect === undefined) throw new Error("run with --expose-gc");
  for (let i = 0; i < calls; i++) work(i);
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 5; round++) {
    collect();
    const before = process.memoryUsage().heapUsed;
    for (let i = 0; i < calls; i++) work(i);
    least = Math.min(least, (process.memoryUsage().heapUsed - before) / calls);
  }
  return least;
}

/** Bytes per call below which nothing is allocated: less than a quarter of the smallest object. */
export const allocationFree = 4;
