import { gravity } from "../../src/flight/ball.js";
import { knownBalls } from "../../src/flight/known-balls.js";
import type { TrackerOptions } from "../../src/tracking/hypotheses/tracker-options.js";
import type { Metrics } from "../harness.js";
import type { FlightPrior } from "./batch-fit.js";
import { type Cell, confirmedRatio, horizonFigures, lostCount } from "./cell-figures.js";
import { playThrow } from "./flight-trial.js";
import type { RecordedThrow } from "./samples.js";

export const tableTennisHorizons = [0.1, 0.2, 0.3] as const;

/** The horizon of the metric without a time in its name [s]. */
const HORIZON = 0.2;

/** Stated noise [m]. Samples scatter by 1.5 mm, but errors of neighbours are alike: with this the batch fit is consistent. */
const SIGMA = 0.004;

/** Its sigmas of drag and lift are the spread over the flights of the tuning half. */
const ball = knownBalls["table-tennis"];

/** What the tracker is told: the ball, with how well its drag and lift are known. */
const tracker: TrackerOptions = { ball, floorHeight: -1 };

/** The peer's model: drag and lift free within their priors. */
const batch: FlightPrior = {
  drag: ball.drag,
  dragSigma: ball.dragSigma,
  liftSigma: ball.liftSigma,
  gravity: gravity(),
  gravitySigma: 0,
};

const rates = { "25 Hz": 1 / 25, "179 Hz": 0 };

/** A cell for each rate; every flight is played in `variants` phases at the lower one. */
export function measureTableTennis(flights: readonly RecordedThrow[], variants: number, seed: number): Cell[] {
  return Object.entries(rates).map(([name, interval]) => {
    const phases = interval === 0 ? 1 : variants;
    const results = flights.flatMap((recorded) =>
      Array.from({ length: phases }, (_, variant) =>
        playThrow(recorded, {
          tracker,
          batch,
          interval,
          phase: recorded.samples.time[0]! + (variant / phases) * interval,
          sigma: SIGMA,
          addedNoise: 0,
          seed: `${seed} ${recorded.name}`,
          horizons: tableTennisHorizons,
          firstMoment: 0.12,
          momentStep: 0.04,
          leastWarning: 0,
        }),
      ),
    );
    return { name, rate: interval === 0 ? 179 : 25, sigma: SIGMA, results };
  });
}

export function tableTennisMetrics(cells: readonly Cell[], suffix: string): Metrics {
  const metrics: Metrics = {};
  const all = cells.flatMap(({ results }) => results);
  metrics[`spin_error_over_batch${suffix}`] = Math.max(
    ...cells.map(({ results }) => horizonFigures(results, HORIZON).ratio),
  );
  for (const { rate, results } of cells) {
    const { ratio, nees } = horizonFigures(results, HORIZON);
    metrics[`spin_confirmed_${rate}hz${suffix}`] = confirmedRatio(results);
    metrics[`spin_error_over_batch_${rate}hz${suffix}`] = ratio;
    metrics[`spin_nees3_${rate}hz${suffix}`] = nees;
  }
  metrics[`spin_lost_in_flight${suffix}`] = lostCount(all);
  return metrics;
}
