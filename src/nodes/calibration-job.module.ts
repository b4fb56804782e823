import { defaultChoice } from "../calibration/configurations/choose-configurations.js";
import { findCalibrationRig } from "../calibration/parameters/calibration-rig.js";
import { calibrate } from "../calibration/procedure/calibrate.js";
import { calibrationReport } from "../calibration/report/calibration-report.js";
import { loadRobot } from "../robot/loading/load-robot.js";
import type { Overlay } from "../robot/sidecar/overlay-schema.js";
import type { ErrorCode } from "../runtime/error-catalogue.js";
import { FlycatcherError } from "../runtime/errors.js";
import { drawMiscalibration } from "../simulation/calibration-rig/miscalibration.js";
import { SimulatedCalibrationRobot } from "../simulation/calibration-rig/simulated-calibration-robot.js";
import { postToParent, workerDone, workerInput, workerReady } from "../transport/workers/worker-context.js";

/** The calibration of a simulated robot in a thread of its own: it takes seconds, for which nothing else waits. */
export interface CalibrationJobInput {
  readonly robot: string;
  readonly seed: string;
  readonly configurations: number;
  /** ISO 8601. */
  readonly date: string;
}

/** What the thread publishes, `done` or `failed` last. */
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
    onProgress: (share) => publish({ kind: "progress", share: COLLECTING * share }),
  });
  publish({ kind: "done", calibration: calibration.overlay, report: calibrationReport(calibration) });
}

function publish(message: CalibrationJobMessage): void {
  postToParent(message);
}

workerReady();
run(workerInput<CalibrationJobInput>())
  .catch((error: unknown) => {
    const code = error instanceof FlycatcherError ? error.code : "FLY_INTERNAL";
    publish({ kind: "failed", code, message: error instanceof Error ? error.message : String(error) });
  })
  .finally(workerDone);
