import type { Random } from "../../math/random.js";
import { Oscillator } from "./oscillator.js";

/** A wheel that slips has let go and gripped again after about a tenth of a second. */
const SLIP_FREQUENCY_HZ = 5;

/** Share of the greatest acceleration above which the platform counts as accelerating. */
const ONSET = 0.05;

/**
 * Where the platform stands beside where its wheels say. Each time it begins to speed up or to brake, its wheels lose
 * up to half of the greatest slip of a motion, in any direction, within a tenth of a second; it never comes back.
 */
export class WheelSlip {
  readonly #random: Random;
  /** Of a whole motion [m]. */
  greatest: number;
  readonly #along: Oscillator;
  readonly #across: Oscillator;
  readonly #target = new Float64Array(2);
  /** Sign of the last acceleration; 0 when rolling. */
  #phase = 0;

  constructor(greatest: number, random: Random, period: number) {
    this.greatest = greatest;
    this.#random = random;
    this.#along = new Oscillator(SLIP_FREQUENCY_HZ, 1, period);
    this.#across = new Oscillator(SLIP_FREQUENCY_HZ, 1, period);
  }

  /** One period on. `effort` is the platform's acceleration as a share of its greatest, with a sign. */
  step(effort: number): void {
    const phase = Math.abs(effort) > ONSET ? Math.sign(effort) : 0;
    if (phase !== 0 && phase !== this.#phase) this.#letGo();
    this.#phase = phase;
    this.#along.step(this.#target[0]!);
    this.#across.step(this.#target[1]!);
  }

  /** Displacement in the world's x and y [m], and its rate [m/s]: x, y, ẋ, ẏ. */
  read(out: Float64Array): Float64Array {
    out[0] = this.#along.value;
    out[1] = this.#across.value;
    out[2] = this.#along.rate;
    out[3] = this.#across.rate;
    return out;
  }

  #letGo(): void {
    const radius = 0.5 * this.greatest * Math.sqrt(this.#random.uniform());
    const angle = this.#random.uniformIn(-Math.PI, Math.PI);
    this.#target[0] = this.#target[0]! + radius * Math.cos(angle);
    this.#target[1] = this.#target[1]! + radius * Math.sin(angle);
  }
}
