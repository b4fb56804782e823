/** What a thread is to suffer: until when [ms on the run's clock], how much longer each of its steps takes [µs], what it dies of. */
const Slot = { hungUntil: 0, slowUntil: 1, delay: 2, dies: 3, count: 4 } as const;
const Death = { none: 0, error: 1, memory: 2 } as const;
/** Numbers that are kept at a time when memory is used up. */
const BLOCK = 100_000;

/** Faults of threads, in shared memory: each thread looks at its own before it steps a node. For tests of what follows. */
export class ThreadFaults {
  readonly #slots: Int32Array;
  readonly #sleeper = new Int32Array(new SharedArrayBuffer(4));

  static memory(parts: number): SharedArrayBuffer {
    return new SharedArrayBuffer(parts * Slot.count * Int32Array.BYTES_PER_ELEMENT);
  }

  constructor(memory: SharedArrayBuffer) {
    this.#slots = new Int32Array(memory);
  }

  /** A part stands still until `time` [s]. */
  hang(part: number, time: number): void {
    Atomics.store(this.#slots, part * Slot.count + Slot.hungUntil, Math.round(1e3 * time));
  }

  /** Each step of a part takes `delay` [s] longer until `time` [s]. */
  slow(part: number, delay: number, time: number): void {
    Atomics.store(this.#slots, part * Slot.count + Slot.delay, Math.round(1e6 * delay));
    Atomics.store(this.#slots, part * Slot.count + Slot.slowUntil, Math.round(1e3 * time));
  }

  /** A part dies of an error amid its work. */
  kill(part: number): void {
    Atomics.store(this.#slots, part * Slot.count + Slot.dies, Death.error);
  }

  /** A part uses all the memory that it may have, and dies of it. */
  exhaust(part: number): void {
    Atomics.store(this.#slots, part * Slot.count + Slot.dies, Death.memory);
  }

  /** In the thread of a part: dies, if it is to. */
  dieIfTold(part: number): void {
    const death = Atomics.load(this.#slots, part * Slot.count + Slot.dies);
    if (death === Death.none) return;
    if (death === Death.error) throw new Error("told to die");
    for (const kept: number[][] = []; ; ) kept.push(new Array<number>(BLOCK).fill(kept.length + 0.5));
  }

  /** The part that takes the place of one that has ended is well. */
  clear(part: number): void {
    this.hang(part, 0);
    this.slow(part, 0, 0);
    Atomics.store(this.#slots, part * Slot.count + Slot.dies, Death.none);
  }

  /** In the thread of a part: stands still, if it is to. */
  hangIfTold(part: number, nowMs: () => number): void {
    const slot = part * Slot.count + Slot.hungUntil;
    if (Atomics.load(this.#slots, slot) === 0) return;
    while (nowMs() < Atomics.load(this.#slots, slot)) Atomics.wait(this.#sleeper, 0, 0, 1);
  }

  /** In the thread of a part, in the step of a node: takes longer, if it is to. */
  delayIfTold(part: number, nowMs: () => number): void {
    const first = part * Slot.count;
    const slowUntil = Atomics.load(this.#slots, first + Slot.slowUntil);
    if (slowUntil === 0 || nowMs() >= slowUntil) return;
    Atomics.wait(this.#sleeper, 0, 0, Atomics.load(this.#slots, first + Slot.delay) / 1e3);
  }
}
