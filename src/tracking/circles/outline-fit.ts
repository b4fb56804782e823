import { CIRCLE_SIZE } from "./circle-set.js";
import type { DiscSurface } from "./disc-surface.js";
import type { LevelImage } from "./level-image.js";
import type { OutlineShape } from "./outline-shape.js";
import { OutlineSolver, UNKNOWNS } from "./outline-solver.js";
import { MAX_RAYS, RadialEdges } from "./radial-edges.js";

export interface FitSettings {
  /** Rounds of measuring edges and moving the circle. */
  readonly rounds: number;
  /** How far from the outline to look [px]: as a part of the radius, and at least. */
  readonly reachPerRadius: number;
  readonly leastReach: number;
  /** Of the samples along a ray [px]. */
  readonly spacing: number;
}

/** Looking further than this part of the radius inwards would meet the other side. */
const MOST_REACH = 0.7;
/** A fit that moves further than this, relative to the radius it began with, is of something else. */
const MOST_SHIFT = 0.5;
const LEAST_GROWTH = 0.6;
const MOST_GROWTH = 1.6;
/** How many rays to both sides are taken to err alike: they may see the same edge in the background. */
const CORRELATED_RAYS = 3;
/** Part of the squared difference between the fits by area and by slope that is taken for variance. */
const DISAGREEMENT = 0.5;
/** Least variance of an edge's place [px²]. */
const LEAST_VARIANCE = 0.05 ** 2;
/** Error of the model itself: shading, what a pixel does to an edge [px²]; and blur, relative to the edge's width squared. */
const MODEL_VARIANCE = 0.02 ** 2;
const BLUR_VARIANCE = 0.04 ** 2;

/**
 * Moves a circle onto the edge around it: a robust least-squares fit of centre, radius and a small elliptic deviation to
 * the edge's crossings with rays from the centre.
 */
export class OutlineFit {
  u = 0;
  v = 0;
  r = 0;
  /** Semi-axes' deviation from the expected shape, relative to the radius. */
  ellipticity = 0;
  /** Robust standard deviation of the edge about the fit [px]. */
  spread = 0;
  /** Part of the outline, 0 to 1, that has a clear edge where the fit has it. */
  support = 0;
  /** Mean height of the edge, up or down [gray]. */
  step = 0;
  /** Of (u, v, r), 3 × 3 [px²]. */
  readonly covariance = new Float64Array(CIRCLE_SIZE * CIRCLE_SIZE);
  readonly #edges = new RadialEdges();
  readonly #solver = new OutlineSolver();
  /** The circle (u, v, r) by area alone. */
  readonly #byArea = new Float64Array(CIRCLE_SIZE);
  /** How much a ray moves each of u, v, r. [rays × 3] */
  readonly #influence = new Float64Array(MAX_RAYS * CIRCLE_SIZE);

  /** Fits from (u, v, r) on. False if no circle is left: it ran away, shrank to nothing or has no edge. */
  run(
    image: LevelImage,
    u: number,
    v: number,
    r: number,
    shape: OutlineShape,
    noiseVariance: number,
    settings: FitSettings,
  ): boolean {
    this.u = u;
    this.v = v;
    this.r = r;
    for (let round = 0; round < settings.rounds; round++) {
      const reach = this.#reach(settings);
      const rays = raysFor(this.r);
      this.#edges.measure(image, this.u, this.v, this.r, shape, rays, reach, settings.spacing, noiseVariance, null);
      if (!this.#solver.solve(this.#edges, this.r, reach)) return false;
      this.#move();
      if (!this.#isNear(u, v, r)) return false;
    }
    this.#assess();
    return true;
  }

  /**
   * Goes on from `run` with the light on the disc known: first by the area, which leads to the outline even where the dark
   * side of a ball fades into the background, then by the slope, which is sharper.
   */
  refine(
    image: LevelImage,
    shape: OutlineShape,
    surface: DiscSurface,
    noiseVariance: number,
    settings: FitSettings,
  ): boolean {
    const { u, v, r } = this;
    for (let round = 0; round < 2 * settings.rounds; round++) {
      const reach = this.#reach(settings);
      const rays = raysFor(this.r);
      surface.fit(image, this.u, this.v, this.r);
      if (round < settings.rounds) {
        this.#edges.measureArea(image, this.u, this.v, this.r, shape, surface, rays, reach, noiseVariance);
      } else {
        const { spacing } = settings;
        this.#edges.measure(image, this.u, this.v, this.r, shape, rays, reach, spacing, noiseVariance, surface);
      }
      if (!this.#solver.solve(this.#edges, this.r, reach)) return false;
      this.#move();
      if (!this.#isNear(u, v, r)) return false;
      if (round === settings.rounds - 1) this.#remember();
    }
    return true;
  }

  #remember(): void {
    this.#byArea[0] = this.u;
    this.#byArea[1] = this.v;
    this.#byArea[2] = this.r;
  }

  #reach({ leastReach, reachPerRadius }: FitSettings): number {
    return Math.min(Math.max(leastReach, reachPerRadius * this.r), MOST_REACH * this.r);
  }

  #isNear(u: number, v: number, r: number): boolean {
    const isThere = (this.u - u) ** 2 + (this.v - v) ** 2 < (MOST_SHIFT * r) ** 2;
    return isThere && this.r > LEAST_GROWTH * r && this.r < MOST_GROWTH * r;
  }

  #move(): void {
    const { solution, scale } = this.#solver;
    this.u += solution[0]!;
    this.v += solution[1]!;
    this.r += solution[2]!;
    this.ellipticity = Math.sqrt(solution[3]! ** 2 + solution[4]! ** 2) / this.r;
    this.spread = scale;
  }

