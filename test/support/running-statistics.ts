/** Mean and spread of numbers that come one at a time, by Welford's recurrence. */
export class RunningStatistics {
  #count = 0;
  #mean = 0;
  #squares = 0;

  add(x: number): void {
    this.#count++;
    const before = x - this.#mean;
    this.#mean += before / this.#count;
    this.#squares += before * (x - this.#mean);
  }

  get mean(): number {
    return this.#mean;
  }

  /** Unbiased, divided by count − 1. */
  get variance(): number {
    return this.#squares / (this.#count - 1);
  }

  get standardDeviation(): number {
    return Math.sqrt(this.variance);
  }
}
