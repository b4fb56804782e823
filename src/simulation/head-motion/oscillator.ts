/**
 * ÿ + 2ζω·ẏ + ω²·y = ω²·u(t), stepped without error for an input that goes linearly from step to step. u is the place
 * where y would come to rest. Allocates nothing.
 */
export class Oscillator {
  /** y, in the unit of u. */
  value = 0;
  /** ẏ, per second. */
  rate = 0;
  readonly #period: number;
  readonly #decay: number;
  readonly #square: number;
  /** 2ζ/ω: how far y lags behind a steadily moving u [s]. */
  readonly #lag: number;
  /** exp(−ζω·h) times cos(ω_d·h) and sin(ω_d·h)/ω_d, with ω_d = ω√(1 − ζ²); cosh and sinh beyond ζ = 1. */
  readonly #cosine: number;
  readonly #sine: number;
  #input = 0;

  /** @param period step [s] */
  constructor(frequencyHz: number, dampingRatio: number, period: number) {
    const omega = 2 * Math.PI * frequencyHz;
    this.#period = period;
    this.#decay = dampingRatio * omega;
    this.#square = omega * omega;
    this.#lag = (2 * dampingRatio) / omega;
    const fade = Math.exp(-this.#decay * period);
    const damped = omega * Math.sqrt(Math.abs(1 - dampingRatio * dampingRatio));
    const turns = dampingRatio < 1;
    this.#cosine = fade * (turns ? Math.cos(damped * period) : Math.cosh(damped * period));
    const sine = turns ? Math.sin(damped * period) : Math.sinh(damped * period);
    this.#sine = fade * (damped === 0 ? period : sine / damped);
  }

  /** At rest where `input` holds it. */
  settle(input: number): void {
    this.value = input;
    this.rate = 0;
    this.#input = input;
  }

  /** One period on, the input going linearly from its last value to `input`. */
  step(input: number): void {
    const slope = (input - this.#input) / this.#period;
    // Relative to the particular solution u − lag·u̇ it swings freely.
    const offset = this.value - (this.#input - this.#lag * slope);
    const speed = this.rate - slope;
    this.value = input - this.#lag * slope + offset * this.#cosine + (speed + this.#decay * offset) * this.#sine;
    this.rate = slope + speed * this.#cosine - (this.#decay * speed + this.#square * offset) * this.#sine;
    this.#input = input;
  }
}