  #assess(): void {
    const { count, step } = this.#edges;
    const { weight } = this.#solver;
    let support = 0;
    let height = 0;
    for (let k = 0; k < count; k++) {
      support += weight[k]!;
      height += Math.abs(step[k]!);
    }
    this.support = support / count;
    this.step = height / count;
  }

  /**
   * The covariance from the residuals themselves, ray by ray, whatever their distribution (White), where neighbouring
   * rays err together (Newey and West); and from how much the two ways of `refine` disagree.
   */
  estimateCovariance(): void {
    const { count } = this.#edges;
    const { residual } = this.#solver;
    this.#solver.invert();
    this.#fillInfluence();
    const covariance = this.covariance.fill(0);
    const freedom = count / (count - UNKNOWNS);
    for (let lag = 0; lag <= CORRELATED_RAYS; lag++) {
      const share = freedom * (1 - lag / (CORRELATED_RAYS + 1));
      for (let k = 0; k < count; k++) {
        const other = (k + lag) % count;
        const product = residual[k]! * residual[other]! + (lag === 0 ? LEAST_VARIANCE : 0);
        this.#addProducts(k, other, lag === 0 ? 0.5 * share * product : share * product);
      }
    }
    this.#addDisagreement();
    const model = MODEL_VARIANCE + BLUR_VARIANCE * this.#edges.squaredWidth;
    for (let i = 0; i < CIRCLE_SIZE; i++) covariance[i * 4] = covariance[i * 4]! + model;
  }

  #addDisagreement(): void {
    const du = this.u - this.#byArea[0]!;
    const dv = this.v - this.#byArea[1]!;
    const dr = this.r - this.#byArea[2]!;
    const covariance = this.covariance;
    for (let i = 0; i < CIRCLE_SIZE; i++) {
      const a = DISAGREEMENT * (i === 0 ? du : i === 1 ? dv : dr);
      covariance[i * CIRCLE_SIZE] = covariance[i * CIRCLE_SIZE]! + a * du;
      covariance[i * CIRCLE_SIZE + 1] = covariance[i * CIRCLE_SIZE + 1]! + a * dv;
      covariance[i * CIRCLE_SIZE + 2] = covariance[i * CIRCLE_SIZE + 2]! + a * dr;
    }
  }

  #fillInfluence(): void {
    const { cos, sin, expected, count } = this.#edges;
    const { inverse, weight } = this.#solver;
    for (let k = 0; k < count; k++) {
      const c = cos[k]!;
      const s = sin[k]!;
      const e = expected[k]! / this.r;
      for (let i = 0; i < CIRCLE_SIZE; i++) {
        const at = i * UNKNOWNS;
        const shape = inverse[at + 3]! * (c * c - s * s) + inverse[at + 4]! * 2 * c * s;
        const sum = inverse[at]! * c + inverse[at + 1]! * s + inverse[at + 2]! * e + shape;
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

/** Rays about 1.5 to 3 px apart on small outlines: closer ones would see the same pixels. */
function raysFor(r: number): number {
  if (r < 6) return 16;
  return r < 14 ? 32 : MAX_RAYS;
}
