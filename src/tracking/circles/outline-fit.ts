import type { Circle } from "./circle-set.js";
import type { LevelImage } from "./level-image.js";
import { MAX_RAYS, type OutlineShape } from "./outline-shape.js";
import { OutlineSolver } from "./outline-solver.js";
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

/** Looking further than this part of the radius inwards would meet the other side. */
const MOST_REACH = 0.7;
/** A step below which a fit ends before its last round [px]. */
const SETTLED = 0.03;
/** A fit that moves further than this, relative to the radius it began with, is of something else. */
const MOST_SHIFT = 0.5;
const LEAST_GROWTH = 0.6;
const MOST_GROWTH = 1.6;
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
export class OutlineFit implements Circle {
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
  readonly #edges = new RadialEdges();
  readonly #solver = new OutlineSolver();

  /** Fits from (u, v, r) on. False if no circle is left: it ran away, shrank to nothing or has no edge. */
  run(
    image: LevelImage,
    u: number,
    v: number,
    r: number,
    shape: OutlineShape,
    noiseVariance: number,
    settings: OutlineFitSettings,
  ): boolean {
    this.u = u;
    this.v = v;
    this.r = r;
    for (let round = 0; round < settings.rounds; round++) {
      const reach = this.#reach(settings);
      const rays = raysFor(this.r);
      this.#edges.measure(image, this, shape, rays, reach, settings.spacing, noiseVariance);
      const leastScale = Math.max(LEAST_SCALE, LEAST_SCALE * reach);
      const roundness = (EDGE_SIGMA / (ROUNDNESS * this.r)) ** 2;
      if (!this.#solver.solve(this.#edges, leastScale, roundness)) return false;
      this.#move();
      if (!this.#isNear(u, v, r)) return false;
      if (round === 0 && !(this.#clearness() >= settings.leastFirst)) return false;
      if (this.#hasSettled()) break;
    }
    this.#assess();
    return true;
  }

  #reach({ leastReach, reachPerRadius }: OutlineFitSettings): number {
    return Math.min(Math.max(leastReach, reachPerRadius * this.r), MOST_REACH * this.r);
  }

  #isNear(u: number, v: number, r: number): boolean {
    const isThere = (this.u - u) ** 2 + (this.v - v) ** 2 < (MOST_SHIFT * r) ** 2;
    return isThere && this.r > LEAST_GROWTH * r && this.r < MOST_GROWTH * r;
  }

  /** Whether the last step was so small that another would change nothing that matters here. */
  #hasSettled(): boolean {
    const { solution } = this.#solver;
    return solution[0]! ** 2 + solution[1]! ** 2 + solution[2]! ** 2 < SETTLED ** 2;
  }

  /** How clear the edge is where the fit has it, less what its scatter costs. */
  #clearness(): number {
    const { weight, scale } = this.#solver;
    const { count } = this.#edges;
    let sum = 0;
    for (let k = 0; k < count; k++) sum += weight[k]!;
    return sum / count - (FIRST_RAGGEDNESS * scale) / this.r;
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
}

/** Rays about 1.5 to 3 px apart on small outlines: closer ones would see the same pixels. */
function raysFor(r: number): number {
  if (r < 6) return 16;
  return r < 14 ? 32 : MAX_RAYS;
}
