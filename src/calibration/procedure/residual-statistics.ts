import { quantiles } from "../../math/statistics.js";
import type { CalibrationProblem, MeasurementNoise } from "../solver/calibration-problem.js";

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
export function usedMarkers({ isUsed }: CalibrationProblem): number {
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
