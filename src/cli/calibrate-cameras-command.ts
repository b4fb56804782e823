import { existsSync, statSync } from "node:fs";
import { type Command, InvalidArgumentError } from "commander";
import {
  type CameraCalibration,
  calibrateCameras,
  type TargetCamera,
} from "../calibration/target/calibrate-cameras.js";
import { cameraReport, parameterRows } from "../calibration/target/camera-report.js";
import { cameraOverlayOf, type Placement, rigFileOf } from "../calibration/target/camera-results.js";
import { defaultBoard, type TargetBoard } from "../calibration/target/target-board.js";
import { TargetFinder } from "../calibration/target/target-finder.js";
import { targetPage } from "../calibration/target/target-page.js";
import type { TargetView } from "../calibration/target/target-problem.js";
import { LiveFrames } from "../nodes/live-frames.js";
import { openFrameFile } from "../recording/import/frame-file.js";
import { loadRobot } from "../robot/loading/load-robot.js";
import { FlycatcherError } from "../runtime/errors.js";
import { formatTable, interruption, print, wholeNumber, withProgress, writeText } from "./terminal.js";

interface BoardOptions {
  readonly columns: number;
  readonly rows: number;
  readonly spacing: number;
  readonly radius: number;
}

interface CamerasOptions extends BoardOptions {
  readonly views: number;
  readonly seconds: number;
  readonly rate: number;
  readonly robot?: string;
  readonly boardAt?: Placement;
  readonly out?: string;
  readonly report?: string;
  readonly json?: true;
}

const MOST_CAMERAS = 8;
const names = ["left", "right", ...Array.from({ length: MOST_CAMERAS - 2 }, (_, k) => `camera${k + 3}`)];

const examples = `
Examples:
  flycatcher calibrate target --out board.svg
  flycatcher calibrate cameras images/ --out rig.json --report cameras.html
  flycatcher calibrate cameras left.mp4 right.mp4 --robot my-robot --out cameras.json
  flycatcher calibrate cameras "gst-launch-1.0 -q v4l2src ! ... ! gdppay ! fdsink" --seconds 60`;

/** `flycatcher calibrate target` and `calibrate cameras`: a board to print, and cameras that are calibrated by it. */
export function registerCalibrateCameras(calibrate: Command): void {
  addBoardOptions(calibrate.command("target"))
    .description("Write a printable board of discs, by which cameras are calibrated, as an SVG of true size.")
    .option("--out <file>", "write it to this file; default: standard output")
    .addHelpText("after", "\nExamples:\n  flycatcher calibrate target --out board.svg")
    .action((options: BoardOptions & { readonly out?: string }) => {
      const page = targetPage(boardOf(options));
      if (options.out === undefined) print(page.trimEnd());
      else writeText(options.out, page);
    });
  addBoardOptions(calibrate.command("cameras"))
    .argument(
      "<sources...>",
      "a folder with left/ and right/; or for each camera a video, a folder of images, or a program that writes frames (GDP)",
    )
    .description(
      "Calibrate one to eight cameras by images of the printed board: lenses, and where the cameras are to each other.",
    )
    .option("--views <number>", "images of each camera that are used at most", wholeNumber(4, 1000), 60)
    .option("--seconds <number>", "programs: how long the board is shown", wholeNumber(1, 3600), 60)
    .option("--rate <hertz>", "images a second, for rig.json", positive, 25)
    .option("--robot <robot>", "the sources are this robot's pair of cameras; --out is a calibration for it")
    .option(
      "--board-at <placement>",
      "x,y,z,roll,pitch,yaw of the board in the world when it was first seen: cameras that stand",
      placement,
    )
    .option("--out <file>", "write rig.json, or with --robot its calibration, to this file")
    .option("--report <file>", "write a report to this file, as a web page")
    .option("--json", "print one JSON object")
    .addHelpText("after", examples)
    .action(run);
}

function addBoardOptions(command: Command): Command {
  return command
    .option("--columns <number>", "columns of discs", wholeNumber(4, 40), defaultBoard.columns)
    .option("--rows <number>", "rows of discs", wholeNumber(4, 40), defaultBoard.rows)
    .option(
      "--spacing <metres>",
      "between the centres of discs, as measured on the print",
      positive,
      defaultBoard.spacing,
    )
    .option("--radius <metres>", "radius of the discs", positive, defaultBoard.radius);
}

function boardOf({ columns, rows, spacing, radius }: BoardOptions): TargetBoard {
  if (spacing > 2.8 * radius && spacing < 6 * radius) return { columns, rows, spacing, radius };
  throw new FlycatcherError("FLY_CALIBRATION_TARGET", "discs this size are not found", {
    path: "--radius",
    expected: "a sixth to a third of the spacing",
    found: `${radius} m, ${spacing} m apart`,
  });
}

async function run(sources: readonly string[], options: CamerasOptions): Promise<void> {
  const board = boardOf(options);
  const { cameras, views } = await withProgress("looking for the board", (show) =>
    lookAt(sources, board, options, show),
  );
  const calibration = calibrateCameras(board, cameras, views);
  const date = new Date().toISOString();
  const { robot, boardAt = null, out, report, rate } = options;
  if (out !== undefined) {
    const content =
      robot === undefined
        ? rigFileOf(calibration, boardAt, rate)
        : cameraOverlayOf(loadRobot(robot), calibration, boardAt, date);
    writeText(out, `${JSON.stringify(content, null, 2)}\n`);
  }
  if (report !== undefined) writeText(report, cameraReport(calibration, date));
  print(options.json ? asJson(calibration) : describe(calibration, out));
}

