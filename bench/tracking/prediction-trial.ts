import { createUncertainCrossing, FlightPrediction, type UncertainCrossing } from "../../src/flight/prediction.js";
import * as cholesky from "../../src/math/cholesky.js";
import * as vec3 from "../../src/math/vec3.js";
import { BallBelief, BELIEF_SIZE } from "../../src/tracking/filter/ball-belief.js";
import { DEFAULT_VELOCITY_SIGMA } from "../../src/tracking/filter/ball-birth.js";
import type { BallFilterOptions } from "../../src/tracking/filter/ball-filter.js";
import { BallForecast, createSurfaceCrossing } from "../../src/tracking/prediction/ball-forecast.js";
import { worldFrame } from "../../src/tracking/prediction/moving-frame.js";
import { PlaneSurface } from "../../src/tracking/prediction/surface.js";
import { CramerRaoBound } from "./cramer-rao.js";
import { PerfectAssociation } from "./perfect-association.js";
import type { SeenThrow, SightingGenerator } from "./sightings.js";

/** How a prediction made before the catch compares with the truth, with what it says of itself and with the bound. */
export interface PredictionResult {
  /** Normalised estimation error squared of the state when the prediction is made, over its dimension. */
  readonly nees: number;
  /** From the predicted to the true place of crossing the catch plane [m], and what the forecast expects (one sigma). */
  readonly placeError: number;
  readonly placeSigma: number;
  /** [s] */
  readonly timeError: number;
  readonly timeSigma: number;
  /** The Cramér–Rao bounds of the two errors. */
  readonly placeBound: number;
  readonly timeBound: number;
}

/** No forecast is wrong by more than this [s]. */
const MARGIN = 0.4;

/** Predictions of seeded throws by the filter, each circle known to be the ball's. */
export class PredictionTrial {
  readonly generator: SightingGenerator;
  readonly #run: PerfectAssociation;
  readonly #forecast: BallForecast;
  readonly #surface: PlaneSurface;
  readonly #belief = new BallBelief();
  readonly #crossing = createSurfaceCrossing();
  readonly #bound: CramerRaoBound;
  readonly #boundPrediction = new FlightPrediction();

  constructor(generator: SightingGenerator, options: BallFilterOptions = {}) {
    this.generator = generator;
    this.#bound = new CramerRaoBound(generator);
    this.#run = new PerfectAssociation(options);
    this.#forecast = new BallForecast(this.#run.filter);
    this.#surface = new PlaneSurface(generator.plane.normal, generator.plane.offset);
  }

  /** The prediction made `ahead` [s] before the true crossing, from the images exposed until then. */
  predict(seen: SeenThrow, ahead: number): PredictionResult {
    const now = seen.crossing.time - ahead;
    const latest = seen.crossing.time + MARGIN;
    this.#run.clear();
    for (const sighting of seen.sightings) if (sighting.time <= now) this.#run.see(sighting);
    this.#run.at(now, this.#belief);
    const crossing = this.#crossing;
    this.#forecast.reset(this.#belief, latest);
    if (!this.#forecast.cross(this.#surface, worldFrame, now, latest, crossing)) throw new Error("no crossing");
    const bound = this.#boundOf(seen, now);
    return {
      nees: normalizedError(this.#belief, seen, this.#run.filter.dragSigma > 0 ? 7 : 6),
      placeError: vec3.distance(crossing.position, seen.crossing.position),
      placeSigma: rootTrace(crossing.covariance),
      timeError: Math.abs(crossing.time - seen.crossing.time),
      timeSigma: crossing.timeSigma,
      placeBound: rootTrace(bound.covariance),
      timeBound: bound.timeSigma,
    };
  }

  #boundOf(seen: SeenThrow, now: number): UncertainCrossing {
    const { gravity, plane } = this.generator;
    const prior = { velocitySigma: DEFAULT_VELOCITY_SIGMA, dragSigma: this.#run.filter.dragSigma };
    const covariance = this.#bound.at(now, seen, prior);
    const position = seen.truth.position(now, vec3.create());
    const velocity = seen.truth.velocity(now, vec3.create());
    const out = createUncertainCrossing();
    const latest = seen.crossing.time + MARGIN;
    this.#boundPrediction.reset(
      { time: now, position, velocity, drag: seen.state.drag },
      covariance,
      gravity,
      now,
      latest,
    );
    if (!this.#boundPrediction.crossPlane(plane, now, latest, out)) throw new Error("no crossing");
    return out;
  }
}

/** eᵀ·P⁻¹·e / dimension of a belief whose ball is known. */
export function normalizedError(belief: BallBelief, seen: SeenThrow, dimension: 6 | 7): number {
  const position = seen.truth.position(belief.time, vec3.create());
  const velocity = seen.truth.velocity(belief.time, vec3.create());
  const truth = [...position, ...velocity, seen.state.drag];
  const error = Float64Array.from({ length: dimension }, (_, n) => truth[n]! - belief.mean[n]!);
  const factor = new Float64Array(dimension * dimension);
  for (let r = 0; r < dimension; r++) {
    for (let c = 0; c <= r; c++) factor[r * dimension + c] = belief.factor[r * BELIEF_SIZE + c]!;
  }
  cholesky.solveLower(factor, error, dimension, error);
  return error.reduce((sum, x) => sum + x * x, 0) / dimension;
}

function rootTrace(covariance: Float64Array): number {
  return Math.sqrt(covariance[0]! + covariance[4]! + covariance[8]!);
}
