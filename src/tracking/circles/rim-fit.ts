import { CIRCLE_SIZE } from "./circle-set.js";
import { DiscSurface } from "./disc-surface.js";
import { EdgeWidth } from "./edge-width.js";
import { NOTHING_HIDDEN } from "./hidden-sector.js";
import type { LevelImage } from "./level-image.js";
import { MAX_RAYS, type OutlineShape } from "./outline-shape.js";
import { FittedCircle, UNKNOWNS } from "./outline-solver.js";
import { RimEdges } from "./rim-edges.js";

/** At least and at most so many rounds; between them a step below this ends the fit [px]. */
const LEAST_ROUNDS = 3;
const MOST_ROUNDS = 12;
const SETTLED = 0.02;
/** Variance of the edge to begin with [px²]. */
const FIRST_VARIANCE = 1;
/** The light is taken no further out than this part of the radius, nor nearer to the edge than this [px], but at least so far. */
const OUTERMOST = 0.88;
const LEAST_OUTERMOST = 0.5;
const EDGE_MARGIN = 0.5;
/** Standard deviation of the outline's elliptic deviation from what the camera says, relative to the radius. */
const ROUNDNESS = 0.001;
/** The same where no camera says anything. */
const UNKNOWN_ROUNDNESS = 0.03;
/** Least scale of the residuals, relative to what their rays expect. */
const LEAST_SCALE = 0.5;
/** A fit whose radius changes by more than this factor is of something else. */
const MOST_GROWTH = 1.6;
/** How many rays to both sides are taken to err alike: they may see the same edge in the background. */
const CORRELATED_RAYS = 4;
/**
 * How much the two estimates of the covariance count, and the model's own error relative to half-width² / radius: those
 * under which the true errors in rendered rooms, and of discs before an even background, are most likely.
 */
const SCATTER_SHARE = 1.35;
const RESIDUAL_SHARE = 2.85;
const MODEL_ERROR = 0.02;
/**
 * Where the background has drawn the rim to itself the rays agree, and their scatter says nothing. Two things do: the light
 * of a ball leaves more inside than the noise of bilinear samples, as a part of the pixels', and the fit is long in settling.
 * The covariance grows by a power of the one, up to a limit, and with the other: the likeliest in rendered rooms. Beyond the limit the light
 * is a print's or a highlight's, for which each ray has an offset of its own.
 */
const SAMPLE_NOISE = 0.5;
const UNEVENNESS_POWER = 3;
const MOST_UNEVENNESS_INFLATION = 1.5;
/** A light that leaves less than this is clipped, at white or black; so much less is then known. */
const CLIPPED_NOISE = 0.2;
const CLIPPED_INFLATION = 2.4;

/**
 * The last fit of a circle that is a ball: in turns the light on it, the width of its blurred edge, and centre and radius
 * from the edge on the rays around it, each weighed by how well it is known.
 */
export class RimFit extends FittedCircle {
  /** Of (u, v, r), 3 × 3 [px²]. */
  readonly covariance = new Float64Array(CIRCLE_SIZE * CIRCLE_SIZE);
  /** What the light of a ball leaves unexplained inside [gray²]. */
  residualVariance = Number.NaN;
  readonly #surface = new DiscSurface();
  readonly #width = new EdgeWidth();
  readonly #edges = new RimEdges();
  /** [rays × 3] */
  readonly #influence = new Float64Array(MAX_RAYS * CIRCLE_SIZE);

