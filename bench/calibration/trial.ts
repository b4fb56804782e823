import { type CalibrationRig, findCalibrationRig } from "../../src/calibration/parameters/calibration-rig.js";
import { collectRecording } from "../../src/calibration/procedure/calibrate.js";
import {
  type CalibrationFit,
  expectedNoise,
  type FitOptions,
  fitCalibration,
} from "../../src/calibration/procedure/fit-calibration.js";
import type { CalibrationRecording } from "../../src/calibration/recording/calibration-recording.js";
import { CalibrationProblem } from "../../src/calibration/solver/calibration-problem.js";
import { NormalEquations } from "../../src/calibration/solver/normal-equations.js";
import { factor, invert, MatrixStatus } from "../../src/math/cholesky.js";
import { loadRobot } from "../../src/robot/loading/load-robot.js";
import type { Overlay } from "../../src/robot/sidecar/overlay-schema.js";
import { drawMiscalibration } from "../../src/simulation/calibration-rig/miscalibration.js";
import {
  type RigNoise,
  SimulatedCalibrationRobot,
  usualNoise,
} from "../../src/simulation/calibration-rig/simulated-calibration-robot.js";
import { trueParameters } from "./true-parameters.js";

export const robot = loadRobot("agile-justin", { calibration: "none" });
export const rig: CalibrationRig = findCalibrationRig(robot);

/** A miscalibrated robot, what it recorded, and how it really is. */
export interface Trial {
  readonly overlay: Overlay;
  readonly simulated: SimulatedCalibrationRobot;
  readonly recording: CalibrationRecording;
}

export async function recordTrial(seed: number | string, noise: RigNoise = usualNoise): Promise<Trial> {
  const overlay = drawMiscalibration(rig, seed);
  const simulated = new SimulatedCalibrationRobot(robot, overlay, seed, noise);
  const { recording } = await collectRecording(rig, simulated, { seed });
  return { overlay, simulated, recording };
}

export interface TimedFit {
  readonly fit: CalibrationFit;
  readonly milliseconds: number;
  /** Of the processor: what a machine with nothing else to do takes, but for the compiler's and collector's own threads. */
  readonly processorMilliseconds: number;
}

export function timedFit(recording: CalibrationRecording, options: FitOptions = {}): TimedFit {
  const start = performance.now();
  const used = process.cpuUsage();
  const fit = fitCalibration(robot, recording, options);
  const { user, system } = process.cpuUsage(used);
  return { fit, milliseconds: performance.now() - start, processorMilliseconds: (user + system) / 1e3 };
}

/** By free parameter: estimate less truth. */
export function errorsOf(fit: CalibrationFit, { simulated, overlay }: Trial): Float64Array {
  const { set } = fit.parameters;
  return set.differenceFrom(trueParameters(simulated.truth, overlay), new Float64Array(set.columnCount));
}

/**
 * The Cramér–Rao bound: inverse of the information that the recording carries at the *true* parameters and the noise that was
 * injected, plus what the stamps' jitter adds to the delays.
 */
export function cramerRaoBound(fit: CalibrationFit, { simulated, overlay }: Trial, pixel: number): Float64Array {
  const { parameters, recording } = fit;
  const noise = expectedNoise(rig, recording.imuRate, pixel);
  const problem = new CalibrationProblem(rig, parameters, recording, noise);
  for (const [k, hold] of fit.problem.isUsed.entries()) problem.isUsed[k]!.set(hold);
  const n = problem.columnCount;
  const normal = new NormalEquations(n);
  const found = parameters.set.values();
  parameters.set.setValues(trueParameters(simulated.truth, overlay));
  problem.linearize(normal);
  parameters.set.setValues(found);
  const bound = new Float64Array(n * n);
  if (factor(normal.matrix, n, bound) !== MatrixStatus.ok) throw new Error("the information matrix is singular");
  invert(bound, n, bound);
  const { cameras, imu } = recording.rasters;
  const add = (column: number, error: number): void => {
    bound[column * n + column] = bound[column * n + column]! + error ** 2;
  };
  add(parameters.cameraDelay.columns[0]!, Math.hypot(cameras[0].standardError, cameras[1].standardError) / 2);
  add(parameters.imuDelay.columns[0]!, imu.standardError);
  return bound;
}

/** eᵀ·bound⁻¹·e: the squared error, whitened. */
export function whitenedSquare(errors: Float64Array, bound: Float64Array): number {
  const n = errors.length;
  const inverse = new Float64Array(n * n);
  if (factor(bound, n, inverse) !== MatrixStatus.ok) throw new Error("the bound is not positive definite");
  invert(inverse, n, inverse);
  let sum = 0;
  for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) sum += errors[i]! * inverse[i * n + j]! * errors[j]!;
  return sum;
}
