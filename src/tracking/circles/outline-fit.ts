import { CIRCLE_SIZE } from "./circle-set.js";
import { NOTHING_HIDDEN } from "./hidden-sector.js";
import type { LevelImage } from "./level-image.js";
import { MAX_RAYS, type OutlineShape } from "./outline-shape.js";
import { FittedCircle, UNKNOWNS } from "./outline-solver.js";
import { RadialEdges } from "./radial-edges.js";

export interface OutlineFitSettings {
  /** Rounds of measuring edges and moving the circle. */
  readonly rounds: number;
  /** How far from the outline to look [px]: as a part of the radius, and at least. */
  readonly reachPerRadius: number;
  readonly leastReach: number;
  /** Of the samples along a ray [px]. */
  readonly spacing: number;
  /** Clearness of the edge, less what its scatter costs, that must be there after the first round. */
  readonly leastFirst: number;
}

/** On the level where it was found a circle has 3 to 7 px: from half a pixel off to a tenth. */
export const coarseFit: OutlineFitSettings = {
  rounds: 3,
  reachPerRadius: 0.4,
  leastReach: 1.5,
  spacing: 0.7,
  leastFirst: 0.5,
};
/** Two levels finer, or on the image itself: there it has up to 28 px, and 64 rays use about every pixel of its outline. */
export const fineFit: OutlineFitSettings = {
  rounds: 2,
  reachPerRadius: 0.14,
  leastReach: 2.5,
  spacing: 0.5,
  leastFirst: 0,
};

/** Looking further than this part of the radius inwards would meet the other side. */
const MOST_REACH = 0.7;
/** A step below which a fit ends before its last round [px]. */
const SETTLED = 0.03;
/** A fit whose radius changes by more than these factors is of something else. */
const LEAST_GROWTH = 0.6;
const MOST_GROWTH = 1.6;
/** Part of the outline that must be on the image for these; of a shorter arc the fit may move further, as a part of the radius. */
const WHOLE = 0.6;
const MOST_ARC_SHIFT = 1;
const MOST_ARC_GROWTH = 2;
/** Edges are never located better than this [px], nor than this part of the reach. */
const LEAST_SCALE = 0.05;
/** Clearness that the edge's scatter costs, for each part of the radius. */
const FIRST_RAGGEDNESS = 2;
/** Standard deviation of the elliptic deviation, relative to the radius: portraits and lamps are to be told by it. */
const ROUNDNESS = 0.03;
/** Standard deviation of an edge's place, for weighing the rays against that [px]. */
const EDGE_SIGMA = 0.3;

/**
 * Moves a circle onto the edge around it: a robust least-squares fit of centre, radius and a small elliptic deviation to
 * the edge's crossings with rays from the centre.
 */
export class OutlineFit extends FittedCircle {
  /** Semi-axes' deviation from the expected shape, relative to the radius. */
  ellipticity = 0;
  /** Robust standard deviation of the edge about the fit [px]. */
  spread = 0;
  /** Part of the outline on the image, 0 to 1, that has a clear edge where the fit has it. */
  support = 0;
  /** Part of the rays whose edge is on the image. */
  visible = 1;
  /** Mean height of the edge, up or down [gray]. */
  step = 0;
  /** Mean height of the edge from the inside to the outside [gray]. */
  rise = 0;
  readonly #edges = new RadialEdges();

  /** Fits from (u, v, r) on, without the rays of a hidden sector. False if no circle is left: it ran away, shrank to nothing or has no edge. */
  run(
    image: LevelImage,
    u: number,
    v: number,
    r: number,
    shape: OutlineShape,
    noiseVariance: number,
    settings: OutlineFitSettings,
    hidden = NOTHING_HIDDEN,
  ): boolean {
    this.begin(u, v, r);
    for (let round = 0; round < settings.rounds; round++) {
      const reach = this.#reach(settings);
      const rays = raysFor(this.r);
      this.#edges.measure(image, this, shape, rays, reach, settings.spacing, noiseVariance);
      this.#edges.hide(hidden);
      const leastScale = Math.max(LEAST_SCALE, LEAST_SCALE * reach);
      const roundness = (EDGE_SIGMA / (ROUNDNESS * this.r)) ** 2;
      if (!this.solver.solve(this.#edges, leastScale, roundness)) return false;
      this.move();
      if (!this.#isNearStart(u, v, r)) return false;
      // How clear the edge is where the fit has it, less what its scatter costs.
      const clearness = this.support - (FIRST_RAGGEDNESS * this.spread) / this.r;
      if (round === 0 && !(clearness >= settings.leastFirst)) return false;
      if (this.hasSettled(SETTLED)) break;
    }
    return true;
  }

  /** Covariance of (u, v, r) by least squares [px²]. */
  covariance(out: Float64Array): Float64Array {
    this.solver.invert();
    const variance = this.spread * this.spread;
    for (let i = 0; i < CIRCLE_SIZE; i++) {
      for (let j = 0; j < CIRCLE_SIZE; j++) {
        out[i * CIRCLE_SIZE + j] = variance * this.solver.inverse[i * UNKNOWNS + j]!;
      }
    }
    return out;
  }

  /** Of an outline that is mostly outside the image, an arc is seen: its centre is known less well. */
  #isNearStart(u: number, v: number, r: number): boolean {
    if (this.visible >= WHOLE) return this.isNear(u, v, r, LEAST_GROWTH * r, MOST_GROWTH * r);
    return this.isNear(u, v, r, LEAST_GROWTH * r, MOST_ARC_GROWTH * r, MOST_ARC_SHIFT);
  }

  #reach({ leastReach, reachPerRadius }: OutlineFitSettings): number {
    return Math.min(Math.max(leastReach, reachPerRadius * this.r), MOST_REACH * this.r);
  }

  protected override move(): void {
    super.move();
    const { solution, scale, weight } = this.solver;
    const { count, step, seen } = this.#edges;
    this.ellipticity = Math.sqrt(solution[3]! ** 2 + solution[4]! ** 2) / this.r;
    this.spread = scale;
    let support = 0;
    let height = 0;
    let rise = 0;
    let rays = 0;
    for (let k = 0; k < count; k++) {
      support += weight[k]!;
      height += seen[k]! * Math.abs(step[k]!);
      rise += seen[k]! * step[k]!;
      rays += seen[k]!;
    }
    this.visible = rays / count;
    this.support = support / rays;
    this.step = height / rays;
    this.rise = rise / rays;
  }
}

/** Rays about 1.5 to 3 px apart on small outlines: closer ones would see the same pixels. */
function raysFor(r: number): number {
  if (r < 6) return 16;
  return r < 14 ? 32 : MAX_RAYS;
}
