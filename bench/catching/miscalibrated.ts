import { findCalibrationRig } from "../../src/calibration/parameters/calibration-rig.js";
import { calibrateFrom, collectRecording } from "../../src/calibration/procedure/calibrate.js";
import { loadRobot } from "../../src/robot/loading/load-robot.js";
import type { Overlay } from "../../src/robot/sidecar/overlay-schema.js";
import { drawMiscalibration } from "../../src/simulation/calibration-rig/miscalibration.js";
import { SimulatedCalibrationRobot } from "../../src/simulation/calibration-rig/simulated-calibration-robot.js";

/** A robot that is not as its drawings say, and what a calibration finds of it. */
export interface Miscalibrated {
  readonly truth: Overlay;
  readonly calibration: Overlay;
}

/** Draws a miscalibrated robot, and calibrates it as a person would: by one recording, and one fit. */
export async function calibrateOnce(name: string, seed: number): Promise<Miscalibrated> {
  const robot = loadRobot(name, { calibration: "none" });
  const rig = findCalibrationRig(robot);
  const truth = drawMiscalibration(rig, seed);
  const simulated = new SimulatedCalibrationRobot(robot, truth, seed);
  const { recording } = await collectRecording(rig, simulated, { seed });
  return { truth, calibration: calibrateFrom(robot, recording, { date: "2000-01-01T00:00:00Z" }).overlay };
}
