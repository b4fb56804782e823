import * as vec3 from "../../math/vec3.js";
import type { TrackedBall, TrackRun } from "../../run/track/track-run.js";
import { packageVersion } from "../../runtime/package-root.js";
import { flyingBallOf } from "../../simulation/true-flight.js";
import { beliefState } from "../../tracking/filter/ball-belief.js";
import { misfitSentence } from "../flight-misfit.js";
import { triple } from "../prediction-errors.js";
import { FlightSmoother, type SmoothedFlight } from "../smoothed-flight.js";
import {
  horizonReports,
  judgePredictions,
  type PredictionOutcome,
  rawPlaces,
  smoothedPlaces,
} from "./track-predictions.js";
import type { IdentityReport, TrackedBallReport, TrackFileReport, TrackReport, TruthKind } from "./track-types.js";

const TRACK_REPORT_VERSION = 1;

/** Times ahead at which predictions are compared [s]. */
export const usualHorizons: readonly number[] = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8];

/** Farther from a true ball nothing is of it [m]. */
const NOT_OF_BALL = 0.35;

/** Which ball is at a place [m] at a time [s]; null: none is known there. */
export type LabelFinder = (time: number, position: ArrayLike<number>) => string | null;

export interface TrackReportOptions {
  /** How the recording is called. */
  readonly file: string;
  /** Default: raw of points, smoothed of circles and images. */
  readonly truth?: TruthKind | undefined;
  readonly horizons?: readonly number[] | undefined;
  /** Labels of the file's own; default: the true flights of the recording, if it has any. */
  readonly labels?: LabelFinder | undefined;
}

export function trackReport(files: readonly TrackFileReport[]): TrackReport {
  return { version: TRACK_REPORT_VERSION, software: `flycatcher ${packageVersion}`, files };
}

/** All there is to say of the balls of one recording. */
export function trackFileReport(run: TrackRun, options: TrackReportOptions): TrackFileReport {
  const { header, settings, ball, problems, input, from, until, events } = run;
  const truth = options.truth ?? (input === "points" ? "raw" : "smoothed");
  const horizons = options.horizons ?? usualHorizons;
  const labels = options.labels ?? trueLabels(run);
  const judged = run.balls.map((tracked) => judgeBall(run, tracked, input === "points" ? truth : "smoothed", horizons));
  return {
    file: options.file,
    title: header.title,
    input,
    truth: input === "points" ? truth : "smoothed",
    ball,
    gravity: triple(settings.gravity),
    from,
    until,
    problems,
    born: events.filter(({ event }) => event.code === "track-born").length,
    balls: run.balls.map((tracked, k) => ballReport(run, tracked, judged[k]!, horizons, labels)),
    horizons: horizonReports(
      judged.flatMap(({ outcomes }) => outcomes),
      horizons,
    ),
    warnings: [
      ...events.flatMap(({ time, event }) =>
        event.severity === "warning" || event.severity === "error" ? [`${time.toFixed(3)} s: ${event.text}`] : [],
      ),
      ...run.balls.flatMap(({ track }, k) => misfitSentence(`ball ${track}`, judged[k]!.smoothed) ?? []),
    ],
  };
}

interface JudgedBall {
  readonly smoothed: SmoothedFlight | null;
  readonly outcomes: readonly PredictionOutcome[];
}

function judgeBall(run: TrackRun, { scans }: TrackedBall, truth: TruthKind, horizons: readonly number[]): JudgedBall {
  const { settings, ball, frames } = run;
  const [first, last] = [scans[0]!, scans.at(-1)!];
  const start = { time: 0, position: vec3.create(), velocity: vec3.create(), drag: 0 };
  const smoother = new FlightSmoother(ball, settings.gravity);
  const span = { from: first.time, until: last.time };
  const smoothed = smoother.smooth(frames, beliefState(last.belief, start), span);
  if (truth === "raw") return { smoothed, outcomes: judgePredictions(scans, horizons, settings, rawPlaces(scans)) };
  if (smoothed === null) return { smoothed, outcomes: [] };
  const places = smoothedPlaces(smoothed, settings.gravity, last.time);
  return { smoothed, outcomes: judgePredictions(scans, horizons, settings, places) };
}

function ballReport(
  { events }: TrackRun,
  { track, bornAt, confirmedAt, scans }: TrackedBall,
  { smoothed, outcomes }: JudgedBall,
  horizons: readonly number[],
  labels: LabelFinder | null,
): TrackedBallReport {
  const { mean } = scans[0]!.belief;
  const ends = new Set(["track-landed", "track-lost", "track-rejected"]);
  const end = events.find(({ event, time }) => event.track === track && time >= confirmedAt && ends.has(event.code));
  return {
    track,
    bornAt,
    confirmedAt,
    until: scans.at(-1)!.time,
    speed: Math.hypot(mean[3]!, mean[4]!, mean[5]!),
    scans: scans.length,
    ended: end?.event.text ?? null,
    identity: labels === null ? null : identityOf(scans, labels),
    chiSquare: smoothed === null ? null : smoothed.chiSquare / Math.max(1, smoothed.degreesOfFreedom),
    horizons: horizonReports(outcomes, horizons),
    path: scans.map(({ time, belief }) => [time, ...triple(belief.mean)] as const),
  };
}

function identityOf(scans: TrackedBall["scans"], labels: LabelFinder): IdentityReport {
  const found = scans.flatMap(({ time, belief, point }) => labels(time, point ?? belief.mean) ?? []);
  const counts: Record<string, number> = {};
  for (const label of found) counts[label] = (counts[label] ?? 0) + 1;
  return { labels: counts, switches: found.filter((label, k) => k > 0 && label !== found[k - 1]).length };
}

/** The true ball that is nearest; null of a recording without truth. */
function trueLabels({ truth }: TrackRun): LabelFinder | null {
  if (truth.length === 0) return null;
  const balls = truth.map((item) => ({ label: `ball ${item.ball}`, ...flyingBallOf(item) }));
  const position = vec3.create();
  return (time, place) => {
    let [nearest, least]: [string | null, number] = [null, NOT_OF_BALL];
    for (const { label, path, released, lands } of balls) {
      if (!(time >= released && time <= lands)) continue;
      path.position(time, position);
      const away = Math.hypot(position[0] - place[0]!, position[1] - place[1]!, position[2] - place[2]!);
      if (away < least) [nearest, least] = [label, away];
    }
    return nearest;
  };
}
