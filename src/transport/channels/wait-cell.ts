/** `Atomics.waitAsync`, which Node 20 has and the ES2023 library of TypeScript does not. */
interface AsyncAtomics {
  waitAsync(
    words: Int32Array,
    index: number,
    value: number,
    timeoutMs: number,
  ): { readonly async: false } | { readonly async: true; readonly value: Promise<string> };
}
const asyncAtomics = Atomics as unknown as AsyncAtomics;

/** Shorter waits are left to the event loop [ms]. */
const SHORTEST_MS = 1;
/** The longest a timer may be set for [ms]. */
const longestTimer = 2 ** 31 - 1;

/**
 * A word in shared memory that threads sleep on until it changes. Those asleep are counted, so that a writer nobody
 * waits for need not call the system; a thread that is terminated asleep stays counted, which costs only that call.
 */
export class WaitCell {
  private readonly words: Int32Array;
  private readonly value: number;
  private readonly waiters: number;

  constructor(words: Int32Array, valueWord: number, waitersWord: number) {
    this.words = words;
    this.value = valueWord;
    this.waiters = waitersWord;
  }

  read(): number {
    return Atomics.load(this.words, this.value);
  }

  /**
   * Blocks the thread while the word is `seen`; may also return early. Looks `spins` times before it sleeps: waking a
   * thread on an idle core takes tens of microseconds, a look some ten nanoseconds.
   */
  wait(seen: number, timeoutMs: number, spins = 0): void {
    for (let k = 0; k < spins; k++) if (Atomics.load(this.words, this.value) !== seen) return;
    Atomics.add(this.words, this.waiters, 1);
    Atomics.wait(this.words, this.value, seen, timeoutMs);
    Atomics.sub(this.words, this.waiters, 1);
  }

  /**
   * As `wait`, without blocking the thread. Keeps the event loop alive meanwhile, which the engine does not, and lets it turn
   * once at least: the engine ends waits below a millisecond at once, and sockets would never be read.
   */
  async waitAsync(seen: number, timeoutMs: number): Promise<void> {
    if (timeoutMs < SHORTEST_MS) {
      await new Promise(setImmediate);
      return;
    }
    Atomics.add(this.words, this.waiters, 1);
    const outcome = asyncAtomics.waitAsync(this.words, this.value, seen, timeoutMs);
    if (outcome.async) {
      const keepAlive = setInterval(() => undefined, longestTimer);
      await outcome.value;
      clearInterval(keepAlive);
    }
    Atomics.sub(this.words, this.waiters, 1);
  }

  /** After the word has changed: wakes all who sleep on it. */
  wake(): void {
    if (Atomics.load(this.words, this.waiters) !== 0) Atomics.notify(this.words, this.value);
  }
}

/** Time left until `deadline` of `performance.now()`; `Infinity` stays so [ms]. */
export function remaining(deadline: number): number {
  return deadline === Number.POSITIVE_INFINITY ? deadline : deadline - performance.now();
}

export function deadlineAfter(timeoutMs: number): number {
  return timeoutMs === Number.POSITIVE_INFINITY ? timeoutMs : performance.now() + timeoutMs;
}
