/** What is kept of one tick, besides time and number. */
export const historyColumns = ["measured", "measuredVelocity", "commanded", "commandedVelocity"] as const;

/** One tick as it is told after something went wrong. */
export interface HistoryEntry {
  readonly time: number;
  readonly cycle: number;
  /** What control did: the mode of the command. */
  readonly mode: number;
  readonly measured: readonly number[];
  readonly measuredVelocity: readonly number[];
  readonly commanded: readonly number[];
  readonly commandedVelocity: readonly number[];
}

/** A ring as plain data, to be sent to another thread. */
export interface HistorySnapshot {
  readonly capacity: number;
  readonly count: number;
  readonly written: number;
  readonly rows: Float64Array;
}

/** time, cycle, mode. */
const HEAD = 3;

/**
 * The last ticks of the control loop, kept in memory made once, to be told when anything goes wrong (libfranka's manner):
 * what was measured and what was commanded before and after.
 */
export class HistoryRing {
  readonly capacity: number;
  readonly #count: number;
  readonly #stride: number;
  readonly #rows: Float64Array;
  #written = 0;

  /** Keeps `capacity` ticks of `count` joints; none where nobody asks for them. */
  constructor(capacity: number, count: number) {
    this.capacity = capacity;
    this.#count = count;
    this.#stride = HEAD + historyColumns.length * count;
    this.#rows = new Float64Array(capacity * this.#stride);
  }

  /** Ticks kept. */
  get size(): number {
    return Math.min(this.#written, this.capacity);
  }

  add(
    time: number,
    cycle: number,
    mode: number,
    measured: Float64Array,
    measuredVelocity: Float64Array,
    commanded: Float64Array,
    commandedVelocity: Float64Array,
  ): void {
    if (this.capacity === 0) return;
    let o = (this.#written++ % this.capacity) * this.#stride;
    const rows = this.#rows;
    rows[o++] = time;
    rows[o++] = cycle;
    rows[o++] = mode;
    const n = this.#count;
    for (let i = 0; i < n; i++) {
      rows[o + i] = measured[i]!;
      rows[o + n + i] = measuredVelocity[i]!;
      rows[o + 2 * n + i] = commanded[i]!;
      rows[o + 3 * n + i] = commandedVelocity[i]!;
    }
  }

  /** A copy of all memory, cheap enough to be made between two ticks; `fromSnapshot` makes entries of it elsewhere. */
  snapshot(): HistorySnapshot {
    return { capacity: this.capacity, count: this.#count, written: this.#written, rows: this.#rows.slice() };
  }

  static fromSnapshot({ capacity, count, written, rows }: HistorySnapshot): HistoryRing {
    const ring = new HistoryRing(capacity, count);
    ring.#rows.set(rows);
    ring.#written = written;
    return ring;
  }

  /** The ticks kept, oldest first. */
  entries(): HistoryEntry[] {
    const first = this.#written - this.size;
    return Array.from({ length: this.size }, (_, k) => this.#entry((first + k) % this.capacity));
  }

  /** The first tick kept at or after `time` [s]; null if there is none. */
  since(time: number): HistoryEntry | null {
    for (let k = this.#written - this.size; k < this.#written; k++) {
      const slot = k % this.capacity;
      if (this.#rows[slot * this.#stride]! >= time) return this.#entry(slot);
    }
    return null;
  }

  #entry(slot: number): HistoryEntry {
    const o = slot * this.#stride;
    const rows = this.#rows;
    const column = (k: number) =>
      Array.from(rows.subarray(o + HEAD + k * this.#count, o + HEAD + (k + 1) * this.#count));
    return {
      time: rows[o]!,
      cycle: rows[o + 1]!,
      mode: rows[o + 2]!,
      measured: column(0),
      measuredVelocity: column(1),
      commanded: column(2),
      commandedVelocity: column(3),
    };
  }
}
