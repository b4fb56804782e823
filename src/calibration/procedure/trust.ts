import { FlycatcherError } from "../../runtime/errors.js";
import { type CalibrationFit, defaultPixelNoise, expectedNoise } from "./fit-calibration.js";

/** What a fit must be like to be written. */
const limits = {
  /** Greatest rms of markers [px]. */
  pixel: 1,
  /** Greatest rms of the IMU's residuals, as a factor of what its noise makes. */
  imu: 1.5,
  /** Greatest share of detections that were taken for false. */
  rejected: 0.2,
  /** Least number of configurations of each arm. */
  configurations: 6,
  /** Greatest change of a parameter, in usual spreads. */
  change: 10,
} as const;

/** Every reason not to trust a fit, in words; none for a good one. */
export function reasonsForDistrust(fit: CalibrationFit): string[] {
  const { summary, recording, rig } = fit;
  const { residuals, expected, markers } = summary;
  const reasons: string[] = [];
  const demand = (holds: boolean, sentence: string): void => {
    if (!holds) reasons.push(sentence);
  };
  demand(summary.reason === "converged", `the fit ended with ${summary.reason} after ${summary.steps} steps`);
  demand(residuals.pixel <= limits.pixel, `markers are ${residuals.pixel.toFixed(2)} px off (at most ${limits.pixel})`);
  const nominal = expectedNoise(rig, recording.imuRate, defaultPixelNoise);
  for (const sensor of ["gyroscope", "accelerometer"] as const) {
    const factor = residuals[sensor] / nominal[sensor];
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

/** Throws unless everything asked for was determined and nothing speaks against the result. */
export function requireTrust(fit: CalibrationFit): void {
  const unobservable = fit.summary.unobservable.map(({ sentence }) => sentence);
  const reasons = reasonsForDistrust(fit);
  if (unobservable.length + reasons.length === 0) return;
  const code = unobservable.length > 0 ? "FLY_CALIBRATION_UNOBSERVABLE" : "FLY_CALIBRATION_UNTRUSTED";
  throw new FlycatcherError(code, [...unobservable, ...reasons].join("; "));
}
