import { monotonicMs } from "../runtime/clock.js";

/** Period of the look at the clock [ms]. */
const PERIOD_MS = 10;
/** A loop that comes so much later than that was held up by something [ms]. */
const LATE_MS = 10;

/**
 * When a request arrived whose event loop may have been held up: nobody has seen it arrive then, so that it counts from when the loop
 * was last seen to turn. Never too late, therefore.
 */
export class ArrivalClock {
  readonly #nowMs: () => number;
  readonly #timer: NodeJS.Timeout;
  #turnedMs: number;
  /** When the loop was held up that now goes on; NaN: it was not. */
  #heldUpMs = Number.NaN;

  constructor(nowMs: () => number = monotonicMs) {
    this.#nowMs = nowMs;
    this.#turnedMs = nowMs();
    this.#timer = setInterval(() => this.#turn(), PERIOD_MS);
    this.#timer.unref();
  }

  #turn(): void {
    const now = this.#nowMs();
    if (this.#isLate(now)) {
      this.#heldUpMs = this.#turnedMs;
      // Requests that waited are handled in this turn of the loop, and then this is called.
      setImmediate(() => {
        this.#heldUpMs = Number.NaN;
      });
    }
    this.#turnedMs = now;
  }

  #isLate(now: number): boolean {
    return now - this.#turnedMs > PERIOD_MS + LATE_MS;
  }

  /** When what is being handled now arrived, at the earliest [ms]. */
  get arrivedMs(): number {
    const now = this.#nowMs();
    if (!Number.isNaN(this.#heldUpMs)) return this.#heldUpMs;
    return this.#isLate(now) ? this.#turnedMs : now;
  }

  close(): void {
    clearInterval(this.#timer);
  }
}
