import type { Command } from "commander";
import { overlaidBall, overlaidTracker, readFlightOverlay } from "../calibration/flight/flight-overlay.js";
import { defaultBall } from "../flight/ball.js";
import * as pose from "../math/pose.js";
import { type FileFrame, parseAxes, parseFrame, parseGravity, parseTilt } from "../recording/import/file-frame.js";
import { type ImportOptions, importFormats, worldFrame } from "../recording/import/import-recording.js";
import { lengthUnits, timeUnits } from "../recording/import/samples.js";
import { defined } from "../runtime/defined.js";
import { FlycatcherError } from "../runtime/errors.js";
import { addBallOptions, type BallWords, ballOf } from "./ball-options.js";
import { choiceOption } from "./choice-option.js";
import type { TextOptions } from "./terminal.js";

/** Options as they were written. */
type TextOption =
  | ("time" | "x" | "y" | "z" | "marker" | "only" | "axes" | "frame" | "title" | "scale" | "tilt" | "gravity")
  | ("sigma" | "latencyMs" | "rate" | "flight");

/** How a command says what a file of positions means. */
export interface ImportWords extends TextOptions<TextOption>, BallWords, Pick<ImportOptions, "format" | "timeUnit"> {
  readonly unit?: ImportOptions["lengthUnit"];
}

/** The options by which a file of positions is understood. */
export function addImportOptions(command: Command): Command {
  const units = Object.keys(lengthUnits);
  return addBallOptions(
    command
      .addOption(choiceOption("--format <format>", "default: by the file's ending", importFormats))
      .option("--time <column>", "CSV: column of the time, by name or number")
      .option("--x <column>", "CSV: column of x")
      .option("--y <column>", "CSV: column of y")
      .option("--z <column>", "CSV: column of z")
      .option("--marker <column>", "CSV: column that distinguishes markers")
      .option("--only <markers>", "take these markers alone, separated by commas")
      .addOption(
        choiceOption("--time-unit <unit>", "default: as the column's name says, else s", Object.keys(timeUnits)),
      )
      .addOption(choiceOption("--unit <unit>", "default: as the column's name says, else m", units))
      .option("--scale <factor>", "true length of a metre of the file, if it was calibrated wrongly; default: 1")
      .option("--axes <axes>", "the file's axes that are the world's x, y, z: x,z,-y")
      .option("--tilt <angles>", "roll,pitch [rad] that turn the file's frame upright; after --axes")
      .option("--frame <pose>", "the file's frame in the world: x,y,z,roll,pitch,yaw [m, rad]; after --tilt")
      .option("--gravity <vector>", "acceleration of a falling ball in the file's axes: 0,0,-9.72 [m/s²]")
      .option("--sigma <length>", "standard deviation of a coordinate [m]; default: 0.003")
      .option("--latency-ms <time>", "latency from a measurement to its arrival [ms]; default: 0")
      .option("--rate <number>", "keep at most this many samples per second; default: all"),
  ).option("--flight <file>", "how balls fly there, as `flycatcher identify` has written it");
}

export function importOptions(words: ImportWords): ImportOptions {
  const { format, time, x, y, z, marker, only, timeUnit, unit, sigma, latencyMs, rate, title, gravity } = words;
  const latency = numberOf("--latency-ms", latencyMs);
  const overlay = words.flight === undefined ? undefined : readFlightOverlay(words.flight);
  return defined({
    columns: defined({ time, x, y, z, marker }),
    frame: frameOf(words),
    ball: overlay ? overlaidBall(ballOf(words) ?? defaultBall, overlay) : ballOf(words),
    tracker: overlay && overlaidTracker(overlay),
    gravity: gravity === undefined ? undefined : parseGravity(gravity),
    ...{ format, timeUnit, lengthUnit: unit },
    markers: only?.split(",").map((name) => name.trim()),
    sigma: numberOf("--sigma", sigma),
    latency: latency && latency / 1e3,
    rate: numberOf("--rate", rate),
    title,
  });
}

function frameOf({ axes, scale, tilt, frame }: ImportWords): FileFrame {
  const placed = frame === undefined ? worldFrame.worldFromFile : parseFrame(frame);
  const upright = tilt === undefined ? pose.create() : parseTilt(tilt);
  return {
    axes: axes === undefined ? worldFrame.axes : parseAxes(axes),
    scale: positive("--scale", scale) ?? 1,
    worldFromFile: pose.compose(placed, upright, pose.create()),
  };
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
