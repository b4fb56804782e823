const Slot = { paused: 0, steps: 1, permille: 2, count: 3 } as const;
/** A run that is so far behind its time does not try to catch up [ms]. */
const BEHIND_MS = 50;
/** Longest sleep in one piece [ms]: requests are looked for in between. */
const NAP_MS = 20;

/** How fast the time of a lock-step run goes, in shared memory: the viewer's side sets it, the run keeps to it. */
export class Pace {
  readonly #slots: Int32Array;
  #reference: { wallMs: number; timeMs: number; permille: number } | null = null;

  static memory(): SharedArrayBuffer {
    return new SharedArrayBuffer(Slot.count * Int32Array.BYTES_PER_ELEMENT);
  }

  constructor(memory: SharedArrayBuffer) {
    this.#slots = new Int32Array(memory);
  }

  get isPaused(): boolean {
    return Atomics.load(this.#slots, Slot.paused) === 1;
  }

  /** Share of real time. */
  get speed(): number {
    return Atomics.load(this.#slots, Slot.permille) / 1000;
  }

  set(speed: number, paused: boolean): void {
    Atomics.store(this.#slots, Slot.permille, Math.max(1, Math.round(1000 * speed)));
    Atomics.store(this.#slots, Slot.paused, paused ? 1 : 0);
    Atomics.notify(this.#slots, Slot.paused);
  }

  /** Lets a paused run go on for so many ticks. */
  step(ticks: number): void {
    Atomics.add(this.#slots, Slot.steps, ticks);
    Atomics.notify(this.#slots, Slot.paused);
  }

  /** Ticks of a paused run that are still to be made. */
  get stepsLeft(): number {
    return Atomics.load(this.#slots, Slot.steps);
  }

  /**
   * To be called by the run before each tick; returns when it is time for `timeMs`. `meanwhile` is called now and then
   * while it waits, and once at least.
   */
  keep(timeMs: number, wallMs: () => number, meanwhile: () => void): void {
    meanwhile();
    while (this.isPaused && this.stepsLeft === 0) {
      this.#reference = null;
      Atomics.wait(this.#slots, Slot.paused, 1, NAP_MS);
      meanwhile();
    }
    if (this.isPaused) {
      Atomics.sub(this.#slots, Slot.steps, 1);
      return;
    }
    Atomics.store(this.#slots, Slot.steps, 0);
    for (let wait = this.#wait(timeMs, wallMs()); wait > 0.5; wait = this.#wait(timeMs, wallMs())) {
      Atomics.wait(this.#slots, Slot.paused, 0, Math.min(wait, NAP_MS));
      meanwhile();
    }
  }

  /** How long it is until `timeMs` is due [ms]. */
  #wait(timeMs: number, wallMs: number): number {
    const permille = Atomics.load(this.#slots, Slot.permille);
    if (this.#reference === null || this.#reference.permille !== permille) {
      this.#reference = { wallMs, timeMs, permille };
    }
    const due = this.#reference.wallMs + ((timeMs - this.#reference.timeMs) * 1000) / permille;
    if (wallMs > due + BEHIND_MS) this.#reference = { wallMs, timeMs, permille };
    return due - wallMs;
  }
}
