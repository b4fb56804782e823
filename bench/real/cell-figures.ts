import { quantile } from "../../src/math/statistics.js";
import type { TrialResult } from "./flight-trial.js";

/** The trials of one rate and one sigma. */
export interface Cell {
  readonly name: string;
  readonly rate: number;
  readonly sigma: number;
  readonly results: readonly TrialResult[];
}

/** What one horizon's predictions amount to; NaN without any. */
export interface HorizonFigures {
  readonly count: number;
  /** Medians [m]. */
  readonly error: number;
  readonly batchError: number;
  readonly ratio: number;
  /** Means over all predictions, per degree of freedom. */
  readonly nees: number;
  readonly batchNees: number;
}

export function horizonFigures(results: readonly TrialResult[], horizon: number): HorizonFigures {
  const predictions = results.flatMap((result) => result.predictions.filter((one) => one.horizon === horizon));
  const error = median(predictions.map((one) => one.error));
  const batchError = median(predictions.map((one) => one.batchError));
  return {
    count: predictions.length,
    error,
    batchError,
    ratio: error / batchError,
    nees: mean(predictions.map((one) => one.nees)),
    batchNees: mean(predictions.map((one) => one.batchNees)),
  };
}

export function confirmedRatio(results: readonly TrialResult[]): number {
  return results.filter(({ outcome }) => outcome === "confirmed").length / results.length;
}

export function lostCount(results: readonly TrialResult[]): number {
  return results.filter(({ isLost }) => isLost).length;
}

export function falseThrows(results: readonly TrialResult[]): number {
  return results.reduce((sum, result) => sum + result.falseThrows, 0);
}

export function medianDelay(results: readonly TrialResult[]): number {
  return median(results.map(({ delay }) => delay).filter((delay) => !Number.isNaN(delay)));
}

export function median(values: readonly number[]): number {
  return quantile(Float64Array.from(values).sort(), 0.5);
}

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
