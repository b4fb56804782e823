import type { MeasuredFlight } from "../../calibration/flight/joint-flights.js";
import * as vec3 from "../../math/vec3.js";
import type { TrackedBall, TrackRun } from "../../run/track/track-run.js";
import { beliefState } from "../../tracking/filter/ball-belief.js";
import { FlightSmoother, type SeenPosition } from "../smoothed-flight.js";

/** How long before its confirmation a ball may have been released [s]. */
const BEFORE = 0.6;

/** The flights of all balls that were confirmed in a recording, as positions: of points, or of pairs of circles. */
export function measuredFlights(run: TrackRun, rate: number): MeasuredFlight[] {
  const smoother = new FlightSmoother(run.ball, run.settings.gravity);
  return run.balls.flatMap((ball) => measuredFlight(run, ball, smoother, rate));
}

/** Nothing of a ball whose flight cannot be smoothed. Samples before the confirmation count as far as they are near. */
function measuredFlight(run: TrackRun, ball: TrackedBall, smoother: FlightSmoother, rate: number): MeasuredFlight[] {
  const [first, last] = [ball.scans[0]!, ball.scans.at(-1)!];
  const start = { time: 0, position: vec3.create(), velocity: vec3.create(), drag: 0 };
  const span = { from: first.time, until: last.time };
  const smoothed = smoother.smooth(run.frames, beliefState(last.belief, start), span);
  if (smoothed === null) return [];
  const seen = smoother.collect(run.frames, smoothed.state, { from: first.time - BEFORE, until: last.time });
  return [flightOf(thinned(seen, rate))];
}

/** Of each period of `rate` [1/s] the first: errors of neighbours at high rates are alike. */
function thinned(seen: readonly SeenPosition[], rate: number): readonly SeenPosition[] {
  const period = ({ time }: SeenPosition): number => Math.floor(time * rate + 1e-3);
  return seen.filter((sample, k) => k === 0 || period(sample) > period(seen[k - 1]!));
}

function flightOf(seen: readonly SeenPosition[]): MeasuredFlight {
  return {
    time: Float64Array.from(seen, ({ time }) => time),
    position: Float64Array.from(seen.flatMap(({ position }) => [...position])),
    variance: Float64Array.from(seen.flatMap(({ covariance }) => [covariance[0], covariance[4], covariance[8]])),
  };
}
