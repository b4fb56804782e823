import { quantiles } from "../../math/statistics.js";

/** The even raster behind stamps that jitter: sample number k was stamped about start + k·period. */
export interface TimeRaster {
  /** [s] */
  readonly start: number;
  readonly period: number;
  /** Root mean square of the stamps about the raster, outliers aside [s]. */
  readonly jitter: number;
  /** By how much the raster as a whole may be off, one standard deviation [s]. */
  readonly standardError: number;
}

/** Stamps farther from the raster than so many standard deviations do not count: one late packet must not turn it. */
const OUTLIER_SIGMAS = 4;
/** From the median of absolute deviations to a standard deviation, for normal noise. */
const SIGMA_PER_MEDIAN = 1.4826;
const ROUNDS = 3;
/** Enough for a median that only sets a limit. */
const MEDIAN_SAMPLES = 2000;

/**
 * Sensors sample evenly; what jitters is the way of their data to the clock that stamps it. A straight line through the
 * stamps over the sample numbers finds the raster: its slope is the sensor's own clock, its offset contains the mean delay.
 * Needs two different sample numbers.
 */
export function fitRaster(sequence: Float64Array, stamps: Float64Array): TimeRaster {
  let line = fitLine(sequence, stamps, Number.POSITIVE_INFINITY, { start: 0, period: 0 });
  for (let round = 0; round < ROUNDS; round++) {
    const limit = OUTLIER_SIGMAS * SIGMA_PER_MEDIAN * medianDeviation(sequence, stamps, line);
    line = fitLine(sequence, stamps, limit > 0 ? limit : Number.POSITIVE_INFINITY, line);
  }
  return line;
}

type Line = Pick<TimeRaster, "start" | "period">;

/** Of some of the stamps from a line, evenly chosen. */
function medianDeviation(sequence: Float64Array, stamps: Float64Array, { start, period }: Line): number {
  const stride = Math.ceil(stamps.length / MEDIAN_SAMPLES);
  const count = Math.ceil(stamps.length / stride);
  const deviations = new Float64Array(count);
  for (let k = 0; k < count; k++) {
    deviations[k] = Math.abs(stamps[k * stride]! - start - period * sequence[k * stride]!);
  }
  return quantiles(deviations, [0.5])[0]!;
}

/** Least squares over the stamps within `limit` of a line, about the middle of all so that no digits are lost. */
function fitLine(sequence: Float64Array, stamps: Float64Array, limit: number, near: Line): TimeRaster {
  const [middleK, middleT] = [sequence[sequence.length >> 1]!, stamps[stamps.length >> 1]!];
  let [count, k1, t1, kk, kt, tt] = [0, 0, 0, 0, 0, 0];
  for (let i = 0; i < stamps.length; i++) {
    if (Math.abs(stamps[i]! - near.start - near.period * sequence[i]!) > limit) continue;
    const k = sequence[i]! - middleK;
    const t = stamps[i]! - middleT;
    count++;
    k1 += k;
    t1 += t;
    kk += k * k;
    kt += k * t;
  }
  const period = (kt - (k1 * t1) / count) / (kk - (k1 * k1) / count);
  const start = middleT + (t1 - period * k1) / count - period * middleK;
  for (let i = 0; i < stamps.length; i++) {
    if (Math.abs(stamps[i]! - near.start - near.period * sequence[i]!) > limit) continue;
    tt += (stamps[i]! - start - period * sequence[i]!) ** 2;
  }
  const jitter = Math.sqrt(tt / Math.max(1, count - 2));
  return { start, period, jitter, standardError: jitter / Math.sqrt(count) };
}
