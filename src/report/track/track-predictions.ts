import { spread } from "../../catching/run-summary.js";
import { FlightStatus } from "../../flight/ball.js";
import { FlightPrediction } from "../../flight/prediction.js";
import * as cholesky from "../../math/cholesky.js";
import * as mat3 from "../../math/mat3.js";
import * as vec3 from "../../math/vec3.js";
import type { FlyingScan } from "../../run/track/track-run.js";
import type { TrackerSettings } from "../../tracking/hypotheses/tracker-options.js";
import { BallForecast } from "../../tracking/prediction/ball-forecast.js";
import type { SmoothedFlight } from "../smoothed-flight.js";
import type { HorizonReport } from "./track-types.js";

/** Flights are laid out this long at most [s]. */
const LONGEST = 3;

/** A prediction held against where the ball was. */
export interface PredictionOutcome {
  /** Nominal time ahead [s]. */
  readonly ahead: number;
  /** [m] */
  readonly error: number;
  /** Per degree of freedom. */
  readonly nees: number;
}

/** Where a ball was at a time, and how surely. */
interface KnownPlace {
  readonly time: number;
  readonly position: ArrayLike<number>;
  /** [m²], 3 × 3 */
  readonly covariance: ArrayLike<number>;
}

/** Finds where the ball was at a time [s]; null where that is not known. */
export type PlaceFinder = (time: number) => KnownPlace | null;

/** Each belief of a ball in flight, forecast so far ahead [s], against where the ball was then. */
export function judgePredictions(
  scans: readonly FlyingScan[],
  horizons: readonly number[],
  settings: TrackerSettings,
  placeAt: PlaceFinder,
): PredictionOutcome[] {
  const forecast = new BallForecast(settings, { duration: LONGEST });
  const position = vec3.create();
  const covariance = mat3.create();
  return scans.flatMap((scan) =>
    horizons.flatMap((ahead) => {
      const place = placeAt(scan.time + ahead);
      if (place === null || forecast.reset(scan.belief, place.time) !== FlightStatus.ok) return [];
      forecast.position(place.time, position);
      forecast.positionCovariance(place.time, covariance);
      const error = vec3.create(
        ...([0, 1, 2].map((n) => place.position[n]! - position[n]!) as [number, number, number]),
      );
      return [{ ahead, error: vec3.norm(error), nees: neesOf(error, covariance, place.covariance) }];
    }),
  );
}

/** The sample of the scan nearest to a time, within half a scan's interval, while the ball was still followed in flight. */
export function rawPlaces(scans: readonly FlyingScan[]): PlaceFinder {
  const seen = scans.filter(({ point }) => point !== null);
  const slack = 0.5 * medianInterval(scans) + 1e-6;
  return (time) => {
    const scan = seen[nearestIndex(seen, time)];
    if (scan === undefined || Math.abs(scan.time - time) > slack) return null;
    return { time: scan.time, position: scan.point!, covariance: scan.covariance! };
  };
}

/** The smoothed flight, as long as the ball was seen. */
export function smoothedPlaces(smoothed: SmoothedFlight, down: vec3.Vec3, until: number): PlaceFinder {
  const { state, covariance, flight } = smoothed;
  const prediction = new FlightPrediction({ duration: 8 });
  const [begin, end] = [Math.min(flight.begin, state.time), Math.max(until, state.time)];
  const isKnown = prediction.reset(state, covariance, down, begin, end) === FlightStatus.ok;
  return (time) => {
    if (!isKnown || time > until) return null;
    const position = prediction.position(time, vec3.create());
    return { time, position, covariance: prediction.positionCovariance(time, mat3.create()) };
  };
}

function medianInterval(scans: readonly FlyingScan[]): number {
  const steps = scans.slice(1).map(({ time }, k) => time - scans[k]!.time);
  return steps.sort((a, b) => a - b)[steps.length >> 1] ?? 0;
}

function nearestIndex(scans: readonly FlyingScan[], time: number): number {
  let [low, high] = [0, scans.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (scans[middle]!.time < time) low = middle + 1;
    else high = middle;
  }
  const isBelowNearer = low > 0 && (low === scans.length || time - scans[low - 1]!.time < scans[low]!.time - time);
  return isBelowNearer ? low - 1 : low;
}

function neesOf(error: vec3.Vec3, predicted: ArrayLike<number>, measured: ArrayLike<number>): number {
  const total = Float64Array.from(predicted, (value, k) => value + measured[k]!);
  if (cholesky.factor(total, 3, total) !== cholesky.MatrixStatus.ok) return Number.POSITIVE_INFINITY;
  const white = cholesky.solveLower(total, error, 3, new Float64Array(3));
  return (white[0]! ** 2 + white[1]! ** 2 + white[2]! ** 2) / 3;
}

/** What outcomes come to, for each time ahead. */
export function horizonReports(outcomes: readonly PredictionOutcome[], horizons: readonly number[]): HorizonReport[] {
  return horizons.map((ahead) => {
    const own = outcomes.filter((outcome) => outcome.ahead === ahead);
    const nees = own.reduce((sum, outcome) => sum + outcome.nees, 0) / own.length;
    return {
      ahead,
      predictions: own.length,
      errorMm: spread(own.map(({ error }) => 1e3 * error)),
      nees: own.length === 0 ? null : nees,
    };
  });
}