interface Seen {
  readonly cameras: readonly TargetCamera[];
  readonly views: readonly TargetView[];
}

function lookAt(
  sources: readonly string[],
  board: TargetBoard,
  options: CamerasOptions,
  show: (share: number) => void,
): Promise<Seen> {
  if (sources.length > MOST_CAMERAS) throw tooMany(sources.length);
  const areFiles = sources.map((source) => existsSync(source));
  if (areFiles.every((isFile) => isFile)) return lookAtFiles(sources, board, options, show);
  if (areFiles.some((isFile) => isFile)) throw mixed(sources[areFiles.indexOf(false)]!);
  return lookAtPrograms(sources, board, options, show);
}

/** One folder holds both cameras of a pair. */
function placesOf(sources: readonly string[]): { path: string; side: "left" | "right" }[] {
  const [only] = sources;
  const isPair = sources.length === 1 && statSync(only!).isDirectory() && existsSync(`${only}/right`);
  if (isPair) return (["left", "right"] as const).map((side) => ({ path: only!, side }));
  return sources.map((path) => ({ path, side: "left" }));
}

async function lookAtFiles(
  sources: readonly string[],
  board: TargetBoard,
  { views: most, rate }: CamerasOptions,
  show: (share: number) => void,
): Promise<Seen> {
  const finder = new TargetFinder(board);
  const cameras: TargetCamera[] = [];
  const views: TargetView[] = [];
  const places = placesOf(sources);
  for (const [camera, { path, side }] of places.entries()) {
    const { width, height, times, frames } = await openFrameFile(path, { camera: side, wanted: "gray", rateHz: rate });
    cameras.push({ name: names[camera]!, width, height });
    const every = Math.ceil(times.length / most);
    let moment = -1;
    for await (const { pixels } of frames()) {
      if (++moment % every !== 0) continue;
      const discs = finder.find({ width, height, pixels });
      if (discs !== null) views.push({ camera, moment, discs });
      show((camera + moment / times.length) / places.length);
    }
  }
  return { cameras, views };
}

async function lookAtPrograms(
  commands: readonly string[],
  board: TargetBoard,
  { views: most, seconds }: CamerasOptions,
  show: (share: number) => void,
): Promise<Seen> {
  const finder = new TargetFinder(board);
  const live = await LiveFrames.open(commands);
  const views: TargetView[] = [];
  const end = performance.now() + 1e3 * seconds;
  const stopping = { isAsked: false };
  void interruption().then(() => {
    stopping.isAsked = true;
  });
  try {
    for (let moment = 0; moment < most && performance.now() < end && !stopping.isAsked; moment++) {
      await new Promise((resolve) => setTimeout(resolve, Math.max(100, (1e3 * seconds) / most)));
      for (const { camera, width, height, pixels } of live.newest()) {
        const discs = finder.find({ width, height, pixels });
        if (discs !== null) views.push({ camera, moment, discs });
      }
      show(Math.max(moment / most, 1 - (end - performance.now()) / (1e3 * seconds)));
    }
    return { cameras: live.cameras.map((size, k) => ({ name: names[k]!, ...size })), views };
  } finally {
    live.close();
  }
}

function describe({ cameras, discs, pixelSigma }: CameraCalibration, out: string | undefined): string {
  const tables = cameras.map((camera) => {
    const head = `${camera.name}: ${camera.views} views, residuals ${camera.residual.toFixed(3)} px`;
    return `${head}\n${formatTable(["parameter", "value", "sigma"], parameterRows(camera))}`;
  });
  const used = `${discs.used} discs, ${discs.dropped} dropped; a coordinate is measured to ${pixelSigma.toFixed(3)} px`;
  return [...tables, used, out === undefined ? "not written: --out <file> writes it" : `written to ${out}`].join(
    "\n\n",
  );
}

function asJson({ cameras, discs, pixelSigma }: CameraCalibration): string {
  const plain = cameras.map(({ sigmas, cameraFromFirst, poseSigmas, ...camera }) => ({
    ...camera,
    sigmas: [...sigmas],
    cameraFromFirst: [...cameraFromFirst],
    poseSigmas: [...poseSigmas],
  }));
  return JSON.stringify({ cameras: plain, discs, pixelSigma }, null, 2);
}

function positive(text: string): number {
  const value = Number(text);
  if (value > 0 && value < Number.POSITIVE_INFINITY) return value;
  throw new InvalidArgumentError("A positive number is expected.");
}

function placement(text: string): Placement {
  const values = text.split(",").map(Number);
  if (values.length === 6 && values.every(Number.isFinite)) return values as unknown as Placement;
  throw new InvalidArgumentError("Six numbers are expected: x,y,z,roll,pitch,yaw.");
}

function tooMany(count: number): FlycatcherError {
  return new FlycatcherError("FLY_CALIBRATION_TARGET", "too many cameras", {
    expected: `at most ${MOST_CAMERAS} sources`,
    found: `${count}`,
  });
}

function mixed(source: string): FlycatcherError {
  return new FlycatcherError("FLY_CALIBRATION_TARGET", "files and programs cannot be mixed", {
    expected: "files or folders alone, or programs alone",
    found: `no file ${source}`,
  });
}
