import { writeFileSync } from "node:fs";
import { extname } from "node:path";
import type { Command } from "commander";
import * as vec3 from "../math/vec3.js";
import { openRecording } from "../recording/format/open-recording.js";
import { readPoints } from "../recording/import/import-recording.js";
import { MemoryRecording } from "../recording/memory-recording.js";
import { trackPage } from "../report/track/track-page.js";
import { type LabelFinder, trackFileReport, trackReport } from "../report/track/track-report.js";
import { type TrackFileReport, type TruthKind, truthKinds } from "../report/track/track-types.js";
import { type TrackRun, type TrackRunOptions, trackRecording } from "../run/track/track-run.js";
import { FlycatcherError } from "../runtime/errors.js";
import { readTextFile } from "../runtime/json-file.js";
import { choiceOption } from "./choice-option.js";
import { addImportOptions, ballOf, type ImportWords, importOptions } from "./import-options.js";
import { notNegative, replayInputs, trackerOptions } from "./replay-options.js";
import { withProgress } from "./terminal.js";
import { formatTracking } from "./track-text.js";

interface TrackCommandOptions extends ImportWords {
  readonly input?: (typeof replayInputs)[number];
  readonly tracker?: readonly string[];
  readonly truth?: TruthKind;
  readonly from?: number;
  readonly to?: number;
  readonly report?: string;
  readonly json?: true;
}

const examples = `
Examples:
  flycatcher track data/throws/two-balls/01.mcap
  flycatcher track mocap.csv --gravity 0,0,-9.72 --ball tennis --report balls.html
  flycatcher track throw.mcap --input circles --tracker accelerationNoise=0.05 --json`;

/** `flycatcher track`: follows balls and predicts them, without a robot. */
export function registerTrackCommand(program: Command): void {
  const command = program
    .command("track")
    .argument("<files...>", "recordings, or files of positions (CSV, JSON, TUM)")
    .description(
      "Follow the balls of recordings without a robot: confirmation, prediction errors, covariance, identities.",
    )
    .addOption(choiceOption("--input <kind>", "what balls are seen by; default: as recorded", replayInputs))
    .addOption(
      choiceOption("--truth <kind>", "raw: later samples; smoothed: the flight through all of them", truthKinds),
    )
    .option("--tracker <name=value...>", "settings of the tracker")
    .option("--from <seconds>", "begin here in the recording", notNegative)
    .option("--to <seconds>", "end there", notNegative);
  addImportOptions(command)
    .option("--report <file>", "write a web page with plots")
    .option("--json", "print one JSON object")
    .addHelpText("after", examples)
    .action(track);
}

async function track(paths: readonly string[], options: TrackCommandOptions): Promise<void> {
  const files = await withProgress("tracking", async (show) => {
    const reports: TrackFileReport[] = [];
    for (const [k, path] of paths.entries()) {
      reports.push(isRecording(path) ? await trackMcap(path, options) : await trackText(path, options));
      show((k + 1) / paths.length);
    }
    return reports;
  });
  const report = trackReport(files);
  if (options.report !== undefined) writeFileSync(options.report, trackPage(report));
  process.stdout.write(`${options.json ? JSON.stringify(report, null, 1) : formatTracking(report)}\n`);
}

function isRecording(path: string): boolean {
  return extname(path).toLowerCase() === ".mcap";
}

/** What these options say of a file's text says nothing of a recording. */
const textOnly = [
  "format",
  "time",
  "x",
  "y",
  "z",
  "marker",
  "only",
  "timeUnit",
  "unit",
  "scale",
  "axes",
  "tilt",
] as const;
const samplesOnly = ["frame", "sigma", "latencyMs", "rate"] as const;

async function trackMcap(path: string, options: TrackCommandOptions): Promise<TrackFileReport> {
  const wrong = [...textOnly, ...samplesOnly].find((name) => options[name] !== undefined);
  if (wrong !== undefined) {
    throw new FlycatcherError("FLY_IMPORT_OPTION", "an option for files of positions is given with a recording", {
      path: `--${wrong.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`,
      expected: "a CSV, JSON or TUM file",
      found: path,
    });
  }
  const recording = await openRecording(path);
  try {
    return reportOf(
      await trackRecording(recording, runOptions(options, importOptions(options).gravity)),
      path,
      options,
    );
  } finally {
    await recording.close();
  }
}

async function trackText(path: string, options: TrackCommandOptions): Promise<TrackFileReport> {
  const { header, items, markers } = readPoints(readTextFile(path), path, importOptions(options));
  const recording = new MemoryRecording(header);
  for (const item of items) recording.write(item);
  const positions = new Map(items.map(({ exposureNs, position }) => [exposureNs, position]));
  const run = await trackRecording(recording, runOptions(options, undefined));
  return reportOf(run, path, options, markerLabels(markers, positions));
}

function runOptions(options: TrackCommandOptions, gravity: readonly number[] | undefined): TrackRunOptions {
  const { input, tracker, from, to } = options;
  const nanoseconds = (time: number | undefined) => (time === undefined ? undefined : Math.round(1e9 * time));
  return {
    input,
    ball: ballOf(options),
    tracker: {
      ...(tracker && trackerOptions(tracker)),
      ...(gravity && { gravity: vec3.create(gravity[0], gravity[1], gravity[2]) }),
    },
    fromNs: nanoseconds(from),
    toNs: nanoseconds(to),
  };
}

function reportOf(run: TrackRun, file: string, { truth }: TrackCommandOptions, labels?: LabelFinder): TrackFileReport {
  return trackFileReport(run, { file, truth, labels });
}

/** The marker of the point at a place; undefined of a file without markers. */
function markerLabels(
  markers: ReadonlyMap<number, readonly string[]>,
  positions: ReadonlyMap<number, Float64Array>,
): LabelFinder | undefined {
  if (![...markers.values()].some((names) => names.some((name) => name !== ""))) return undefined;
  return (time, place) => {
    const key = Math.round(1e9 * time);
    const points = positions.get(key);
    const at = points?.findIndex((value, k) => k % 3 === 0 && value === place[0] && points[k + 1] === place[1]) ?? -1;
    return at < 0 ? null : (markers.get(key)?.[at / 3] ?? null);
  };
}
