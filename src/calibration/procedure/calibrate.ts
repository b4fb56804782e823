import type { Robot } from "../../robot/robot.js";
import type { Overlay } from "../../robot/sidecar/overlay-schema.js";
import type { ArmCandidate } from "../configurations/arm-candidate.js";
import { findCalibrationRig } from "../parameters/calibration-rig.js";
import { createParameters } from "../parameters/robot-parameters.js";
import type { CalibrationRecording } from "../recording/calibration-recording.js";
import { overlayOf } from "./calibration-overlay.js";
import type { CalibrationRobot } from "./calibration-robot.js";
import { type CollectOptions, collectRecording } from "./collect.js";
import { type CalibrationFit, type FitOptions, fitCalibration } from "./fit-calibration.js";
import { requireTrust, type TrustLimits, usualTrust } from "./trust.js";

/** How a recording becomes a calibration. */
export interface JudgeOptions {
  readonly fit?: FitOptions;
  readonly trust?: TrustLimits;
  /** When it is made, ISO 8601. */
  readonly date: string;
}

export interface CalibrateOptions extends CollectOptions, JudgeOptions {
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
  requireTrust(fit, options.trust ?? usualTrust);
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
