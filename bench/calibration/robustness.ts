import type { CalibrationRecording } from "../../src/calibration/recording/calibration-recording.js";
import { Random } from "../../src/math/random.js";
import { usualNoise } from "../../src/simulation/calibration-rig/simulated-calibration-robot.js";
import type { BenchContext, Metrics } from "../harness.js";
import { errorsOf, recordTrial, rig, timedFit } from "./trial.js";

const FALSE_SHARE = 0.05;

/** By how much false detections move a fit: the same recording with and without them. */
export async function measureRobustness({ seed, full, progress }: BenchContext): Promise<Metrics> {
  let [worst, kept] = [0, 0];
  for (let k = 0; k < (full ? 5 : 1); k++) {
    progress(`false detections, robot ${k + 1}`);
    const { recording } = await recordTrial(1000 * seed + k);
    const spoilt = withFalseDetections(recording, new Random(seed + k).fork("false"));
    const clean = timedFit(recording).fit;
    const disturbed = timedFit(spoilt).fit;
    const { set } = disturbed.parameters;
    const shift = set.differenceFrom(clean.parameters.set.values(), new Float64Array(set.columnCount));
    for (const [i, { sigma }] of clean.summary.parameters.entries())
      worst = Math.max(worst, Math.abs(shift[i]!) / sigma);
    kept = Math.max(kept, 1 - disturbed.summary.markers.used / disturbed.summary.markers.total);
  }
  return { false_detections_shift_sigma_max: worst, false_detections_rejected_ratio: kept };
}

/** Whether sigmas stay honest where the IMU's biases walk as its data sheet says: share of errors within three of them. */
export async function measureBiasWalk({ seed, full, progress }: BenchContext): Promise<Metrics> {
  let [within, count] = [0, 0];
  for (let k = 0; k < (full ? 5 : 1); k++) {
    progress(`walking biases, robot ${k + 1}`);
    const trial = await recordTrial(1000 * seed + k, { ...usualNoise, biasWalk: 1 });
    const { fit } = timedFit(trial.recording);
    const errors = errorsOf(fit, trial);
    for (const [i, { sigma }] of fit.summary.parameters.entries()) {
      count++;
      if (Math.abs(errors[i]!) <= 3 * sigma) within++;
    }
  }
  return { bias_walk_within_3_sigma_ratio: within / count };
}

/** Five in a hundred detections put anywhere on the image. */
function withFalseDetections(recording: CalibrationRecording, random: Random): CalibrationRecording {
  const holds = recording.holds.map((hold) => {
    const spoil = (side: 0 | 1) => {
      const { width, height } = rig.cameras[side];
      const values = hold.markers[side].values.slice();
      for (let i = 0; i < values.length; i += 2) {
        if (!Number.isFinite(values[i]!) || random.uniform() >= FALSE_SHARE) continue;
        values[i] = random.uniformIn(0, width - 1);
        values[i + 1] = random.uniformIn(0, height - 1);
      }
      return { ...hold.markers[side], values };
    };
    return { ...hold, markers: [spoil(0), spoil(1)] as const };
  });
  return { ...recording, holds };
}
