/**
 * Bytes of heap a call of `work(i)` allocates, garbage included: growth between a collection and the end of a run too
 * short for another one. The least of several runs, since the test runner itself allocates now and then.
 */
export function bytesPerCall(work: (index: number) => void, calls = 20_000): number {
  if (globalThis.gc === undefined) throw new Error("run with --expose-gc");
  for (let i = 0; i < 5 * calls; i++) work(i);
  let least = Number.POSITIVE_INFINITY;
  for (let run = 0; run < 5; run++) {
    globalThis.gc();
    const before = process.memoryUsage().heapUsed;
    for (let i = 0; i < calls; i++) work(i);
    least = Math.min(least, (process.memoryUsage().heapUsed - before) / calls);
  }
  return least;
}
