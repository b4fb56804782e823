import { basename, extname } from "node:path";
import { type Ball, defaultBall } from "../../flight/ball.js";
import * as pose from "../../math/pose.js";
import * as vec3 from "../../math/vec3.js";
import { FlycatcherError } from "../../runtime/errors.js";
import { readTextFile } from "../../runtime/json-file.js";
import { packageVersion } from "../../runtime/package-root.js";
import type { TrackerOptions } from "../../tracking/hypotheses/tracker-options.js";
import { RecordingWriter } from "../format/recording-writer.js";
import type { ByteSink } from "../mcap/byte-sink.js";
import { type ItemOf, RECORDING_VERSION, type RecordingHeader } from "../recording.js";
import { type ColumnChoice, readCsv } from "./csv-samples.js";
import { directionInWorld, type FileFrame, parseAxes } from "./file-frame.js";
import { readJson } from "./json-samples.js";
import { medianRate, type PointOptions, pointItems } from "./point-items.js";
import type { SampleTable } from "./samples.js";
import { readTum } from "./tum-samples.js";

export const importFormats = ["csv", "json", "tum"] as const;
export type ImportFormat = (typeof importFormats)[number];

/**
 * How to understand a file of 3-D points. By default units are as the names of the columns say, else seconds and metres, and the
 * file's frame is the world.
 */
export interface ImportOptions extends Partial<PointOptions> {
  /** Default: by the file's ending; .txt and .tum are TUM's. */
  readonly format?: ImportFormat;
  readonly columns?: ColumnChoice;
  /** Only these markers. */
  readonly markers?: readonly string[];
  readonly ball?: Ball;
  /** Acceleration of a falling ball in the file's axes [m/s²]; default: 9.81 m/s² downwards in the world. */
  readonly gravity?: readonly number[];
  /** What else the tracker is told of these balls. */
  readonly tracker?: TrackerOptions | undefined;
  readonly title?: string;
}

/** A file as the content of a recording. */
export interface ImportedFile {
  readonly header: RecordingHeader;
  readonly items: readonly ItemOf<"points">[];
  readonly summary: ImportSummary;
  /** Markers of the points of each item, by its exposure [ns], in the points' order. */
  readonly markers: ReadonlyMap<number, readonly string[]>;
}

/** What was imported. */
export interface ImportSummary {
  readonly samples: number;
  /** Times in the recording: several markers at once are one, and some may have been left out. */
  readonly times: number;
  /** Samples that were not seen. */
  readonly missing: number;
  readonly markers: readonly string[];
  /** First and last time in the recording [s]. */
  readonly from: number;
  readonly to: number;
  /** Times a second in the median, of those kept; null of a single one. */
  readonly rate: number | null;
  /** The file's time that became zero [s]. */
  readonly zero: number;
}

/** Motion capture is good to some millimetres; the tracker needs a number. */
const DEFAULT_SIGMA = 0.003;

export const worldFrame: FileFrame = { axes: parseAxes("x,y,z"), scale: 1, worldFromFile: pose.create() };

/**
 * Makes a recording of somebody else's 3-D points: motion capture, or the output of a camera system. Replay then runs tracker
 * and planner on them.
 *
 * @param target Path of the recording, or where its bytes go.
 */
export async function importRecording(
  file: string,
  target: string | ByteSink,
  options: ImportOptions = {},
): Promise<ImportSummary> {
  return importText(readTextFile(file), file, target, options);
}

/** The same of a text that is at hand; `file` names it in messages. */
export async function importText(
  text: string,
  file: string,
  target: string | ByteSink,
  options: ImportOptions = {},
): Promise<ImportSummary> {
  const { header, items, summary } = readPoints(text, file, options);
  const writer = await RecordingWriter.create(target, header);
  try {
    for (const item of items) writer.write(item);
  } finally {
    writer.close();
  }
  return summary;
}

