import { FlycatcherError } from "../runtime/errors.js";
import type { Throw } from "../simulation/world/throws.js";

/** Throws that may wait to be made. */
const MOST_WAITING = 8;

/**
 * What to throw next: what was asked for, in its order, else, if it goes by itself, the next of a series. A series may be
 * limited; `next` settles when there is something to throw, with null once it has been closed.
 */
export class ThrowQueue {
  readonly #waiting: (readonly Throw[])[] = [];
  readonly #series: () => readonly Throw[];
  #isAutomatic: boolean;
  #isClosed = false;
  #wake: () => void = () => undefined;

  /** `series` makes the next throws by itself. */
  constructor(series: () => readonly Throw[], isAutomatic: boolean) {
    this.#series = series;
    this.#isAutomatic = isAutomatic;
  }

  set isAutomatic(value: boolean) {
    this.#isAutomatic = value;
    this.#wake();
  }

  add(balls: readonly Throw[]): void {
    if (this.#waiting.length >= MOST_WAITING) {
      throw new FlycatcherError("FLY_LIVE_CONTROL", "enough balls wait to be thrown", {
        expected: `at most ${MOST_WAITING} throws that wait`,
        found: "one more",
      });
    }
    this.#waiting.push(balls);
    this.#wake();
  }

  /** Takes what is next; null if nothing is. */
  take(): readonly Throw[] | null {
    return this.#waiting.shift() ?? (this.#isAutomatic ? this.#series() : null);
  }

  async next(): Promise<readonly Throw[] | null> {
    for (;;) {
      if (this.#isClosed) return null;
      const balls = this.take();
      if (balls !== null) return balls;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  close(): void {
    this.#isClosed = true;
    this.#wake();
  }
}
