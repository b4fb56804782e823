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

/** Values below this have a bucket each. */
const FINE = 64;
/** Beyond it each doubling has so many buckets: values are kept to 3 %. */
const PER_OCTAVE = 32;
const OCTAVES = 20;
const BUCKETS = FINE + PER_OCTAVE * OCTAVES;

/**
 * How often which value occurred, in shared memory: one thread records, anyone reads. Values are whole numbers from 0, kept
 * exactly below 64 and to 3 % beyond. Recording allocates nothing.
 */
export class Histogram {
  static readonly bytes = (BUCKETS + 1) * Int32Array.BYTES_PER_ELEMENT;
  readonly #counts: Int32Array;

  /** @param offset where in `memory` it begins [bytes] */
  constructor(memory: SharedArrayBuffer, offset = 0) {
    this.#counts = new Int32Array(memory, offset, BUCKETS + 1);
  }

  record(value: number): void {
    const whole = value > 0 ? Math.round(value) : 0;
    Atomics.add(this.#counts, bucketOf(whole), 1);
    if (whole > Atomics.load(this.#counts, BUCKETS)) Atomics.store(this.#counts, BUCKETS, whole);
  }

  get count(): number {
    let sum = 0;
    for (let k = 0; k < BUCKETS; k++) sum += Atomics.load(this.#counts, k);
    return sum;
  }

  /** Greatest value so far. */
  get max(): number {
    return Atomics.load(this.#counts, BUCKETS);
  }

  /** The least value that a share of `p` does not exceed; NaN of nothing. */
  quantile(p: number): number {
    const { count } = this;
    if (count === 0) return Number.NaN;
    const rank = Math.max(1, Math.ceil(p * count));
    let sum = 0;
    for (let k = 0; k < BUCKETS; k++) {
      sum += Atomics.load(this.#counts, k);
      if (sum >= rank) return Math.min(topOf(k), this.max);
    }
    return this.max;
  }

  reset(): void {
    for (let k = 0; k <= BUCKETS; k++) Atomics.store(this.#counts, k, 0);
  }
}

function bucketOf(value: number): number {
  if (value < FINE) return value;
  const octave = Math.floor(Math.log2(value / FINE));
  const share = value / (FINE * 2 ** octave) - 1;
  return Math.min(BUCKETS - 1, FINE + PER_OCTAVE * octave + Math.floor(PER_OCTAVE * share));
}

/** Greatest value of a bucket. */
function topOf(bucket: number): number {
  if (bucket < FINE) return bucket;
  const octave = Math.floor((bucket - FINE) / PER_OCTAVE);
  const within = (bucket - FINE) % PER_OCTAVE;
  return FINE * 2 ** octave * (1 + (within + 1) / PER_OCTAVE) - 1;
}
