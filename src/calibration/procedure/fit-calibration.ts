import { quantiles } from "../../math/statistics.js";
import type { Robot } from "../../robot/robot.js";
import { FlycatcherError } from "../../runtime/errors.js";
import type { LoadSource } from "../measurements/arm-geometry.js";
import { Side } from "../measurements/marker-model.js";
import { type CalibrationRig, findCalibrationRig } from "../parameters/calibration-rig.js";
import type { ParameterChoice } from "../parameters/parameter-set.js";
import { createParameters, type RobotParameters } from "../parameters/robot-parameters.js";
import type { CalibrationRecording } from "../recording/calibration-recording.js";
import { type PreparedRecording, prepareRecording } from "../recording/prepared-recording.js";
import { CalibrationProblem, type MeasurementNoise } from "../solver/calibration-problem.js";
import {
  defaultSolverOptions,
  LevenbergMarquardt,
  type SolverOptions,
  type SolverResult,
} from "../solver/levenberg-marquardt.js";
import { NormalEquations } from "../solver/normal-equations.js";
import { analyseObservability } from "../solver/observability.js";
import {
  type FitSummary,
  markerDeviations,
  medianDeviation,
  rejectFalse,
  residualNoise,
  summarizeFit,
} from "./fit-summary.js";

export interface FitOptions {
  readonly parameters?: ParameterChoice;
  /** Of a detected marker [px], to start with; the fit finds it from its residuals. */
  readonly pixelNoise?: number;
  readonly loads?: LoadSource;
  readonly solver?: SolverOptions;
}

/** A fit with everything that speaks for or against it. */
export interface CalibrationFit {
  readonly rig: CalibrationRig;
  readonly parameters: RobotParameters;
  readonly recording: PreparedRecording;
  readonly problem: CalibrationProblem;
  readonly summary: FitSummary;
  /** u, v of every marker before and after the fit, measured less predicted, by hold [px]. */
  readonly residualsBefore: readonly Float64Array[];
  readonly residualsAfter: readonly Float64Array[];
}

export const defaultPixelNoise = 0.3;

/**
 * Rough steps need no last digit: they only lead to where false detections stand out. Each takes its scale from the median
 * residual, so that a start centimetres off does not make every detection look false.
 */
const ROUGH = { rounds: 4, solver: { maxSteps: 8, gainTolerance: 1e-3, initialDamping: 1e-4 } } as const;
const VALLEY_STEPS = 8;
/** The IMU's noise is believed up to this factor; beyond, the residuals are. */
const BELIEVED_IMU = 1.1;

/** Expected standard deviations, from the robot's sidecar and the rate of the prepared samples [Hz]. */
export function expectedNoise({ imu }: CalibrationRig, imuRate: number, pixel: number): MeasurementNoise {
  return {
    pixel,
    gyroscope: imu.gyroNoiseDensity * Math.sqrt(imuRate),
    accelerometer: imu.accelerometerNoiseDensity * Math.sqrt(imuRate),
  };
}

/**
 * Fits the parameters of a robot (as believed, loaded without calibration) to a recording: robustly first, then, false
 * detections removed, by plain least squares, whose estimates are the best there are and whose covariance is known.
 *
 * Throws coded errors for recordings that cannot be used; all that can be said of the fit itself is in the summary.
 */
export function fitCalibration(robot: Robot, raw: CalibrationRecording, options: FitOptions = {}): CalibrationFit {
  const rig = findCalibrationRig(robot);
  const parameters = createParameters(rig, options.parameters);
  const recording = prepareRecording(raw, rig);
  const noise = expectedNoise(rig, recording.imuRate, options.pixelNoise ?? defaultPixelNoise);
  const problem = new CalibrationProblem(rig, parameters, recording, noise, options.loads ?? "model");
  const residualsBefore = allResiduals(problem);
  refuseSwappedCameras(problem, residualsBefore);
  const normal = new NormalEquations(problem.columnCount);
  const roughSteps = fitRoughly(problem, normal);
  const result = fitFinely(problem, normal, noise, solverOptions(problem, normal, options.solver));
  const observability = analyseDataAlone(problem, normal);
  const residualsAfter = allResiduals(problem);
  const steps = roughSteps + result.steps;
  const summary = summarizeFit(problem, { ...result, steps }, observability, residualsAfter);
  return { rig, parameters, recording, problem, summary, residualsBefore, residualsAfter };
}

function allResiduals(problem: CalibrationProblem): Float64Array[] {
  return problem.recording.holds.map((_, k) => problem.markerResiduals(k));
}

/** Where something is not determined, there is a valley without end: a few steps along it are enough to name it. */
function solverOptions(
  problem: CalibrationProblem,
  normal: NormalEquations,
  options: SolverOptions = defaultSolverOptions,
): SolverOptions {
  const { unobservable } = analyseDataAlone(problem, normal);
  return unobservable.length === 0 ? options : { ...options, maxSteps: Math.min(options.maxSteps, VALLEY_STEPS) };
}

