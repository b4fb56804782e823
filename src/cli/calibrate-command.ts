import { existsSync } from "node:fs";
import type { Command } from "commander";
import { defaultChoice } from "../calibration/configurations/choose-configurations.js";
import { findCalibrationRig } from "../calibration/parameters/calibration-rig.js";
import { type Calibration, calibrate, calibrateFrom } from "../calibration/procedure/calibrate.js";
import type { FitOptions } from "../calibration/procedure/fit-calibration.js";
import type { CalibrationRecording } from "../calibration/recording/calibration-recording.js";
import { calibrationReport } from "../calibration/report/calibration-report.js";
import { readCalibrationFile, writeCalibrationFile } from "../recording/calibration/calibration-file.js";
import { loadRobot, parseOverlay } from "../robot/loading/load-robot.js";
import type { Overlay } from "../robot/sidecar/overlay-schema.js";
import { defined } from "../runtime/defined.js";
import { readJsonFile } from "../runtime/json-file.js";
import { drawMiscalibration } from "../simulation/calibration-rig/miscalibration.js";
import { SimulatedCalibrationRobot, usualNoise } from "../simulation/calibration-rig/simulated-calibration-robot.js";
import { registerCalibrateCameras } from "./calibrate-cameras-command.js";
import { formatTable, print, wholeNumber, withProgress, writeText } from "./terminal.js";

interface CalibrateCommandOptions {
  readonly robot: string;
  readonly seed: string;
  readonly configurations: number;
  readonly recording?: string;
  readonly record?: string;
  readonly jointStride: number;
  readonly out?: string;
  readonly report?: string;
  readonly last?: string;
  readonly free?: readonly string[];
  readonly fix?: readonly string[];
  readonly images?: true;
  readonly json?: true;
}

const examples = `
Examples:
  flycatcher calibrate --robot agile-justin
  flycatcher calibrate --robot agile-justin --out calibration.json --report calibration.html
  flycatcher calibrate --recording data/calibration/agile-justin.mcap
  flycatcher calibrate --robot agile-justin --free leftArm7.offset     which parameters cannot be distinguished`;

/** `flycatcher calibrate`: calibrates a simulated robot that is not as its drawings say, or one from its recording. */
export function registerCalibrateCommand(program: Command): void {
  const command = program.command("calibrate");
  registerCalibrateCameras(command);
  command
    .description(
      "Calibrate a simulated, miscalibrated robot, or one from its recording: choose configurations, record, fit, judge.",
    )
    .option("--robot <robot>", "robot to calibrate", "agile-justin")
    .option("--seed <text>", "another miscalibrated robot", "1")
    .option(
      "--configurations <number>",
      "configurations to hold, for each arm",
      wholeNumber(1, 100),
      defaultChoice.perArm,
    )
    .option("--recording <file>", "calibrate from this recording (MCAP); nothing moves")
    .option("--record <file>", "write the recorded data to this file (MCAP)")
    .option(
      "--joint-stride <number>",
      "record only every n-th sample of the joints: a smaller file",
      wholeNumber(1, 100),
      1,
    )
    .option("--out <file>", "write the calibration to this file; an untrustworthy one is not written")
    .option("--report <file>", "write a report to this file, as a web page")
    .option("--last <file>", "an earlier calibration; the report shows what has changed")
    .option("--free <parameters...>", "free these parameters, by name or family")
    .option("--fix <parameters...>", "hold these parameters, by name or family")
    .option("--images", "find the marker in rendered images; slow")
    .option("--json", "print one JSON object")
    .addHelpText("after", examples)
    .action(run);
}

async function run(options: CalibrateCommandOptions): Promise<void> {
  const last = options.last === undefined ? undefined : parseOverlay(readJsonFile(options.last), options.last);
  const calibration =
    options.recording === undefined
      ? await calibrateSimulated(options)
      : await calibrateRecorded(options.recording, options);
  const { out, report } = options;
  if (out !== undefined) writeText(out, `${JSON.stringify({ ...keptIn(out), ...calibration.overlay }, null, 2)}\n`);
  if (report !== undefined) writeText(report, calibrationReport(calibration, last));
  print(options.json ? asJson(calibration) : describe(calibration, out));
}

