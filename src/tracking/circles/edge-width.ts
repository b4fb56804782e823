import * as cholesky from "../../math/cholesky.js";
import type { RimEdges } from "./rim-edges.js";

/** Least variance of an edge: a pixel's width and the bilinear samples' [px²]. */
const LEAST_VARIANCE = 0.35;
/** Greatest standard deviation, relative to the radius. */
const MOST_WIDTH = 0.25;
/** An edge's width changes by no more than this factor at once. */
const MOST_CHANGE = 1.5;
/** How much the rays count for the direction of the blur against its being the same in all. */
const EVENNESS = 0.02;

/**
 * How wide the edge of an outline is in each direction. A motion of b during the exposure blurs it across a normal n by a
 * box of the width |b·n|, so its variance is a + b·cos 2φ + c·sin 2φ: lens and pixel, and a twelfth of (b·n)².
 */
export class EdgeWidth {
  #even = 1;
  #along = 0;
  #across = 0;
  readonly #normal = new Float64Array(9);
  readonly #factor = new Float64Array(9);
  readonly #right = new Float64Array(3);
  readonly #solution = new Float64Array(3);

  /** Begins with an edge of the same variance [px²] all around. */
  reset(variance: number): void {
    this.#even = Math.max(LEAST_VARIANCE, variance);
    this.#along = 0;
    this.#across = 0;
  }

  /** Half-width of the edge crossed by the ray (cos, sin) [px]. */
  halfAt(cos: number, sin: number): number {
    const variance = this.#even + this.#along * (cos * cos - sin * sin) + this.#across * 2 * cos * sin;
    return Math.sqrt(Math.max(LEAST_VARIANCE, variance) / EDGE_VARIANCE);
  }

  get greatestHalf(): number {
    // A twenty-fourth of the squared motion [px²].
    const motion = Math.sqrt(this.#along * this.#along + this.#across * this.#across);
    return Math.sqrt((this.#even + motion) / EDGE_VARIANCE);
  }

  /**
   * How much nearer to the centre than the outline the blurred edge's middle lies [px]: blur along a bent edge takes from
   * its middle, half the variance in that direction divided by r.
   */
  sagAt(cos: number, sin: number, r: number): number {
    return (this.#even - this.#along * (cos * cos - sin * sin) - this.#across * 2 * cos * sin) / (2 * r);
  }

  /** Takes over the widths that the rays saw, each by how well it saw it. */
  update({ cos, sin, half, growth, growthWeight, count }: RimEdges, r: number): void {
    const normal = this.#normal.fill(0);
    const right = this.#right.fill(0);
    for (let k = 0; k < count; k++) {
      const grown = Math.max(half[k]! / MOST_CHANGE, Math.min(MOST_CHANGE * half[k]!, half[k]! + growth[k]!));
      const along = cos[k]! * cos[k]! - sin[k]! * sin[k]!;
      const across = 2 * cos[k]! * sin[k]!;
      addRow(normal, right, along, across, EDGE_VARIANCE * grown * grown, growthWeight[k]!);
    }
    const even = EVENNESS * normal[0]!;
    normal[4] = normal[4]! + even;
    normal[8] = normal[8]! + even;
    if (cholesky.factor(normal, 3, this.#factor) !== cholesky.MatrixStatus.ok) return;
    cholesky.solve(this.#factor, right, 3, this.#solution);
    this.#limit(r);
  }

  #limit(r: number): void {
    const along = this.#solution[1]!;
    const across = this.#solution[2]!;
    this.#even = Math.max(LEAST_VARIANCE, Math.min((MOST_WIDTH * r) ** 2, this.#solution[0]!));
    const motion = Math.sqrt(along * along + across * across);
    const most = this.#even - LEAST_VARIANCE;
    const part = motion > most ? most / motion : 1;
    this.#along = part * along;
    this.#across = part * across;
  }
}

/** Adds an equation value = (1, along, across) · unknowns. */
function addRow(
  normal: Float64Array,
  right: Float64Array,
  along: number,
  across: number,
  value: number,
  weight: number,
): void {
  normal[0] = normal[0]! + weight;
  normal[1] = normal[3] = normal[1]! + weight * along;
  normal[2] = normal[6] = normal[2]! + weight * across;
  normal[4] = normal[4]! + weight * along * along;
  normal[5] = normal[7] = normal[5]! + weight * along * across;
  normal[8] = normal[8]! + weight * across * across;
  right[0] = right[0]! + weight * value;
  right[1] = right[1]! + weight * value * along;
  right[2] = right[2]! + weight * value * across;
}

/**
 * An edge blurred by lens, pixel and motion, across it, at x half-widths from its middle: −1 is where it begins inside, 1
 * where it ends outside. Between a box, which motion makes, and a Gauss curve, which the lens makes, its slope is taken as
 * ¾ (1 − x²); that has the variance 1/5. All that matters for finding an edge is that it is alike to both sides.
 */
export const EDGE_VARIANCE = 0.2;
const EDGE_FOURTH_MOMENT = 3 / 35;

/** Share of the outside, from 0 at −1 to 1 at 1. */
export function riseAt(x: number): number {
  if (x <= -1) return 0;
  return x >= 1 ? 1 : 0.5 + 0.75 * (x - (x * x * x) / 3);
}

/** Derivative of the rise. */
export function slopeAt(x: number): number {
  return x > -1 && x < 1 ? 0.75 * (1 - x * x) : 0;
}

/**
 * √(−x) inside and 0 outside, blurred in the same way: a sphere lit from the front darkens towards its outline like this, and
 * infinitely steeply at the outline itself.
 */
export function rootAt(x: number): number {
  if (x >= 1) return 0;
  if (x <= -1) {
    const square = 1 / (x * x);
    return Math.sqrt(-x) * (1 - square * (EDGE_VARIANCE / 8 + square * ((5 * EDGE_FOURTH_MOMENT) / 128)));
  }
  const at = (x + 1) * (TABLE_STEPS / 2);
  const n = Math.floor(at);
  return rootTable[n]! + (at - n) * (rootTable[n + 1]! - rootTable[n]!);
}

const TABLE_STEPS = 64;
const INTEGRATION_STEPS = 512;

/** By the midpoint rule, from −1 to 1. */
const rootTable = Float64Array.from({ length: TABLE_STEPS + 1 }, (_, i) => {
  const x = (2 * i) / TABLE_STEPS - 1;
  let sum = 0;
  for (let n = 0; n < INTEGRATION_STEPS; n++) {
    const y = (2 * (n + 0.5)) / INTEGRATION_STEPS - 1;
    if (y > x) sum += slopeAt(y) * Math.sqrt(y - x);
  }
  return (2 * sum) / INTEGRATION_STEPS;
});
