import type { defaultChoice } from "../../src/calibration/configurations/choose-configurations.js";
import { defaultCandidateOptions, defaultSweep } from "../../src/calibration/configurations/sample-candidates.js";
import { findCalibrationRig } from "../../src/calibration/parameters/calibration-rig.js";
import { type Collection, collectRecording } from "../../src/calibration/procedure/calibrate.js";
import { loadRobot } from "../../src/robot/loading/load-robot.js";
import type { Overlay } from "../../src/robot/sidecar/overlay-schema.js";
import { drawMiscalibration } from "../../src/simulation/calibration-rig/miscalibration.js";
import {
  type RigNoise,
  SimulatedCalibrationRobot,
  usualNoise,
} from "../../src/simulation/calibration-rig/simulated-calibration-robot.js";

export const robot = loadRobot("agile-justin", { calibration: "none" });
export const rig = findCalibrationRig(robot);

/** A small choice, for tests: some seconds of sweeping a configuration, few candidates. */
export const smallChoice = {
  perArm: 8,
  candidates: 40,
  sampling: { ...defaultCandidateOptions, sweep: { ...defaultSweep, duration: 4 } },
};

export const noNoise: RigNoise = {
  pixel: 0,
  falseDetections: 0,
  imu: 0,
  encoders: 0,
  jitter: 0,
  vibration: 0,
  droppedFrames: 0,
  biasWalk: 0,
};

export interface SmallTrial extends Collection {
  readonly overlay: Overlay;
  readonly simulated: SimulatedCalibrationRobot;
}

export async function recordSmall(
  seed: number | string,
  noise: RigNoise = usualNoise,
  choice: typeof defaultChoice = smallChoice,
  change: (overlay: Overlay) => Overlay = (overlay) => overlay,
): Promise<SmallTrial> {
  const overlay = change(drawMiscalibration(rig, seed));
  const simulated = new SimulatedCalibrationRobot(robot, overlay, seed, noise);
  return { overlay, simulated, ...(await collectRecording(rig, simulated, { seed, choice })) };
}
