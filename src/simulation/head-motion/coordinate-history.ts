/**
 * Values and rates of some coordinates at equal steps of time, the last so many of them, with a cubic between steps:
 * position, velocity and acceleration at any time agree with one another exactly. Allocates nothing after construction.
 */
export class CoordinateHistory {
  readonly coordinates: number;
  /** [s] */
  readonly period: number;
  readonly #capacity: number;
  readonly #value: Float64Array;
  readonly #rate: Float64Array;
  #start = 0;
  /** Steps since `restart`, the first being 0. */
  #newest = -1;

  constructor(coordinates: number, period: number, capacity: number) {
    this.coordinates = coordinates;
    this.period = period;
    this.#capacity = capacity;
    this.#value = new Float64Array(coordinates * capacity);
    this.#rate = new Float64Array(coordinates * capacity);
  }

  /** Forgets everything; the next `push` is for `time` [s]. */
  restart(time: number): void {
    this.#start = time;
    this.#newest = -1;
  }

  push(value: Float64Array, rate: Float64Array): void {
    this.#newest++;
    const at = (this.#newest % this.#capacity) * this.coordinates;
    for (let i = 0; i < this.coordinates; i++) {
      this.#value[at + i] = value[i]!;
      this.#rate[at + i] = rate[i]!;
    }
  }

  /** Time of the newest step [s]; NaN without any. */
  get newest(): number {
    return this.#newest < 0 ? Number.NaN : this.#start + this.#newest * this.period;
  }

  /** Time of the oldest step still known [s]. */
  get oldest(): number {
    return this.#newest < 0 ? Number.NaN : this.#start + Math.max(0, this.#newest - this.#capacity + 1) * this.period;
  }

  /** False, with the outputs unchanged, for a time that is not within the history. */
  evaluate(time: number, value: Float64Array, rate: Float64Array, acceleration: Float64Array): boolean {
    if (!(time >= this.oldest && time <= this.newest)) return false;
    const steps = (time - this.#start) / this.period;
    const step = Math.max(0, Math.min(Math.floor(steps), this.#newest - 1));
    const s = steps - step;
    const from = (step % this.#capacity) * this.coordinates;
    const to = (Math.min(step + 1, this.#newest) % this.#capacity) * this.coordinates;
    const h = this.period;
    for (let i = 0; i < this.coordinates; i++) {
      const start = this.#value[from + i]!;
      // Hermite's cubic from `start`: s·(u + s·(b + s·c)).
      const difference = this.#value[to + i]! - start;
      const u = h * this.#rate[from + i]!;
      const w = h * this.#rate[to + i]!;
      const b = 3 * difference - 2 * u - w;
      const c = u + w - 2 * difference;
      value[i] = start + s * (u + s * (b + s * c));
      rate[i] = (u + s * (2 * b + 3 * s * c)) / h;
      acceleration[i] = (2 * b + 6 * s * c) / (h * h);
    }
    return true;
  }
}
