import { parentPort } from "node:worker_threads";
import { defaultChoice } from "../../calibration/configurations/choose-configurations.js";
import { findCalibrationRig } from "../../calibration/parameters/calibration-rig.js";
import { calibrate } from "../../calibration/procedure/calibrate.js";
import { calibrationReport } from "../../calibration/report/calibration-report.js";
import { loadRobot } from "../../robot/loading/load-robot.js";
import type { Overlay } from "../../robot/sidecar/overlay-schema.js";
import type { ErrorCode } from "../../runtime/error-catalogue.js";
import { FlycatcherError } from "../../runtime/errors.js";
import { workerDone, workerInput, workerReady } from "../../runtime/worker-context.js";
import { drawMiscalibration } from "./miscalibration.js";
import { SimulatedCalibrationRobot } from "./simulated-calibration-robot.js";

/** The calibration of a simulated robot in a thread of its own: it takes seconds, which nobody else shall wait for. */
export interface CalibrationJobInput {
  readonly robot: string;
  readonly seed: string;
  readonly configurations: number;
  /** ISO 8601. */
  readonly date: string;
}

/** What the thread says, `done` or `failed` last. */
export type CalibrationJobMessage =
  | { readonly kind: "progress"; readonly share: number }
  | { readonly kind: "done"; readonly calibration: Overlay; readonly report: string }
  | { readonly kind: "failed"; readonly code: ErrorCode; readonly message: string };

/** Of the whole; the rest is the fit. */
const COLLECTING = 0.8;

async function run({ robot: name, seed, configurations, date }: CalibrationJobInput): Promise<void> {
  const robot = loadRobot(name, { calibration: "none" });
  const simulated = new SimulatedCalibrationRobot(robot, drawMiscalibration(findCalibrationRig(robot), seed), seed);
  const calibration = await calibrate(robot, simulated, {
    date,
    seed,
    choice: { ...defaultChoice, perArm: configurations },
    onProgress: (share) => say({ kind: "progress", share: COLLECTING * share }),
  });
  say({ kind: "done", calibration: calibration.overlay, report: calibrationReport(calibration) });
}

function say(message: CalibrationJobMessage): void {
  parentPort?.postMessage(message);
}

workerReady();
run(workerInput<CalibrationJobInput>())
  .catch((error: unknown) => {
    const code = error instanceof FlycatcherError ? error.code : "FLY_INTERNAL";
    say({ kind: "failed", code, message: error instanceof Error ? error.message : String(error) });
  })
  .finally(workerDone);
