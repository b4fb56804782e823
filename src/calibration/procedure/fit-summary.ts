import { quantiles } from "../../math/statistics.js";
import { Side } from "../measurements/marker-model.js";
import type { ParameterBlock } from "../parameters/parameter-block.js";
import type { CalibrationProblem, MeasurementNoise } from "../solver/calibration-problem.js";
import type { SolverResult } from "../solver/levenberg-marquardt.js";
import { correlations, type Observability } from "../solver/observability.js";

/** How a fit went. */
export type FitSummary = Readonly<ReturnType<typeof summarizeFit>>;

export function summarizeFit(
  problem: CalibrationProblem,
  result: SolverResult,
  observability: Observability,
  residuals: readonly Float64Array[],
) {
  const { set } = problem.parameters;
  const change = set.change(new Float64Array(set.columnCount));
  const sigmas = withOutsideErrors(problem, observability);
  const { holds, rawImuCount } = problem.recording;
  const { sigmas: _, ...seen } = observability;
  return {
    ...result,
    ...seen,
    parameterCount: set.columnCount,
    /** The free ones, as they were found. */
    parameters: set.free.map(({ name, words, unit, spread }, i) => ({
      name,
      words,
      unit,
      spread,
      /** From where it started, in its own chart. */
      change: change[i]!,
      /** Infinity where the data does not determine it. */
      sigma: sigmas[i]!,
    })),
    /** Of the free parameters, row-major. */
    correlation: correlations(seen.covariance, set.columnCount),
    /** Of what is used [px], [rad/s], [m/s²]. */
    residuals: {
      ...residualNoise(problem),
      left: rootMeanSquare(problem, residuals, Side.left),
      right: rootMeanSquare(problem, residuals, Side.right),
    },
    /** What the residuals should be. */
    expected: problem.noise,
    markers: { total: holds.reduce((sum, { markers }) => sum + markers.count, 0), used: usedMarkers(problem) },
    imuSamples: { raw: rawImuCount, used: holds.reduce((sum, { imu }) => sum + imu.count, 0) },
  };
}

/**
 * What the fit cannot know of its own uncertainty adds to the covariance. A delay is known no better than the stamps' raster it
 * is counted from. A bias is the mean over the recording, from which a walking one strays by walk·√(T/3) within its time T.
 */
function withOutsideErrors(problem: CalibrationProblem, { covariance, sigmas }: Observability): Float64Array {
  const { parameters, imu: sensor } = problem;
  const { cameras, imu } = problem.recording.rasters;
  const n = parameters.set.columnCount;
  const add = ({ columns }: ParameterBlock, error: number): void => {
    for (const column of columns) {
      if (column < 0 || !Number.isFinite(sigmas[column]!)) continue;
      covariance[column * n + column] = covariance[column * n + column]! + error ** 2;
      sigmas[column] = Math.sqrt(covariance[column * n + column]!);
    }
  };
  const stray = Math.sqrt(durationOf(problem) / 3);
  add(parameters.cameraDelay, Math.hypot(cameras[0].standardError, cameras[1].standardError) / 2);
  add(parameters.imuDelay, imu.standardError);
  add(parameters.gyroBias, sensor.gyroBiasWalk * stray);
  add(parameters.accelerometerBias, sensor.accelerometerBiasWalk * stray);
  return sigmas;
}

/** From the first to the last IMU sample in use [s]. */
function durationOf({ recording }: CalibrationProblem): number {
  const stamps = recording.holds.flatMap(({ imu }) => [imu.stamp.at(0), imu.stamp.at(-1)]);
  const known = stamps.filter((stamp) => stamp !== undefined);
  return known.length === 0 ? 0 : Math.max(...known) - Math.min(...known);
}

function rootMeanSquare(problem: CalibrationProblem, residuals: readonly Float64Array[], side: Side): number {
  let [sum, count] = [0, 0];
  for (const [k, { markers }] of problem.recording.holds.entries()) {
    for (let i = 0; i < markers.count; i++) {
      if (markers.side[i] !== side || problem.isUsed[k]![i] !== 1) continue;
      sum += residuals[k]![2 * i]! ** 2 + residuals[k]![2 * i + 1]! ** 2;
      count += 2;
    }
  }
  return Math.sqrt(sum / count);
}

/**
 * A detection farther off than this is false, in standard deviations of its two coordinates together: one true detection in
 * 36,000 is that far off.
 */
const FALSE_SIGMAS = 4.5;

/** Distance of each marker from its prediction, over all holds, in standard deviations; Infinity where it has no image. */
export function markerDeviations(problem: CalibrationProblem): Float64Array[] {
  return problem.recording.holds.map((hold, k) => {
    const residuals = problem.markerResiduals(k);
    return Float64Array.from({ length: hold.markers.count }, (_, i) => {
      const distance = Math.hypot(residuals[2 * i]!, residuals[2 * i + 1]!) / problem.noise.pixel;
      return Number.isNaN(distance) ? Number.POSITIVE_INFINITY : distance;
    });
  });
}

export function medianDeviation(deviations: readonly Float64Array[]): number {
  return quantiles(Float64Array.from(deviations.flatMap((hold) => [...hold])), [0.5])[0]!;
}

/** Switches off what is too far from its prediction, and on what is not. */
export function rejectFalse(problem: CalibrationProblem): void {
  for (const [k, hold] of markerDeviations(problem).entries()) {
    for (let i = 0; i < hold.length; i++) problem.isUsed[k]![i] = hold[i]! <= FALSE_SIGMAS ? 1 : 0;
  }
}

/** Markers in use. */
function usedMarkers({ isUsed }: CalibrationProblem): number {
  return isUsed.reduce((sum, hold) => sum + hold.reduce((count, used) => count + used, 0), 0);
}

/** Standard deviations of the residuals, each parameter counted as taking one residual of each sensor in proportion. */
export function residualNoise(problem: CalibrationProblem): MeasurementNoise {
  const sums = { pixel: 0, gyroscope: 0, accelerometer: 0 };
  let samples = 0;
  for (const [k, hold] of problem.recording.holds.entries()) {
    const markers = problem.markerResiduals(k);
    for (let i = 0; i < markers.length; i++) {
      if (problem.isUsed[k]![i >> 1] === 1) sums.pixel += markers[i]! ** 2;
    }
    const imu = problem.imuResiduals(k);
    for (let i = 0; i < imu.length; i++) sums[i % 6 < 3 ? "gyroscope" : "accelerometer"] += imu[i]! ** 2;
    samples += hold.imu.count;
  }
  const pixels = 2 * usedMarkers(problem);
  const left = Math.max(0.1, 1 - problem.columnCount / (pixels + 6 * samples));
  return {
    pixel: Math.sqrt(sums.pixel / (pixels * left)),
    gyroscope: Math.sqrt(sums.gyroscope / (3 * samples * left)),
    accelerometer: Math.sqrt(sums.accelerometer / (3 * samples * left)),
  };
}