/** Cauchy's loss with a falling scale; returns the linearisations it took. */
function fitRoughly(problem: CalibrationProblem, normal: NormalEquations): number {
  const solver = new LevenbergMarquardt(normal, ROUGH.solver);
  let steps = 0;
  for (let round = 0; round < ROUGH.rounds; round++) {
    const scale = Math.max(2, medianDeviation(markerDeviations(problem)));
    problem.lossScale = scale;
    steps += solver.solve(problem).steps;
    if (scale === 2) break;
  }
  problem.lossScale = Number.POSITIVE_INFINITY;
  return steps;
}

/** Least squares on what is not false, the noise of images being found from the residuals. */
function fitFinely(
  problem: CalibrationProblem,
  normal: NormalEquations,
  expected: MeasurementNoise,
  options: SolverOptions,
): SolverResult {
  const solver = new LevenbergMarquardt(normal, options);
  problem.noise = { ...expected, pixel: medianPixelNoise(problem, expected.pixel) };
  rejectFalse(problem);
  const first = solver.solve(problem);
  problem.noise = believedNoise(problem, expected);
  rejectFalse(problem);
  const second = solver.solve(problem);
  return { ...second, steps: first.steps + second.steps, initialCost: first.initialCost };
}

/** From the median of |residual| over both coordinates, which for normal noise is σ·√(2·ln 2). */
function medianPixelNoise(problem: CalibrationProblem, pixel: number): number {
  return (pixel * medianDeviation(markerDeviations(problem))) / Math.sqrt(2 * Math.LN2);
}

function believedNoise(problem: CalibrationProblem, expected: MeasurementNoise): MeasurementNoise {
  const found = residualNoise(problem);
  const believe = (nominal: number, seen: number) => (seen > BELIEVED_IMU * nominal ? seen : nominal);
  return {
    pixel: found.pixel,
    gyroscope: believe(expected.gyroscope, found.gyroscope),
    accelerometer: believe(expected.accelerometer, found.accelerometer),
  };
}

/** Rank and freedoms of what the data says without priors; where all is determined, the covariance includes them. */
function analyseDataAlone(problem: CalibrationProblem, normal: NormalEquations) {
  const { free, priorWeights } = problem.parameters.set;
  problem.priors = "off";
  problem.linearize(normal);
  problem.priors = "on";
  const data = analyseObservability(normal.matrix, free);
  if (priorWeights.every((weight) => weight === 0)) return data;
  problem.linearize(normal);
  const { covariance } = analyseObservability(normal.matrix, free);
  const n = free.length;
  const sigmas = data.sigmas.map((sigma, i) =>
    sigma === Number.POSITIVE_INFINITY ? sigma : Math.sqrt(covariance[i * n + i]!),
  );
  return { ...data, covariance, sigmas };
}

/** The exchanged assignment must fit so much better. */
const CLEARLY = 3;
/** And the given one so badly [px]: a miscalibrated robot is off by less. */
const FAR = 30;

/**
 * Left and right exchanged look like a stereo pair with a negative baseline: the markers' horizontal places disagree with the
 * robot as believed by twice the disparity, in opposite directions, and agree once exchanged.
 */
function refuseSwappedCameras(problem: CalibrationProblem, residuals: readonly Float64Array[]): void {
  const { given, exchanged } = horizontalErrors(problem, residuals);
  if (!(given > FAR && exchanged * CLEARLY < given)) return;
  throw new FlycatcherError("FLY_CALIBRATION_CAMERAS_SWAPPED", "the cameras are exchanged", {
    expected: "the left camera's images as left",
    found: `markers ${given.toFixed(0)} px off, ${exchanged.toFixed(0)} px when exchanged`,
  });
}

/** Median horizontal errors of images that both cameras took at a time, as given and exchanged [px]. */
function horizontalErrors(
  problem: CalibrationProblem,
  residuals: readonly Float64Array[],
): { given: number; exchanged: number } {
  const given: number[] = [];
  const exchanged: number[] = [];
  for (const [k, { markers }] of problem.recording.holds.entries()) {
    const rights = new Map<number, number>();
    for (let i = 0; i < markers.count; i++) {
      if (markers.side[i] === Side.right) rights.set(Math.round(markers.stamp[i]! * 100), i);
    }
    for (let i = 0; i < markers.count; i++) {
      const j = rights.get(Math.round(markers.stamp[i]! * 100));
      if (markers.side[i] !== Side.left || j === undefined) continue;
      const [left, right] = [residuals[k]![2 * i]!, residuals[k]![2 * j]!];
      const shift = markers.pixels[2 * j]! - markers.pixels[2 * i]!;
      given.push(Math.abs(left), Math.abs(right));
      exchanged.push(Math.abs(left + shift), Math.abs(right - shift));
    }
  }
  const median = (values: readonly number[]) => quantiles(values.filter(Number.isFinite), [0.5])[0] ?? Number.NaN;
  return { given: median(given), exchanged: median(exchanged) };
}
