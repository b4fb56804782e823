import type { Command } from "commander";
import { type Ball, defaultBall, dragOf } from "../flight/ball.js";
import { parseAxes, parseFrame } from "../recording/import/file-frame.js";
import {
  type ImportOptions,
  type ImportSummary,
  importFormats,
  importRecording,
  worldFrame,
} from "../recording/import/import-recording.js";
import { lengthUnits, timeUnits } from "../recording/import/samples.js";
import { defined } from "../runtime/defined.js";
import { FlycatcherError } from "../runtime/errors.js";
import { choiceOption } from "./choice-option.js";
import type { TextOptions } from "./terminal.js";

/** Options as they were written. */
type TextOption =
  | ("time" | "x" | "y" | "z" | "marker" | "only" | "axes" | "frame" | "title")
  | ("sigma" | "latencyMs" | "rate" | "ballDiameter" | "ballMass");

interface ImportCommandOptions extends TextOptions<TextOption>, Pick<ImportOptions, "format" | "timeUnit"> {
  readonly unit?: ImportOptions["lengthUnit"];
  readonly json?: true;
}

const examples = `
Examples:
  flycatcher import trajectories.csv throw.mcap
  flycatcher import vicon.csv throw.mcap --time Timestamp --time-unit ms --unit mm --x TX --y TY --z TZ
  flycatcher import unity.json throw.mcap --axes z,-x,y --frame 0.2,0,1.1,0,0,1.5708
  flycatcher import poses.tum throw.mcap`;

/** `flycatcher import`: makes a recording of 3-D ball positions. */
export function registerImportCommand(program: Command): void {
  program
    .command("import <file> <recording>")
    .description(
      "Make a recording of 3-D ball positions: CSV, JSON or TUM poses. Replay runs tracker and planner on it.",
    )
    .addOption(choiceOption("--format <format>", "default: by the file's ending", importFormats))
    .option("--time <column>", "CSV: column of the time, by name or number")
    .option("--x <column>", "CSV: column of x")
    .option("--y <column>", "CSV: column of y")
    .option("--z <column>", "CSV: column of z")
    .option("--marker <column>", "CSV: column that distinguishes markers")
    .option("--only <markers>", "import these markers alone, separated by commas")
    .addOption(choiceOption("--time-unit <unit>", "default: as the column's name says, else s", Object.keys(timeUnits)))
    .addOption(choiceOption("--unit <unit>", "default: as the column's name says, else m", Object.keys(lengthUnits)))
    .option("--axes <axes>", "the file's axes that are the world's x, y, z: x,z,-y")
    .option("--frame <pose>", "the file's frame in the world: x,y,z,roll,pitch,yaw [m, rad]; after --axes")
    .option("--sigma <length>", "standard deviation of a coordinate [m]; default: 0.003")
    .option("--latency-ms <time>", "latency from a measurement to its arrival [ms]; default: 0")
    .option("--rate <number>", "keep at most this many samples per second; default: all")
    .option("--ball-diameter <length>", "[m]; default: 0.085")
    .option("--ball-mass <mass>", "[kg]; default: 0.050")
    .option("--title <text>", "what it is, in a line; default: the file's name")
    .option("--json", "print what was imported as JSON")
    .addHelpText("after", examples)
    .action(importFile);
}

async function importFile(file: string, recording: string, options: ImportCommandOptions): Promise<void> {
  const summary = await importRecording(file, recording, importOptions(options));
  process.stdout.write(`${options.json ? JSON.stringify(summary, null, 2) : describe(recording, summary)}\n`);
}

function importOptions(options: ImportCommandOptions): ImportOptions {
  const { format, time, x, y, z, marker, only, timeUnit, unit, axes, frame, sigma, latencyMs, rate, title } = options;
  const latency = numberOf("--latency-ms", latencyMs);
  return defined({
    columns: defined({ time, x, y, z, marker }),
    frame: {
      axes: axes === undefined ? worldFrame.axes : parseAxes(axes),
      worldFromFile: frame === undefined ? worldFrame.worldFromFile : parseFrame(frame),
    },
    ball: ballOf(options),
    ...{ format, timeUnit, lengthUnit: unit },
    markers: only?.split(",").map((name) => name.trim()),
    sigma: numberOf("--sigma", sigma),
    latency: latency && latency / 1e3,
    rate: numberOf("--rate", rate),
    title,
  });
}

function ballOf({ ballDiameter, ballMass }: ImportCommandOptions): Ball {
  if (ballDiameter === undefined && ballMass === undefined) return defaultBall;
  const diameter = positive("--ball-diameter", ballDiameter) ?? defaultBall.diameter;
  const mass = positive("--ball-mass", ballMass) ?? defaultBall.mass;
  return { diameter, mass, drag: dragOf(diameter, mass) };
}

const refusal = ["FLY_IMPORT_OPTION", "an option of the import"] as const;

function numberOf(path: string, found: string | undefined): number | undefined {
  if (found === undefined) return undefined;
  const value = found.trim() === "" ? Number.NaN : Number(found);
  if (Number.isFinite(value)) return value;
  throw new FlycatcherError(...refusal, { path, expected: "a number", found });
}

function positive(path: string, found: string | undefined): number | undefined {
  const value = numberOf(path, found);
  if (value === undefined || value > 0) return value;
  throw new FlycatcherError(...refusal, { path, expected: "above 0", found: String(found) });
}

function describe(recording: string, summary: ImportSummary): string {
  const { samples, times, missing, markers, from, to, rate, zero } = summary;
  const lines = [
    `${recording}: ${samples} samples from ${from.toFixed(3)} s to ${to.toFixed(3)} s`,
    ...(rate === null ? [] : [`  ${rate.toFixed(1)} a second in the median, ${times} times in all`]),
    ...(missing > 0 ? [`  ${missing} samples without a position`] : []),
    ...(markers.length > 1 ? [`  ${markers.length} markers: ${markers.join(", ")}`] : []),
    ...(zero !== 0 ? [`  time zero is ${zero} s of the file`] : []),
  ];
  return lines.join("\n");
}
