import { BallBelief } from "../../src/tracking/filter/ball-belief.js";
import { BallBirth } from "../../src/tracking/filter/ball-birth.js";
import { BallFilter } from "../../src/tracking/filter/ball-filter.js";
import { CirclePrediction, StereoPrediction } from "../../src/tracking/filter/circle-prediction.js";
import { type BenchContext, type Metrics, percentiles, timeMicroseconds } from "../harness.js";
import { type PredictionResult, PredictionTrial } from "./prediction-trial.js";
import { SightingGenerator, type SightingOptions } from "./sightings.js";

/** How long before the catch predictions are made [ms]. */
const AHEAD = [600, 400, 200, 100] as const;

/** The 99 % bounds 0.86–1.16 of the consistency ratio are those of 100 throws. */
const THROWS = 100;

/** Prefix of the metrics, and what the throws are seen with. The robot's own cameras, head at rest, have none. */
const settings: readonly (readonly [prefix: string, options: SightingOptions])[] = [
  ["", {}],
  ["hd_", { scale: 2 }],
  ["follow_", { gaze: "following" }],
  ["follow_hd_", { gaze: "following", scale: 2 }],
];

/**
 * The filter on perfect associations, 100 seeded throws at 25 Hz seen by Agile Justin's head: error of the predicted
 * place and time of passing the catch plane, the filter's consistency and how near it comes to the Cramér–Rao bound.
 * Circles have σ = 0.2 px in the centre and 0.15 px in the radius, the head's pose 0.2 mm and 0.2 mrad in each frame.
 * `hd_` is with images of 1600 × 1200, `follow_` with a head that keeps the ball in view. `nees_ratio` is the mean of the
 * four times, `efficiency_vs_crb` the worst of them: rms error against the rms of the bounds.
 */
export function measureFilter({ seed, progress }: BenchContext): Metrics {
  const metrics: Metrics = {};
  for (const [prefix, options] of settings) {
    progress(`filter: predictions ${prefix}`);
    const generator = new SightingGenerator(seed, options);
    const trial = new PredictionTrial(generator);
    const throws = Array.from({ length: THROWS }, (_, id) => generator.make(id));
    const results = AHEAD.map((ms) => throws.map((seen) => trial.predict(seen, ms / 1000)));
    Object.assign(metrics, summarizeAll(prefix, results));
  }
  progress("filter: times");
  return { ...metrics, ...measureTimes(seed) };
}

function summarizeAll(prefix: string, results: readonly (readonly PredictionResult[])[]): Metrics {
  const out: Metrics = {};
  const ratios: number[] = [];
  const efficiencies: number[] = [];
  for (const [k, of] of results.entries()) {
    const name = `${AHEAD[k]}ms`;
    const place = rms(of.map(({ placeError }) => placeError));
    const ratio = mean(of.map(({ nees }) => nees));
    const efficiency = place / rms(of.map(({ placeBound }) => placeBound));
    out[`${prefix}pred_cm_rms_${name}`] = 100 * place;
    out[`${prefix}pred_cm_sigma_${name}`] = 100 * rms(of.map(({ placeSigma }) => placeSigma));
    out[`${prefix}pred_ms_rms_${name}`] = 1000 * rms(of.map(({ timeError }) => timeError));
    out[`${prefix}nees_ratio_${name}`] = ratio;
    out[`${prefix}efficiency_vs_crb_${name}`] = efficiency;
    ratios.push(ratio);
    efficiencies.push(efficiency);
  }
  out[`${prefix}nees_ratio`] = mean(ratios);
  out[`${prefix}efficiency_vs_crb`] = Math.max(...efficiencies);
  // In the rms of a column the few throws that are seen least count most; here every throw counts the same.
  const shares = results.flat().map(({ placeError, placeBound }) => placeError / placeBound);
  out[`${prefix}efficiency_vs_crb_per_throw`] = rms(shares);
  return out;
}

/** Prediction over 40 ms with a stereo update, and the comparison of one circle with what is expected. */
function measureTimes(seed: number): Metrics {
  const generator = new SightingGenerator(seed);
  const { sightings } = generator.make(0);
  const filter = new BallFilter();
  const first = new BallBelief();
  const belief = new BallBelief();
  const pair = new StereoPrediction();
  const circle = new CirclePrediction();
  const [a, b] = [sightings[0]!, sightings[1]!];
  new BallBirth(filter).fromStereo(a.left, a.leftCircles, 0, a.right, a.rightCircles, 0, first);
  const update = (): void => {
    filter.predict(first, b.time, belief);
    filter.predictStereo(belief, b.left, b.right, pair);
    filter.updateStereo(belief, pair, b.leftCircles, 0, b.rightCircles, 0, belief);
  };
  filter.predict(first, b.time, belief);
  filter.predictCircle(belief, b.left, circle);
  const gate = (): void => {
    filter.gateCircle(circle, b.leftCircles, 0);
  };
  return {
    ...percentiles("filter_gate_us", timeMicroseconds(gate, { samples: 2000, batch: 100 })),
    ...percentiles("filter_update_us", timeMicroseconds(update, { samples: 2000, batch: 10 })),
  };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function rms(values: readonly number[]): number {
  return Math.sqrt(mean(values.map((value) => value * value)));
}