/** What a text holds, as it would be in a recording. */
export function readPoints(text: string, file: string, options: ImportOptions = {}): ImportedFile {
  const table = readTable(text, file, options);
  const { markers } = options;
  const samples = table.samples.filter(({ marker }) => markers?.includes(marker) ?? true);
  if (!samples.some(({ position }) => position !== null)) {
    const found = Array.from(new Set(table.samples.map(({ marker }) => marker))).join(", ");
    throw new FlycatcherError("FLY_IMPORT_NOTHING", "there is nothing to import", { path: file, found });
  }
  const { items, zero, labels } = pointItems(samples, file, pointOptions(table, options));
  const summary = {
    samples: samples.length,
    times: items.length,
    missing: samples.filter(({ position }) => position === null).length,
    markers: Array.from(new Set(samples.map(({ marker }) => marker))).filter((marker) => marker !== ""),
    from: items[0]!.exposureNs / 1e9,
    to: items.at(-1)!.exposureNs / 1e9,
    rate: medianRate(items),
    zero,
  };
  return { header: headerOf(file, zero, options), items, summary, markers: labels };
}

function readTable(text: string, file: string, { format, columns }: ImportOptions): SampleTable {
  switch (format ?? formatOf(file)) {
    case "csv":
      return readCsv(text, file, columns);
    case "json":
      return readJson(text, file);
    case "tum":
      return readTum(text, file);
  }
}

const formatsByEnding: Readonly<Record<string, ImportFormat>> = {
  ".csv": "csv",
  ".tsv": "csv",
  ".json": "json",
  ".txt": "tum",
  ".tum": "tum",
};

function formatOf(file: string): ImportFormat {
  const format = formatsByEnding[extname(file).toLowerCase()];
  if (format !== undefined) return format;
  throw new FlycatcherError("FLY_IMPORT_OPTION", "the file's kind is not known by its ending", {
    path: "--format",
    expected: importFormats.join(", "),
    found: extname(file),
  });
}

function pointOptions({ timeUnit, lengthUnit }: SampleTable, options: ImportOptions): PointOptions {
  const { sigma = DEFAULT_SIGMA, latency = 0, frame = worldFrame, rate = Number.POSITIVE_INFINITY } = options;
  if (!(sigma > 0 && Number.isFinite(sigma))) throw outOfRange("--sigma", "a length above 0 [m]", sigma);
  if (!(latency >= 0 && latency < 10)) throw outOfRange("--latency", "0 to 10 [s]", latency);
  if (!(rate > 0)) throw outOfRange("--rate", "above 0 [1/s]", rate);
  if (!(frame.scale > 0 && frame.scale < 1e6)) throw outOfRange("--scale", "above 0", frame.scale);
  return {
    timeUnit: options.timeUnit ?? timeUnit ?? "s",
    lengthUnit: options.lengthUnit ?? lengthUnit ?? "m",
    frame,
    sigma,
    latency,
    rate,
  };
}

function outOfRange(path: string, expected: string, found: number): FlycatcherError {
  return new FlycatcherError("FLY_IMPORT_OPTION", "a number is out of range", { path, expected, found: String(found) });
}

/** Times since 1970 are told by their size [s]: 2001 and later. */
const UTC_SINCE = 1e9;

function headerOf(file: string, zero: number, options: ImportOptions): RecordingHeader {
  const { ball, title, gravity, tracker, frame = worldFrame } = options;
  const down = gravity && directionInWorld(frame, gravity, vec3.create());
  const told: TrackerOptions = { ...tracker, ...(down !== undefined && { gravity: down }) };
  return {
    formatVersion: RECORDING_VERSION,
    software: { name: "flycatcher", version: packageVersion },
    startedAt: zero >= UTC_SINCE ? new Date(1e3 * zero).toISOString() : null,
    clock: "real-time",
    title: title ?? basename(file),
    labels: ["imported"],
    robot: null,
    perception: "points",
    world: "real",
    seed: null,
    ball: ball ?? defaultBall,
    run: null,
    configuration: null,
    readings: null,
    jointPeriodNs: null,
    ...(Object.keys(told).length > 0 && { tracker: told }),
  };
}
