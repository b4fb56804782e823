import * as cholesky from "../../math/cholesky.js";
import type { Circle } from "./circle-set.js";
import { isHidden, NOTHING_HIDDEN } from "./hidden-sector.js";
import type { LevelImage } from "./level-image.js";
import type { OutlineShape } from "./outline-shape.js";

/** Rings of points in a disc, as parts of the outermost ring's radius, and how many points they have. */
const RINGS: readonly (readonly [radius: number, points: number])[] = [
  [0, 1],
  [0.3, 6],
  [0.56, 11],
  [0.79, 16],
  [1, 20],
];
/** Coefficients of the surface; those from the second on vanish for an evenly lit disc. */
const TERMS = 6;
const LAMBERT_TERMS = 4;
/**
 * Standard deviations that the terms of a matt sphere, and those of what else changes slowly, are expected to have,
 * relative to the disc's brightness. Where the points leave a term open, on small discs, it stays small.
 */
const LAMBERT_PRIOR = 0.4;
const SECOND_ORDER_PRIOR = 0.02;
/** Brightness of the darkest disc for which that holds [gray]. */
const DARK = 10;
/** Points of a disc that must be on the image. */
const LEAST_POINTS = 20;
/** From this gray value on a pixel may be saturated, and says little about the light: as much as this part of one. */
export const SATURATION = 248;
const SATURATED_WEIGHT = 0.02;
/** From this gray value on a pixel may be of a lamp: near white, as far as lossy compression keeps it. */
const GLARE = 240;
const BRIGHTEST = 255;
/** Points that the light before left further from it than so many standard deviations do not belong to it (Tukey), but for a little. */
const TUKEY = 2.5;
const LEAST_WEIGHT = 0.05;

/**
 * The light inside a disc as that on a ball: a + b·x + c·y + d·√(1 − x² − y²) is a matt sphere under any lamps
 * (Lambert), and two terms of second order take what else changes slowly. What it leaves tells a ball from a portrait, a
 * clock or an edge across the disc; and it says how bright the ball is right up to its outline.
 */
export class DiscSurface {
  /** Variance that it leaves [gray²]; NaN if too little of the disc is on the image. */
  residualVariance = Number.NaN;
  /** Of 1, x, y, √(1 − x² − y²), x² − y² and xy on the unit disc [gray]. */
  readonly coefficients = new Float64Array(TERMS);
  /** The points of a disc whose outermost ring has the radius 1. */
  readonly #x: Float64Array;
  readonly #y: Float64Array;
  /** Their directions, as parts of a turn. */
  readonly #turn: Float64Array;
  readonly #values: Float64Array;
  /** How much each point counts. */
  readonly #weights: Float64Array;
  /** Points on the image, and the sum of their gray values. */
  #seen = 0;
  #sum = 0;
  /** Part of the points that are as bright as a lamp. */
  glare = 0;
  /** Values of the terms at a point. */
  readonly #terms = new Float64Array(TERMS);
  readonly #normal = new Float64Array(TERMS * TERMS);
  readonly #factor = new Float64Array(TERMS * TERMS);
  readonly #right = new Float64Array(TERMS);
  /** See `OutlineShape.toDisc`. */
  readonly #toDisc = new Float64Array(3);

  constructor() {
    const points = RINGS.flatMap(([radius, count]) =>
      Array.from({ length: count }, (_, k) => {
        const angle = (2 * Math.PI * (k + 0.5 * radius)) / count;
        return { x: radius * Math.cos(angle), y: radius * Math.sin(angle) };
      }),
    );
    this.#x = Float64Array.from(points, ({ x }) => x);
    this.#y = Float64Array.from(points, ({ y }) => y);
    this.#turn = Float64Array.from(points, ({ x, y }) => Math.atan2(y, x) / (2 * Math.PI));
    this.#values = new Float64Array(points.length);
    this.#weights = new Float64Array(points.length);
  }

