/** What became of a sample handed in. */
export const SampleStatus = {
  /** Newer than all before. */
  accepted: 0,
  /** Older than the newest, sorted in. */
  late: 1,
  /** Older than all that is remembered; not used. */
  tooLate: 2,
  /** There is one for this very time; not used. */
  duplicate: 3,
  /** A number that is not finite; not used. */
  invalid: 4,
  /** Nothing to start from yet; not used. */
  waiting: 5,
} as const;
export type SampleStatus = (typeof SampleStatus)[keyof typeof SampleStatus];

/**
 * The last so many samples by their times, always sorted, whatever the order in which they come. It hands out slots for
 * the samples' numbers, which lie in arrays of its user; sorting moves no more than the slots' order. Allocates nothing.
 */
export class TimeRing {
  readonly capacity: number;
  /** Samples known. */
  count = 0;
  /** Place, from the oldest on, of the sample inserted last. */
  position = 0;
  /** Time of the newest sample [s]; −Infinity without any. */
  newest = Number.NEGATIVE_INFINITY;
  /** Time of the oldest sample [s]; Infinity without any. */
  oldest = Number.POSITIVE_INFINITY;
  /** Time of the sample in each slot [s]: `times[slot(position)]`, which V8 does not box as it does a returned number. */
  readonly times: Float64Array;
  readonly #order: Int32Array;
  #first = 0;

  constructor(capacity: number) {
    this.capacity = capacity;
    this.times = new Float64Array(capacity);
    this.#order = Int32Array.from({ length: capacity }, (_, i) => i);
  }

  /** The slot of the sample at `position`, from 0, the oldest, to count − 1, the newest. */
  slot(position: number): number {
    return this.#order[this.#wrap(position)]!;
  }

  /** Its time [s]. */
  time(position: number): number {
    return this.times[this.slot(position)]!;
  }

  /** Place of the last sample at or before `time`; −1 if there is none. */
  find(time: number): number {
    let low = -1;
    let high = this.count;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.times[this.slot(middle)]! <= time) low = middle;
      else high = middle;
    }
    return low;
  }

  /** Makes room for a sample at `time`, at `slot(position)`; the oldest leaves a full ring. */
  insert(time: number): SampleStatus {
    if (!Number.isFinite(time)) return SampleStatus.invalid;
    const before = time > this.newest ? this.count - 1 : this.find(time);
    if (before >= 0 && this.times[this.slot(before)] === time) return SampleStatus.duplicate;
    if (this.count === this.capacity && before < 0) return SampleStatus.tooLate;
    const isNewest = before === this.count - 1;
    if (this.count === this.capacity) {
      this.#first = (this.#first + 1) % this.capacity;
      this.count--;
      this.position = before;
    } else {
      this.position = before + 1;
    }
    const free = this.#order[this.#wrap(this.count)]!;
    for (let i = this.count; i > this.position; i--) this.#order[this.#wrap(i)] = this.slot(i - 1);
    this.#order[this.#wrap(this.position)] = free;
    this.times[free] = time;
    this.count++;
    this.oldest = this.times[this.slot(0)]!;
    this.newest = this.times[this.slot(this.count - 1)]!;
    return isNewest ? SampleStatus.accepted : SampleStatus.late;
  }

  #wrap(position: number): number {
    const at = this.#first + position;
    return at < this.capacity ? at : at - this.capacity;
  }
}
