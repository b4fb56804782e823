import { defaultBall, gravity } from "../../src/flight/ball.js";
import * as vec3 from "../../src/math/vec3.js";
import type { Metrics } from "../harness.js";
import { BatchFit, type FlightPrior } from "./batch-fit.js";
import { type Cell, confirmedRatio, falseThrows, horizonFigures, lostCount, median } from "./cell-figures.js";
import { playThrow, type TrialResult } from "./flight-trial.js";
import { MOCAP_RATE } from "./mocap-throws.js";
import { type RecordedThrow, slice } from "./samples.js";

export const mocapRates = [25, 50, 100, 300] as const;
const sigmas = [0.001, 0.003, 0.01] as const;
export const mocapHorizons = [0.2, 0.4, 0.6] as const;

/** Noise of the recording itself, from flights fitted with everything free [m]; larger sigmas are made true by noise. */
const OWN_NOISE = 0.001;

/** The recording's floor is about there [m]. */
const FLOOR = -0.2;

/** What the tracker and the batch fit are told of the flight. */
export interface MocapModel {
  readonly name: string;
  readonly gravity: vec3.Vec3;
  readonly drag: number;
}

export const plainModel: MocapModel = { name: "g = 9.81", gravity: gravity(), drag: defaultBall.drag };

/** Gravity and drag of the recording: medians over flights in which both are free. */
export function learnModel(throws: readonly RecordedThrow[]): MocapModel {
  const free: FlightPrior = { drag: 0.03, dragSigma: 0.03, liftSigma: 0, gravity: gravity(), gravitySigma: 1 };
  const fits = throws.flatMap(({ samples, begin, end }) => {
    const fit = new BatchFit();
    return fit.solve(slice(samples, begin, end), OWN_NOISE, free) ? [fit] : [];
  });
  const axis = (n: number): number => median(fits.map((fit) => fit.gravity[n]!));
  const drag = Math.max(0, median(fits.map((fit) => fit.drag)));
  return { name: "learnt g and drag", gravity: vec3.create(axis(0), axis(1), axis(2)), drag };
}

/** All cells of a model over these throws; each throw is played `variants` times, in other phases and with other noise. */
export function measureCells(
  throws: readonly RecordedThrow[],
  model: MocapModel,
  variants: number,
  momentStep: number,
  seed: number,
): Cell[] {
  return mocapRates.flatMap((rate) =>
    sigmas.map((sigma) => {
      const play = (recorded: RecordedThrow, variant: number): TrialResult =>
        playThrow(recorded, {
          tracker: {
            ball: { ...defaultBall, drag: model.drag },
            gravity: model.gravity,
            floorHeight: FLOOR,
          },
          batch: { drag: model.drag, dragSigma: 0, liftSigma: 0, gravity: model.gravity, gravitySigma: 0 },
          interval: 1 / rate,
          phase: Math.floor((variant * MOCAP_RATE) / rate / variants) / MOCAP_RATE,
          sigma,
          addedNoise: sigma > OWN_NOISE ? Math.sqrt(sigma ** 2 - OWN_NOISE ** 2) : 0,
          seed: `${seed} ${recorded.name} ${variant}`,
          horizons: mocapHorizons,
          firstMoment: 0.12,
          momentStep,
          leastWarning: 0.2,
        });
      const results = throws.flatMap((recorded) => Array.from({ length: variants }, (_, v) => play(recorded, v)));
      return { name: `${rate} Hz ${1e3 * sigma} mm`, rate, sigma, results };
    }),
  );
}

/** The figures of the issue; `suffix` tells other models and halves apart. */
export function mocapMetrics(cells: readonly Cell[], suffix: string): Metrics {
  const metrics: Metrics = {};
  for (const rate of mocapRates) {
    const ratios = cells.filter((cell) => cell.rate === rate).map(({ results }) => confirmedRatio(results));
    metrics[`confirmed_${rate}hz${suffix}`] = Math.min(...ratios);
  }
  const all = cells.flatMap(({ results }) => results);
  for (const horizon of mocapHorizons) {
    const name = `${String(horizon).replace(".", "")}s${suffix}`;
    const figures = horizonFigures(all, horizon);
    const each = cells.map(({ results }) => horizonFigures(results, horizon)).filter(({ count }) => count > 0);
    metrics[`error_over_batch_${name}`] = figures.ratio;
    metrics[`error_over_batch_${name}_worst`] = Math.max(...each.map(({ ratio }) => ratio));
    metrics[`nees3_${name}`] = figures.nees;
    metrics[`nees3_${name}_min`] = Math.min(...each.map(({ nees }) => nees));
    metrics[`nees3_${name}_max`] = Math.max(...each.map(({ nees }) => nees));
  }
  metrics[`lost_in_flight${suffix}`] = lostCount(all);
  metrics[`false_while_held${suffix}`] = falseThrows(all);
  return metrics;
}
