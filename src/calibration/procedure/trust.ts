import { FlycatcherError } from "../../runtime/errors.js";
import type { CalibrationFit } from "./fit-calibration.js";

/** What a fit must be like to be written. */
export interface TrustLimits {
  /** Greatest rms of markers [px]. */
  readonly pixel: number;
  /** Greatest rms of the IMU's residuals, as a factor of what its noise makes. */
  readonly imu: number;
  /** Greatest share of detections that were taken for false. */
  readonly rejected: number;
  /** Least number of configurations of each arm. */
  readonly configurations: number;
  /** Greatest change of a parameter, in usual spreads. */
  readonly change: number;
}

export const usualTrust: TrustLimits = { pixel: 1, imu: 1.5, rejected: 0.2, configurations: 6, change: 10 };

/** Every reason not to trust a fit, in words; none for a good one. */
export function reasonsForDistrust(fit: CalibrationFit, limits: TrustLimits = usualTrust): string[] {
  const { summary, recording, rig } = fit;
  const { residuals, expected, markers } = summary;
  const reasons: string[] = [];
  const demand = (holds: boolean, sentence: string): void => {
    if (!holds) reasons.push(sentence);
  };
  demand(summary.reason === "converged", `the fit ended with ${summary.reason} after ${summary.steps} steps`);
  demand(residuals.pixel <= limits.pixel, `markers are ${residuals.pixel.toFixed(2)} px off (at most ${limits.pixel})`);
  for (const sensor of ["gyroscope", "accelerometer"] as const) {
    const factor = residuals[sensor] / nominalNoise(fit, sensor);
    demand(
      factor <= limits.imu,
      `the ${sensor}'s residuals are ${factor.toFixed(2)} times its noise (at most ${limits.imu})`,
    );
  }
  const rejected = 1 - markers.used / markers.total;
  demand(
    rejected <= limits.rejected,
    `${(100 * rejected).toFixed(0)} % of the detections were false (at most ${100 * limits.rejected} %)`,
  );
  for (const [arm, { group }] of rig.arms.entries()) {
    const count = recording.holds.filter((hold) => hold.arm === arm).length;
    demand(
      count >= limits.configurations,
      `${group.name} was held in ${count} configurations (at least ${limits.configurations})`,
    );
  }
  for (const { words, change, spread, sigma, unit } of summary.parameters) {
    const isSmall = Math.abs(change) <= limits.change * spread + 3 * sigma;
    demand(isSmall, `${words} changed by ${change.toPrecision(3)} ${unit}, far more than such parts do`);
  }
  demand(expected.pixel > 0, "the images have no noise at all");
  return reasons;
}

function nominalNoise({ rig, recording }: CalibrationFit, sensor: "gyroscope" | "accelerometer"): number {
  const { gyroNoiseDensity, accelerometerNoiseDensity } = rig.imu;
  return (sensor === "gyroscope" ? gyroNoiseDensity : accelerometerNoiseDensity) * Math.sqrt(recording.imuRate);
}

/** Throws unless everything asked for was determined and nothing speaks against the result. */
export function requireTrust(fit: CalibrationFit, limits: TrustLimits = usualTrust): void {
  const unobservable = fit.summary.unobservable.map(({ sentence }) => sentence);
  const reasons = reasonsForDistrust(fit, limits);
  if (unobservable.length + reasons.length === 0) return;
  const code = unobservable.length > 0 ? "FLY_CALIBRATION_UNOBSERVABLE" : "FLY_CALIBRATION_UNTRUSTED";
  throw new FlycatcherError(code, [...unobservable, ...reasons].join("; "));
}