/** What a bring-up has found and a calibration does not find: it stays in the file. */
function keptIn(file: string): Pick<Overlay, "commandDelays" | "speedCeiling"> {
  if (!existsSync(file)) return {};
  const { commandDelays, speedCeiling } = parseOverlay(readJsonFile(file), file);
  return defined({ commandDelays, speedCeiling });
}

function fitOptions({ free, fix }: CalibrateCommandOptions): FitOptions {
  return { parameters: { free: free ?? [], fixed: fix ?? [] } };
}

async function calibrateRecorded(file: string, options: CalibrateCommandOptions): Promise<Calibration> {
  const { recording } = await readCalibrationFile(file);
  const robot = loadRobot(recording.robot, { calibration: "none" });
  return calibrateFrom(robot, recording, { date: new Date().toISOString(), fit: fitOptions(options) });
}

async function calibrateSimulated(options: CalibrateCommandOptions): Promise<Calibration> {
  const { seed } = options;
  const robot = loadRobot(options.robot, { calibration: "none" });
  const rig = findCalibrationRig(robot);
  const truth = drawMiscalibration(rig, seed);
  const sight = options.images ? ({ kind: "images", every: 5 } as const) : ({ kind: "markers" } as const);
  const simulated = new SimulatedCalibrationRobot(robot, truth, seed, usualNoise, sight);
  const recorded: CalibrationRecording[] = [];
  return withProgress("calibrating", async (show) => {
    const calibration = await calibrate(robot, simulated, {
      date: new Date().toISOString(),
      seed,
      choice: { ...defaultChoice, perArm: options.configurations },
      fit: fitOptions(options),
      onProgress: (share) => show(0.9 * share),
      onRecording: (recording) => recorded.push(recording),
    });
    if (options.record !== undefined) {
      const title = `calibration of a simulated ${options.robot}, seed ${seed}`;
      const file = { title, recording: recorded[0]!, truth };
      await writeCalibrationFile(options.record, file, { rig, jointStride: options.jointStride });
    }
    return calibration;
  });
}

function asJson({ fit, overlay, heldAtZero, configurations }: Calibration): string {
  const { covariance: _, correlation: __, ...summary } = fit.summary;
  return JSON.stringify({ summary, heldAtZero, configurations: configurations.length, calibration: overlay }, null, 2);
}

function describe({ fit, heldAtZero }: Calibration, out: string | undefined): string {
  const { summary } = fit;
  const { residuals, markers, imuSamples } = summary;
  const rows = summary.parameters.map(({ words, unit, change, sigma }) => [
    words,
    `${change >= 0 ? "+" : ""}${change.toPrecision(4)}`,
    `± ${sigma.toPrecision(2)}`,
    unit,
  ]);
  const delays = [fit.parameters.cameraDelay, fit.parameters.imuDelay].map(({ value }) =>
    (1000 * value[0]!).toFixed(3),
  );
  return [
    formatTable(["parameter", "change", "sigma", "unit"], rows),
    "",
    `${markers.used} of ${markers.total} markers, ${imuSamples.raw} IMU samples; ${summary.steps} steps, ${summary.reason}`,
    `residuals ${residuals.pixel.toFixed(3)} px, ${residuals.gyroscope.toExponential(2)} rad/s, ${residuals.accelerometer.toExponential(2)} m/s²`,
    `delays: camera ${delays[0]} ms, IMU ${delays[1]} ms`,
    ...(heldAtZero.length > 0 ? [`held at zero: ${heldAtZero.join(", ")}`] : []),
    out === undefined ? "not written: --out <file> writes it" : `written to ${out}`,
  ].join("\n");
}
