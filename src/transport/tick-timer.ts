/** Reads the time [ms]; allocates nothing. */
export type MillisecondClock = () => number;

/** How a loop waits for its next tick. */
export interface TickTimerOptions {
  /** [ms] */
  readonly periodMs: number;
  /**
   * How long before the tick it stops sleeping and spins [ms]. 0 sleeps all the way; 0.2 brings the median jitter below
   * a microsecond at the price of a fifth of a core: only where cores are to spare.
   */
  readonly spinMs: number;
  /** Milliseconds of the clock given in one of the wall clock; default: 1. */
  readonly speed?: () => number;
}

/**
 * Wakes a thread at fixed times. Sleeps by `Atomics.wait`, which may block any thread but the main one. Ticks that were
 * slept through are counted and left out, so that a late loop does not run after its own time.
 */
export class TickTimer {
  /** Ticks so far, those left out among them. */
  ticks = 0;
  /** Ticks that were left out. */
  missed = 0;
  /** How late the last tick was [ms]. */
  lateness = 0;
  readonly #options: TickTimerOptions;
  readonly #now: MillisecondClock;
  readonly #sleeper = new Int32Array(new SharedArrayBuffer(4));
  readonly #start: number;

  /** `start` is a tick of the grid, on the clock given [ms]; by default now. */
  constructor(options: TickTimerOptions, now: MillisecondClock = () => performance.now(), start = now()) {
    this.#options = options;
    this.#now = now;
    this.#start = start;
  }

  /** When the tick after the last is due, on the clock given [ms]. */
  get due(): number {
    return this.#start + (this.ticks + 1) * this.#options.periodMs;
  }

  /** Sleeps until the next tick; returns the time it was due [ms]. */
  wait(): number {
    const { periodMs, spinMs } = this.#options;
    let now = this.#now();
    const behind = Math.floor((now - this.due) / periodMs);
    if (behind > 0) {
      this.missed += behind;
      this.ticks += behind;
    }
    const { due } = this;
    const sleep = (due - now) / (this.#options.speed?.() ?? 1) - spinMs;
    if (sleep > 0) Atomics.wait(this.#sleeper, 0, 0, sleep);
    for (now = this.#now(); now < due; now = this.#now());
    this.ticks++;
    this.lateness = now - due;
    return due;
  }
}
