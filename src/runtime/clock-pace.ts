/** From `fromNs` on, since a zero by the machine's clock, time is `atNs` and goes on at `speed`. */
export interface PaceChange {
  readonly fromNs: number;
  readonly atNs: number;
  readonly speed: number;
}

/** Numbers of a stretch in memory; there are two, the one before the last change and the one after it. */
const Slot = { from: 0, at: 1, speed: 2, count: 3 } as const;
const STRETCHES = 2;
const BYTES = 8 * Slot.count * STRETCHES;

/**
 * How fast a clock goes: its time as a continuous, piecewise linear function of the machine's time. A change is made ahead of
 * its time, so that every thread and process knows of it when it takes effect. In shared memory, written by one thread.
 */
export class ClockPace {
  readonly #sequence: Int32Array;
  readonly #stretches: Float64Array;

  /** At speed 1 from the beginning. */
  static memory(): SharedArrayBuffer {
    const memory = new SharedArrayBuffer(8 + BYTES);
    new Float64Array(memory, 8).set([0, 0, 1, 0, 0, 1]);
    return memory;
  }

  constructor(memory: SharedArrayBuffer) {
    this.#sequence = new Int32Array(memory, 0, 1);
    this.#stretches = new Float64Array(memory, 8);
  }

  /** The clock's time at a time of the machine's clock [ns]. */
  timeAt(elapsedNs: number): number {
    const s = this.#stretches;
    for (;;) {
      const before = Atomics.load(this.#sequence, 0);
      const k = elapsedNs >= s[Slot.count + Slot.from]! ? Slot.count : 0;
      const time = s[k + Slot.at]! + s[k + Slot.speed]! * (elapsedNs - s[k + Slot.from]!);
      if ((before & 1) === 0 && Atomics.load(this.#sequence, 0) === before) return time;
    }
  }

  speedAt(elapsedNs: number): number {
    const s = this.#stretches;
    for (;;) {
      const before = Atomics.load(this.#sequence, 0);
      const speed = s[(elapsedNs >= s[Slot.count + Slot.from]! ? Slot.count : 0) + Slot.speed]!;
      if ((before & 1) === 0 && Atomics.load(this.#sequence, 0) === before) return speed;
    }
  }

  /** From `fromNs` on at `speed`. */
  change(speed: number, fromNs: number): PaceChange {
    const change = { fromNs, atNs: this.timeAt(fromNs), speed };
    this.follow(change);
    return change;
  }

  /** The same change in another memory. */
  follow({ fromNs, atNs, speed }: PaceChange): void {
    const s = this.#stretches;
    Atomics.add(this.#sequence, 0, 1);
    s.copyWithin(0, Slot.count);
    s.set([fromNs, atNs, speed], Slot.count);
    Atomics.add(this.#sequence, 0, 1);
  }
}