  /** Fits from (u, v, r) on. False if no circle is left. */
  run(image: LevelImage, u: number, v: number, r: number, shape: OutlineShape, noiseVariance: number): boolean {
    this.begin(u, v, r);
    this.#width.reset(FIRST_VARIANCE);
    const roundness = shape.isKnown ? ROUNDNESS : UNKNOWN_ROUNDNESS;
    let round = 0;
    for (; round < MOST_ROUNDS; round++) {
      if (round > 0) this.#width.update(this.#edges, this.r);
      const points = round === 0 ? "all" : "explained";
      this.#surface.fit(image, this, shape, this.#outermost(), noiseVariance, NOTHING_HIDDEN, points);
      this.#edges.measure(image, this, shape, this.#surface, this.#width, noiseVariance);
      if (!this.solver.solve(this.#edges, LEAST_SCALE, (roundness * this.r) ** -2)) return false;
      this.move();
      if (!this.isNear(u, v, r, r / MOST_GROWTH, r * MOST_GROWTH)) return false;
      if (round >= LEAST_ROUNDS - 1 && this.hasSettled(SETTLED)) break;
    }
    this.residualVariance = this.#surface.residualVariance;
    this.#estimateCovariance();
    this.#inflate(this.residualVariance / noiseVariance, Math.min(round + 1, MOST_ROUNDS));
    return true;
  }

  /** As far out as the blurred edge leaves the light alone. */
  #outermost(): number {
    const most = 1 - (this.#width.greatestHalf + EDGE_MARGIN) / this.r;
    return Math.min(OUTERMOST, Math.max(LEAST_OUTERMOST, most));
  }

  /**
   * Part of it as least squares have it for the scatter there is; and part from the residuals themselves, ray by ray,
   * whatever their distribution (White), where neighbouring rays err together (Newey and West).
   */
  #estimateCovariance(): void {
    const { count } = this.#edges;
    const { scale, inverse, residual } = this.solver;
    const covariance = this.covariance;
    this.solver.invert();
    this.#fillInfluence();
    const model = (MODEL_ERROR * this.#width.greatestHalf ** 2) / this.r;
    for (let i = 0; i < CIRCLE_SIZE; i++) {
      for (let j = 0; j < CIRCLE_SIZE; j++) {
        const bySquares = SCATTER_SHARE * scale * scale * inverse[i * UNKNOWNS + j]!;
        covariance[i * CIRCLE_SIZE + j] = bySquares + (i === j ? model * model : 0);
      }
    }
    for (let lag = 0; lag <= CORRELATED_RAYS; lag++) {
      const share = RESIDUAL_SHARE * (1 - lag / (CORRELATED_RAYS + 1));
      for (let k = 0; k < count; k++) {
        const other = (k + lag) % count;
        const product = share * residual[k]! * residual[other]!;
        this.#addProducts(k, other, lag === 0 ? 0.5 * product : product);
      }
    }
  }

  /** @param unevenness What the light leaves, as a part of the noise's variance. */
  #inflate(unevenness: number, rounds: number): void {
    const byUnevenness = Math.max(1, unevenness / SAMPLE_NOISE) ** UNEVENNESS_POWER;
    const byLight = unevenness < CLIPPED_NOISE ? CLIPPED_INFLATION : Math.min(MOST_UNEVENNESS_INFLATION, byUnevenness);
    const inflation = byLight * (rounds / LEAST_ROUNDS);
    for (let i = 0; i < this.covariance.length; i++) this.covariance[i] = inflation * this.covariance[i]!;
  }

  /** How much a ray's shift moves each of u, v, r. */
  #fillInfluence(): void {
    const { cos, sin, distance, count } = this.#edges;
    const { inverse, weight } = this.solver;
    for (let k = 0; k < count; k++) {
      const c = cos[k]!;
      const s = sin[k]!;
      for (let i = 0; i < CIRCLE_SIZE; i++) {
        const at = i * UNKNOWNS;
        const shape = inverse[at + 3]! * (c * c - s * s) + inverse[at + 4]! * 2 * c * s;
        const sum = inverse[at]! * c + inverse[at + 1]! * s + inverse[at + 2]! * distance[k]! + shape;
        this.#influence[k * CIRCLE_SIZE + i] = weight[k]! * sum;
      }
    }
  }

  /** Adds factor · (a bᵀ + b aᵀ) for the influences a and b of two rays. */
  #addProducts(k: number, other: number, factor: number): void {
    const influence = this.#influence;
    const covariance = this.covariance;
    for (let i = 0; i < CIRCLE_SIZE; i++) {
      for (let j = 0; j < CIRCLE_SIZE; j++) {
        const one = influence[k * CIRCLE_SIZE + i]! * influence[other * CIRCLE_SIZE + j]!;
        const two = influence[other * CIRCLE_SIZE + i]! * influence[k * CIRCLE_SIZE + j]!;
        covariance[i * CIRCLE_SIZE + j] = covariance[i * CIRCLE_SIZE + j]! + factor * (one + two);
      }
    }
  }
}