  /**
   * Fits the surface to the inside of an outline.
   * @param outermost How far out to look, as a part of the radius; below 1.
   * @param noiseVariance Of the gray values.
   * @param hidden A sector that is left out.
   * @param points All that are not clipped count alike, or those that the light fitted before explains: a print or a highlight does
   *   not belong to it, and what is clipped may be brighter.
   */
  fit(
    image: LevelImage,
    circle: Circle,
    shape: OutlineShape,
    outermost: number,
    noiseVariance: number,
    hidden = NOTHING_HIDDEN,
    points: "all" | "explained" = "all",
  ): void {
    shape.toDisc(this.#toDisc);
    this.#sample(image, circle, outermost, hidden);
    // A point stands for no more than its pixel, and where points are closer than pixels for less.
    if (this.#seen < LEAST_POINTS) {
      this.residualVariance = Number.NaN;
      return;
    }
    if (points === "all") this.#weighAlike();
    else this.#weighExplained(outermost, noiseVariance);
    const area = (Math.PI * (outermost * circle.r) ** 2) / this.#values.length;
    const variance = points === "all" ? noiseVariance : Math.max(noiseVariance, this.residualVariance);
    this.#accumulate(outermost, Math.min(1, area) / variance);
    if (cholesky.factor(this.#normal, TERMS, this.#factor) === cholesky.MatrixStatus.ok) {
      cholesky.solve(this.#factor, this.#right, TERMS, this.coefficients);
    } else {
      this.coefficients.fill(Number.NaN);
    }
    this.#assess(outermost);
  }

  /** Gray value at (x, y) of the unit disc but for the root term: that vanishes on the outline, and is blurred there. */
  flatAt(x: number, y: number): number {
    const c = this.coefficients;
    return c[0]! + c[1]! * x + c[2]! * y + c[4]! * (x * x - y * y) + c[5]! * x * y;
  }

  /**
   * Variance of `flatAt` at (place[0], place[1]) into place[2] [gray²]: beyond the points the light is extrapolated. In an
   * array, where numbers are not boxed.
   */
  putFlatVariance(place: Float64Array): void {
    const x = place[0]!;
    const y = place[1]!;
    const terms = this.#terms;
    terms[0] = 1;
    terms[1] = x;
    terms[2] = y;
    terms[3] = 0;
    terms[4] = x * x - y * y;
    terms[5] = x * y;
    // |L⁻¹ t|² for the normal matrix L Lᵀ.
    const factor = this.#factor;
    let variance = 0;
    for (let i = 0; i < TERMS; i++) {
      let rest = terms[i]!;
      for (let j = 0; j < i; j++) rest -= factor[i * TERMS + j]! * terms[j]!;
      rest /= factor[i * TERMS + i]!;
      terms[i] = rest;
      variance += rest * rest;
    }
    place[2] = variance;
  }

  /** Bilinear gray values; NaN outside the image. */
  #sample(
    { pixels, offset, stride, width, height }: LevelImage,
    circle: Circle,
    outermost: number,
    hidden: number,
  ): void {
    const { u, v } = circle;
    const r = outermost * circle.r;
    const values = this.#values;
    const xx = this.#toDisc[0]!;
    const xy = this.#toDisc[1]!;
    const yy = this.#toDisc[2]!;
    let seen = 0;
    let sum = 0;
    let glaring = 0;
    for (let p = 0; p < values.length; p++) {
      const x = u + r * (yy * this.#x[p]! - xy * this.#y[p]!);
      const y = v + r * (xx * this.#y[p]! - xy * this.#x[p]!);
      const column = Math.floor(x);
      const row = Math.floor(y);
      values[p] = Number.NaN;
      if (!(column >= 0 && row >= 0 && column < width - 1 && row < height - 1)) continue;
      if (hidden !== NOTHING_HIDDEN && isHidden(this.#turn[p]!, hidden)) continue;
      const at = offset + row * stride + column;
      const a = x - column;
      const top = pixels[at]! + a * (pixels[at + 1]! - pixels[at]!);
      const bottom = pixels[at + stride]! + a * (pixels[at + stride + 1]! - pixels[at + stride]!);
      const value = top + (y - row) * (bottom - top);
      values[p] = value;
      seen++;
      sum += value;
      if (value >= GLARE) glaring++;
    }
    this.#seen = seen;
    this.#sum = sum;
    this.glare = glaring / Math.max(1, seen);
  }

  #setTerms(p: number, outermost: number): void {
    const x = outermost * this.#x[p]!;
    const y = outermost * this.#y[p]!;
    const terms = this.#terms;
    terms[0] = 1;
    terms[1] = x;
    terms[2] = y;
    terms[3] = Math.sqrt(1 - x * x - y * y);
    terms[4] = x * x - y * y;
    terms[5] = x * y;
  }

  #weighAlike(): void {
    const values = this.#values;
    for (let p = 0; p < values.length; p++) this.#weights[p] = values[p]! < SATURATION ? 1 : SATURATED_WEIGHT;
  }

  /** By Tukey's biweight, the scale being what the light before left. */
  #weighExplained(outermost: number, noiseVariance: number): void {
    const values = this.#values;
    const most = TUKEY * TUKEY * Math.max(noiseVariance, this.residualVariance);
    for (let p = 0; p < values.length; p++) {
      const rest = values[p]! - this.#lightAt(p, outermost);
      const share = 1 - (rest * rest) / most;
      const isClipped = values[p]! >= SATURATION && rest < 0;
      this.#weights[p] = isClipped ? 0 : Math.max(LEAST_WEIGHT, share) ** 2;
    }
  }

  /** Light of the surface at a point, clipped or not. */
  #lightAt(p: number, outermost: number): number {
    this.#setTerms(p, outermost);
    let light = 0;
    for (let i = 0; i < TERMS; i++) light += this.#terms[i]! * this.coefficients[i]!;
    return light;
  }

  #accumulate(outermost: number, information: number): void {
    const normal = this.#normal.fill(0);
    const right = this.#right.fill(0);
    const terms = this.#terms;
    const values = this.#values;
    const brightness = Number.isNaN(values[0]!) ? this.#sum / this.#seen : values[0]!;
    for (let p = 0; p < values.length; p++) {
      if (Number.isNaN(values[p]!)) continue;
      this.#setTerms(p, outermost);
      const weight = information * this.#weights[p]!;
      for (let i = 0; i < TERMS; i++) {
        const weighted = weight * terms[i]!;
        right[i] = right[i]! + weighted * values[p]!;
        for (let j = 0; j <= i; j++) normal[i * TERMS + j] = normal[i * TERMS + j]! + weighted * terms[j]!;
      }
    }
    for (let i = 1; i < TERMS; i++) {
      const deviation = (i < LAMBERT_TERMS ? LAMBERT_PRIOR : SECOND_ORDER_PRIOR) * (brightness + DARK);
      normal[i * (TERMS + 1)] = normal[i * (TERMS + 1)]! + 1 / (deviation * deviation);
      for (let j = 0; j < i; j++) normal[j * TERMS + i] = normal[i * TERMS + j]!;
    }
  }

  #assess(outermost: number): void {
    const values = this.#values;
    let squares = 0;
    for (let p = 0; p < values.length; p++) {
      if (Number.isNaN(values[p]!)) continue;
      const rest = values[p]! - Math.max(0, Math.min(BRIGHTEST, this.#lightAt(p, outermost)));
      squares += rest * rest;
    }
    this.residualVariance = squares / (this.#seen - TERMS);
  }
}
