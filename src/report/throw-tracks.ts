import { quantiles } from "../math/statistics.js";
import * as vec3 from "../math/vec3.js";
import type { BallPrediction } from "../messages/prediction.js";
import { itemsOf, type RecordedItem } from "../recording/recording.js";
import { getOrCreate } from "../runtime/get-or-create.js";
import type { FlyingBall } from "../simulation/world/catch-world.js";

/** A prediction of one ball, and when it was known [ns]. */
export interface KnownPrediction {
  readonly knownNs: number;
  readonly prediction: BallPrediction;
}

/** What the tracker said of one ball over time. */
export interface TrackHistory {
  readonly track: number;
  readonly predictions: readonly KnownPrediction[];
}

/** Farther from a ball's path a track is not of it [m]. */
const NOT_OF_BALL = 0.35;
/** A track without truth to go by counts as a throw from so many predictions on that were confirmed. */
const LEAST_CONFIRMED = 3;

/** All tracks that were ever confirmed, in order of their identities. */
export function trackHistories(made: readonly RecordedItem[]): TrackHistory[] {
  const histories = new Map<number, KnownPrediction[]>();
  for (const { balls, timeNs } of itemsOf(made, "predictions")) {
    for (const prediction of balls) {
      getOrCreate(histories, prediction.track, () => []).push({ knownNs: timeNs, prediction });
    }
  }
  return Array.from(histories, ([track, predictions]) => ({ track, predictions }))
    .filter(({ predictions }) => predictions.some(({ prediction }) => prediction.confirmed))
    .sort((a, b) => a.track - b.track);
}

/** The tracks that are of a ball whose flight is known. */
export function tracksOf(ball: FlyingBall, histories: readonly TrackHistory[]): TrackHistory[] {
  return histories.filter(({ predictions }) => {
    const distances = predictions.flatMap(({ prediction }) => distanceFrom(ball, prediction));
    return distances.length > 0 && (quantiles(distances, [0.5])[0] ?? Infinity) < NOT_OF_BALL;
  });
}

function distanceFrom({ path, released, lands }: FlyingBall, { state }: BallPrediction): number[] {
  const { time, position } = state;
  if (!(time >= released && time <= lands)) return [];
  return [vec3.distance(path.position(time, vec3.create()), position)];
}

/** Tracks that count as throws, where no truth says how many there were. */
export function thrownTracks(histories: readonly TrackHistory[]): TrackHistory[] {
  return histories.filter(
    ({ predictions }) => predictions.filter(({ prediction }) => prediction.confirmed).length >= LEAST_CONFIRMED,
  );
}

/** The state at the end of a track, as it was last seen to fly, to start a smoother from. */
export function lastState({ predictions }: TrackHistory) {
  const flying = predictions.filter(({ prediction }) => prediction.confirmed);
  const seen = flying.findLast(({ prediction }) => prediction.state.time - prediction.lastSeen < LEAST_FRAME);
  return (seen ?? flying.at(-1)!).prediction.state;
}

/** Frames are farther apart than this [s]: a state that is younger was seen. */
const LEAST_FRAME = 1e-3;

/** When a ball was first and last seen to fly [s]. */
export function seenSpan({ predictions }: TrackHistory): { from: number; until: number } {
  const flying = predictions.filter(({ prediction }) => prediction.confirmed);
  return { from: predictions[0]!.prediction.state.time - FIRST_SIGHT, until: flying.at(-1)!.prediction.lastSeen };
}

/** A track is told of from its third frame on: it was seen before, some frames of 25 Hz at most [s]. */
const FIRST_SIGHT = 0.13;
