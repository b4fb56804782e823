import type { BrakingIntervals } from "../braking/braking-intervals.js";

/**
 * Intervals of all dofs that hold several motions at once: each motion's own braking intervals, joined. Every
 * configuration any of them can pass through until standstill lies in it. For finite motions only.
 */
export class BrakingBox {
  /** [dofCount] */
  readonly low: Float64Array;
  readonly high: Float64Array;
  readonly #braking: BrakingIntervals;
  readonly #low: Float64Array;
  readonly #high: Float64Array;

  constructor(braking: BrakingIntervals) {
    this.#braking = braking;
    this.low = new Float64Array(braking.count);
    this.high = new Float64Array(braking.count);
    this.#low = new Float64Array(braking.count);
    this.#high = new Float64Array(braking.count);
  }

  /** Begins with one motion. */
  set(q: Float64Array, qd: Float64Array, qdd: Float64Array): void {
    this.#braking.compute(q, qd, qdd, this.low, this.high);
  }

  /** Adds another. */
  join(q: Float64Array, qd: Float64Array, qdd: Float64Array): void {
    this.#braking.compute(q, qd, qdd, this.#low, this.#high);
    for (let i = 0; i < this.low.length; i++) {
      if (this.#low[i]! < this.low[i]!) this.low[i] = this.#low[i]!;
      if (this.#high[i]! > this.high[i]!) this.high[i] = this.#high[i]!;
    }
  }

  /** Adds a configuration that is passed on the way. */
  include(q: Float64Array): void {
    for (let i = 0; i < this.low.length; i++) {
      if (q[i]! < this.low[i]!) this.low[i] = q[i]!;
      if (q[i]! > this.high[i]!) this.high[i] = q[i]!;
    }
  }
}
