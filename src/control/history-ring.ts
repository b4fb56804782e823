/** What is kept of one tick, besides time and number. */
const historyColumns = ["measured", "measuredVelocity", "commanded", "commandedVelocity"] as const;

/** One tick as it is told after something went wrong. */
interface HistoryEntry {
  readonly time: number;
  readonly cycle: number;
  /** What control did: the mode of the command. */
  readonly mode: number;
  readonly measured: readonly number[];
  readonly measuredVelocity: readonly number[];
  readonly commanded: readonly number[];
  readonly commandedVelocity: readonly number[];
}

/** A ring at one moment, to be sent to another thread: its memory is shared, and goes on being written. */
export interface HistorySnapshot {
  readonly capacity: number;
  readonly count: number;
  /** Ticks written when it was made. */
  readonly written: number;
  readonly rows: Float64Array<SharedArrayBuffer>;
  /** One number: the ticks written by now, its lowest 32 bits. */
  readonly counter: Int32Array<SharedArrayBuffer>;
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
  readonly #rows: Float64Array<SharedArrayBuffer>;
  readonly #counter = new Int32Array(new SharedArrayBuffer(4));
  #written = 0;
  /** Ticks before this one were overwritten while this copy was made. */
  #lost = 0;

  /** Keeps `capacity` ticks of `count` joints; none where nobody asks for them. */
  constructor(capacity: number, count: number) {
    this.capacity = capacity;
    this.#count = count;
    this.#stride = HEAD + historyColumns.length * count;
    this.#rows = new Float64Array(new SharedArrayBuffer(8 * capacity * this.#stride));
  }

  /** Ticks kept. */
  get size(): number {
    return this.#written - this.#first;
  }

  get #first(): number {
    return Math.max(this.#lost, this.#written - this.capacity);
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
    Atomics.store(this.#counter, 0, this.#written);
  }

  /**
   * What another thread needs to make a copy of this ring. Nothing is copied here: two seconds of a robot are megabytes of
   * fresh memory, whose pages alone would cost the loop several ticks.
   */
  snapshot(): HistorySnapshot {
    return {
      capacity: this.capacity,
      count: this.#count,
      written: this.#written,
      rows: this.#rows,
      counter: this.#counter,
    };
  }

  /** A copy of a ring as it was at its snapshot, but for those of the oldest ticks that may have been overwritten since. */
  static fromSnapshot({ capacity, count, written, rows, counter }: HistorySnapshot): HistoryRing {
    const ring = new HistoryRing(capacity, count);
    ring.#rows.set(rows);
    const since = (Atomics.load(counter, 0) - written) | 0;
    ring.#written = written;
    // One more than counted: a tick may be under way.
    ring.#lost = Math.min(written, Math.max(0, written + since + 1 - capacity));
    return ring;
  }

  /** The ticks kept, oldest first. */
  entries(): HistoryEntry[] {
    const first = this.#first;
    return Array.from({ length: this.size }, (_, k) => this.#entry((first + k) % this.capacity));
  }

  /** The first tick kept at or after `time` [s]; null if there is none. */
  since(time: number): HistoryEntry | null {
    for (let k = this.#first; k < this.#written; k++) {
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
