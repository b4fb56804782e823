import type { FitSummary } from "../../src/calibration/procedure/fit-summary.js";
import type { Metrics } from "../harness.js";
import { whitenedSquare } from "./trial.js";

/** How the errors of many fits compare with what the fits said and with what is possible. */
export class ErrorStatistics {
  #within = 0;
  #count = 0;
  /** Σ eᵀ·bound⁻¹·e. */
  #whitened = 0;
  #robots = 0;
  /** Σ (e/bound)² by parameter. */
  readonly #squares = new Map<string, number>();

  add({ parameters }: FitSummary, errors: Float64Array, bound: Float64Array): void {
    const n = errors.length;
    this.#robots++;
    this.#whitened += whitenedSquare(errors, bound);
    for (const [i, { name, sigma }] of parameters.entries()) {
      this.#count++;
      if (Math.abs(errors[i]!) <= 3 * sigma) this.#within++;
      const square = errors[i]! ** 2 / bound[i * n + i]!;
      this.#squares.set(name, (this.#squares.get(name) ?? 0) + square);
    }
  }

  metrics(): Metrics {
    const worst = Math.max(...this.#squares.values());
    return {
      efficiency_vs_crb: Math.sqrt(this.#whitened / this.#count),
      within_3_sigma_ratio: this.#within / this.#count,
      worst_parameter_vs_crb: Math.sqrt(worst / this.#robots),
    };
  }
}
