import { Random } from "../../math/random.js";
import type { JointRamps } from "../../motion/joint-ramps.js";
import { FlycatcherError } from "../../runtime/errors.js";
import type { ArmCandidate } from "../configurations/arm-candidate.js";
import { type ChoiceOptions, chooseConfigurations, defaultChoice } from "../configurations/choose-configurations.js";
import { plannedRamps } from "../configurations/sample-candidates.js";
import { MarkerDetector } from "../markers/marker-detector.js";
import type { CalibrationRig } from "../parameters/calibration-rig.js";
import type { CalibrationRecording, HoldRecording } from "../recording/calibration-recording.js";
import { RecordingBuilder } from "../recording/recording-builder.js";
import type { CalibrationRobot } from "./calibration-robot.js";
import { defaultPixelNoise, expectedNoise } from "./fit-calibration.js";

export interface CollectOptions {
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
