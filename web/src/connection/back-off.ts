/** Waits between attempts: a quarter of a second, then twice as long each time, up to `longestMs`. */
export class BackOff {
  readonly #firstMs: number;
  readonly #longestMs: number;
  #nextMs: number;

  constructor(firstMs = 250, longestMs = 5000) {
    this.#firstMs = firstMs;
    this.#longestMs = longestMs;
    this.#nextMs = firstMs;
  }

  /** How long to wait before the next attempt [ms]. */
  next(): number {
    const waitMs = this.#nextMs;
    this.#nextMs = Math.min(2 * waitMs, this.#longestMs);
    return waitMs;
  }

  /** An attempt went well. */
  reset(): void {
    this.#nextMs = this.#firstMs;
  }
}
