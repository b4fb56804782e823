import { Histogram } from "./histogram.js";

const Slot = { ticks: 0, missed: 1, count: 2 } as const;
const HEAD_BYTES = Slot.count * Int32Array.BYTES_PER_ELEMENT;

/** How a loop keeps its time, in shared memory: the loop writes, anyone reads at any time. */
export class LoopStatistics {
  /** How late ticks began [µs]. */
  readonly lateness: Histogram;
  /** How long the work of a tick took [µs]. */
  readonly work: Histogram;
  readonly #slots: Int32Array;

  static memory(): SharedArrayBuffer {
    return new SharedArrayBuffer(HEAD_BYTES + 2 * Histogram.bytes);
  }

  constructor(memory: SharedArrayBuffer) {
    this.#slots = new Int32Array(memory, 0, Slot.count);
    this.lateness = new Histogram(memory, HEAD_BYTES);
    this.work = new Histogram(memory, HEAD_BYTES + Histogram.bytes);
  }

  /** Ticks at which the loop ran, and ticks it slept through. */
  get ticks(): number {
    return Atomics.load(this.#slots, Slot.ticks);
  }
  get missed(): number {
    return Atomics.load(this.#slots, Slot.missed);
  }

  /** A tick that began `lateMs` after its time and took `workMs`, and how many were missed before it. */
  record(lateMs: number, workMs: number, missed: number): void {
    this.lateness.record(1e3 * lateMs);
    this.work.record(1e3 * workMs);
    Atomics.add(this.#slots, Slot.ticks, 1);
    if (missed > 0) Atomics.add(this.#slots, Slot.missed, missed);
  }

  reset(): void {
    Atomics.store(this.#slots, Slot.ticks, 0);
    Atomics.store(this.#slots, Slot.missed, 0);
    this.lateness.reset();
    this.work.reset();
  }
}
