import { Random } from "../../math/random.js";
import type { JointRamps } from "../../motion/joint-ramps.js";
import type { Robot } from "../../robot/robot.js";
import type { Overlay } from "../../robot/sidecar/overlay-schema.js";
import { FlycatcherError } from "../../runtime/errors.js";
import { type ChoiceOptions, chooseConfigurations, defaultChoice } from "../configurations/choose-configurations.js";
import { type ArmCandidate, plannedRamps } from "../configurations/sample-candidates.js";
import { MarkerDetector } from "../markers/marker-detector.js";
import { type CalibrationRig, findCalibrationRig } from "../parameters/calibration-rig.js";
import { createParameters } from "../parameters/robot-parameters.js";
import type { CalibrationRecording, HoldRecording } from "../recording/calibration-recording.js";
import { RecordingBuilder } from "../recording/recording-builder.js";
import { overlayOf } from "./calibration-overlay.js";
import type { CalibrationRobot } from "./calibration-robot.js";
import {
  type CalibrationFit,
  defaultPixelNoise,
  expectedNoise,
  type FitOptions,
  fitCalibration,
} from "./fit-calibration.js";

/** How a recording becomes a calibration. */
interface JudgeOptions {
  readonly fit?: FitOptions;
  /** When it is made, ISO 8601. */
  readonly date: string;
}

interface CalibrateOptions extends CollectOptions, JudgeOptions {
  /** Told what was recorded, before it is judged. */
  readonly onRecording?: (recording: CalibrationRecording) => void;
}

export interface Calibration {
  readonly fit: CalibrationFit;
  /** The configurations that were chosen; none where the robot did not move for it but a recording was given. */
  readonly configurations: readonly ArmCandidate[];
  readonly overlay: Overlay;
  /** Compliances that came out negative within their uncertainty and were held at zero. */
  readonly heldAtZero: readonly string[];
}

/**
 * The whole procedure, by itself: collect, fit, judge. Throws a coded error where the result is not to be trusted, so that
 * what it returns may be written.
 *
 * @example
 * const robot = loadRobot("agile-justin", { calibration: "none" });
 * const { overlay } = await calibrate(robot, driver, { date: new Date().toISOString() });
 */
export async function calibrate(
  robot: Robot,
  driver: CalibrationRobot,
  options: CalibrateOptions,
): Promise<Calibration> {
  const rig = findCalibrationRig(robot);
  // What cannot be asked for is refused before the robot moves.
  createParameters(rig, options.fit?.parameters);
  const { recording, configurations } = await collectRecording(rig, driver, options);
  options.onRecording?.(recording);
  return { ...calibrateFrom(robot, recording, options), configurations };
}

/** The same from what was recorded: fit and judge. */
export function calibrateFrom(robot: Robot, recording: CalibrationRecording, options: JudgeOptions): Calibration {
  const { fit, heldAtZero } = fitPossible(
    (choice) => fitCalibration(robot, recording, { ...options.fit, ...choice }),
    options.fit,
  );
  requireTrust(fit);
  return { fit, configurations: [], heldAtZero, overlay: overlayOf(fit, options.date) };
}

/**
 * A joint cannot give way against its load. Where noise makes a weakly loaded one seem to, its compliance is held at zero
 * and all else fitted again, so that what is written is one consistent solution.
 */
function fitPossible(
  refit: (options: FitOptions) => CalibrationFit,
  { parameters: choice = {} }: FitOptions = {},
): { fit: CalibrationFit; heldAtZero: string[] } {
  const heldAtZero: string[] = [];
  for (;;) {
    const fixed = [...(choice.fixed ?? []), ...heldAtZero];
    const fit = refit({ parameters: { ...choice, fixed } });
    const negative = fit.parameters.arms
      .flatMap(({ compliances }) => compliances.components.filter((_, i) => compliances.value[i]! < 0))
      .map(({ name }) => name);
    if (negative.length === 0) return { fit, heldAtZero };
    heldAtZero.push(...negative);
  }
}

interface CollectOptions {
  readonly choice?: ChoiceOptions;
  /** Seed of the candidates. */
  readonly seed?: number | string;
  /** Told the share done, from 0 to 1. */
  readonly onProgress?: (share: number) => void;
}

export interface Collection {
  readonly recording: CalibrationRecording;
  readonly configurations: readonly ArmCandidate[];
}

/** Rate for which information is expected [Hz]. */
const SAMPLE_RATE = 10;

/**
 * Has the robot do what a calibration needs: chooses configurations, moves each arm from the home posture to each of its own
 * and back, and records while the head sweeps. The robot must stand in the home posture.
 */
export async function collectRecording(
  rig: CalibrationRig,
  robot: CalibrationRobot,
  options: CollectOptions = {},
): Promise<Collection> {
  const home = robot.posture.slice();
  const noise = expectedNoise(rig, SAMPLE_RATE, defaultPixelNoise);
  const random = new Random(options.seed ?? 0).fork("configurations");
  const configurations = chooseConfigurations(rig, home, noise, random, options.choice ?? defaultChoice);
  const holds: HoldRecording[] = [];
  for (const [k, configuration] of configurations.entries()) {
    options.onProgress?.(k / configurations.length);
    await robot.move(configuration.dofs, configuration.approach);
    holds.push(await recordHold(rig, robot, configuration));
    await robot.move(configuration.dofs, wayBack(rig, configuration, robot.posture));
  }
  options.onProgress?.(1);
  return { recording: { robot: rig.robot.name, posture: home, holds }, configurations };
}

async function recordHold(
  rig: CalibrationRig,
  robot: CalibrationRobot,
  { arm, sweep }: ArmCandidate,
): Promise<HoldRecording> {
  const { group } = rig.arms[arm]!;
  const dofs = [...rig.neck.dofs, ...group.dofs];
  const builder = new RecordingBuilder(group.name, rig.neck.dofs.length, group.dofs.length, new MarkerDetector());
  await robot.sweep({ arm: group.name, dofs, sweep }, builder);
  return builder.finish();
}

/** The approach in reverse: the same places, so as free of contact as it. */
function wayBack(rig: CalibrationRig, { dofs, approach }: ArmCandidate, posture: Float64Array): JointRamps {
  const from = Float64Array.from(dofs, (dof) => posture[dof]!);
  const ramps = plannedRamps(rig, dofs, from, approach.q0);
  if (ramps === null) throw new FlycatcherError("FLY_INTERNAL", "no way back from a configuration");
  return ramps;
}

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
