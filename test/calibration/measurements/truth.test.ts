import { describe, expect, it } from "vitest";
import { trueParameters } from "../../../bench/calibration/true-parameters.js";
import { createParameters } from "../../../src/calibration/parameters/robot-parameters.js";
import { expectedNoise } from "../../../src/calibration/procedure/fit-calibration.js";
import { prepareRecording } from "../../../src/calibration/recording/prepared-recording.js";
import { CalibrationProblem } from "../../../src/calibration/solver/calibration-problem.js";
import { noNoise, recordSmall, rig } from "../recordings.js";

const fewHolds = { perArm: 2, candidates: 4 };

describe("the measurement models against the simulator", async () => {
  const { smallChoice } = await import("../recordings.js");
  const trial = await recordSmall("truth", { ...noNoise, vibration: 1 }, { ...smallChoice, ...fewHolds });
  const parameters = createParameters(rig);
  const recording = prepareRecording(trial.recording, rig);
  const problem = new CalibrationProblem(rig, parameters, recording, expectedNoise(rig, recording.imuRate, 0.3));
  parameters.set.setValues(trueParameters(trial.simulated.truth, trial.overlay));

  it("predict what the true robot's cameras see, to a hundredth of a pixel", () => {
    for (const [k, hold] of recording.holds.entries()) {
      expect(hold.markers.count).toBeGreaterThan(100);
      for (const residual of problem.markerResiduals(k)) expect(Math.abs(residual)).toBeLessThan(0.02);
    }
  });

  it("predict what the true robot's IMU feels, though it shakes at 12 and 19 Hz", () => {
    for (const [k] of recording.holds.entries()) {
      for (const [i, residual] of problem.imuResiduals(k).entries()) {
        expect(Math.abs(residual)).toBeLessThan(i % 6 < 3 ? 1e-4 : 1e-3);
      }
    }
  });
});
