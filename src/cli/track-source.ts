import { extname } from "node:path";
import { overlaidBall, overlaidTracker, readFlightOverlay } from "../calibration/flight/flight-overlay.js";
import { defaultBall } from "../flight/ball.js";
import { knownBallNames } from "../flight/known-balls.js";
import * as vec3 from "../math/vec3.js";
import { openRecording } from "../recording/format/open-recording.js";
import { parseGravity } from "../recording/import/file-frame.js";
import { readPoints } from "../recording/import/import-recording.js";
import { MemoryRecording } from "../recording/memory-recording.js";
import type { Recording } from "../recording/recording.js";
import type { LabelFinder } from "../report/track/track-report.js";
import { type TrackRun, type TrackRunOptions, trackRecording } from "../run/track/track-run.js";
import { FlycatcherError } from "../runtime/errors.js";
import { readTextFile } from "../runtime/json-file.js";
import type { TrackerOptions } from "../tracking/hypotheses/tracker-options.js";
import { AUTOMATIC, ballOf } from "./ball-options.js";
import { type ImportWords, importOptions } from "./import-options.js";
import { colourOf, isFolder, isVideo, openFolder, openVideoFile, type VideoWords } from "./video-options.js";

/** Options that say how a text is to be read; a recording needs none of them. */
const textOnly = [
  ...(["format", "time", "x", "y", "z", "marker", "only", "timeUnit", "unit", "scale", "axes", "tilt"] as const),
  ...(["frame", "sigma", "latencyMs", "rate"] as const),
];

/** How a command says what is in a file of balls. */
export type BallFileWords = ImportWords & VideoWords;

/** The balls of a file, followed, and the markers that a text file gives them. */
export interface OpenedBalls {
  readonly run: TrackRun;
  readonly labels?: LabelFinder | undefined;
}

/** Follows the balls of a recording, or of a text file as the options of `import` understand it. */
export async function openBalls(path: string, words: BallFileWords, options: TrackRunOptions): Promise<OpenedBalls> {
  const isSeen = isFolder(path) || isVideo(path, words) || extname(path).toLowerCase() === ".mcap";
  if (isSeen) return openMcap(path, words, { detector: colourOf(words), ...options });
  if (words.ball === AUTOMATIC) throw sizeless(path);
  const { header, items, markers } = readPoints(readTextFile(path), path, importOptions(words));
  const recording = new MemoryRecording(header);
  for (const item of items) recording.write(item);
  const positions = new Map(items.map(({ exposureNs, position }) => [exposureNs, position]));
  return { run: await trackRecording(recording, options), labels: markerLabels(markers, positions) };
}

async function openMcap(path: string, words: BallFileWords, options: TrackRunOptions): Promise<OpenedBalls> {
  const wrong = textOnly.find((name) => words[name] !== undefined);
  if (wrong !== undefined) {
    throw new FlycatcherError("FLY_IMPORT_OPTION", "an option for files of positions is given with a recording", {
      path: `--${wrong.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`,
      expected: "a CSV, JSON or TUM file",
      found: path,
    });
  }
  return withRecording(path, words, async (recording) => {
    const run = await trackRecording(recording, overRecording(recording, words, options));
    return { run: words.ball === AUTOMATIC ? await trackSized(recording, run, words, options) : run };
  });
}

/** A recording in a file, a video, or a folder of images. */
async function withRecording<T>(
  path: string,
  words: VideoWords,
  use: (recording: Recording) => Promise<T>,
): Promise<T> {
  if (isFolder(path)) return use(openFolder(path, words));
  if (isVideo(path, words)) return use(openVideoFile(path, words));
  const file = await openRecording(path);
  try {
    return await use(file);
  } finally {
    await file.close();
  }
}

function sizeless(path: string): FlycatcherError {
  return new FlycatcherError("FLY_BALL_UNKNOWN", "points do not tell the size of a ball", {
    path: "--ball",
    expected: knownBallNames.join(", "),
    found: `${AUTOMATIC} with ${path}`,
  });
}

/** Follows the balls again, with the size that they were seen to have. */
async function trackSized(
  recording: Recording,
  { size, ball }: TrackRun,
  words: ImportWords,
  options: TrackRunOptions,
): Promise<TrackRun> {
  if (size === null) {
    throw new FlycatcherError("FLY_BALL_UNKNOWN", "no ball was seen long enough by both cameras to tell its size", {
      path: "--ball",
      expected: knownBallNames.join(", "),
      found: AUTOMATIC,
    });
  }
  const settings = overRecording(recording, words, options);
  return trackRecording(recording, { ...settings, ball: { ...ball, diameter: size.diameter } });
}

/** What the command line says of ball and gravity, in place of what the recording says. */
function overRecording({ header }: Recording, words: ImportWords, options: TrackRunOptions): TrackRunOptions {
  const overlay = words.flight === undefined ? undefined : readFlightOverlay(words.flight);
  const gravity = words.gravity === undefined ? undefined : parseGravity(words.gravity);
  const ball = ballOf(words);
  const told: TrackerOptions = {
    ...(overlay && overlaidTracker(overlay)),
    ...(gravity && { gravity: vec3.create(gravity[0], gravity[1], gravity[2]) }),
    ...options.tracker,
  };
  return {
    ...options,
    ball: overlay ? overlaidBall(ball ?? header.ball ?? defaultBall, overlay) : ball,
    tracker: told,
  };
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
