import * as cholesky from "../../math/cholesky.js";
import type { LevelImage } from "./level-image.js";

/** Rings of points inside a disc of radius 1: their radius and how many points they have. */
const RINGS: readonly (readonly [radius: number, points: number])[] = [
  [0, 1],
  [0.2, 6],
  [0.38, 10],
  [0.54, 14],
  [0.68, 18],
];
/** Coefficients of the surface. */
const TERMS = 6;

/**
 * The light inside a disc as that on a ball: a + b·x + c·y + d·√(1 − x² − y²) is a matt sphere under any lamps
 * (Lambert), and two terms of second order take what else changes slowly. What it leaves tells a ball from a portrait, a
 * clock or an edge across the disc; and it says how bright the ball is right up to its outline.
 */
export class DiscSurface {
  /** Variance that it leaves [gray²]; NaN if the disc is not wholly on the image. */
  residualVariance = Number.NaN;
  readonly #x: Float64Array;
  readonly #y: Float64Array;
  /** Values of the terms at the points. [points × TERMS] */
  readonly #basis: Float64Array;
  readonly #factor = new Float64Array(TERMS * TERMS);
  readonly #values: Float64Array;
  readonly #right = new Float64Array(TERMS);
  readonly #coefficients = new Float64Array(TERMS);

  constructor() {
    const points = RINGS.flatMap(([radius, count]) =>
      Array.from({ length: count }, (_, k) => {
        const angle = (2 * Math.PI * (k + 0.5 * radius)) / count;
        return { x: radius * Math.cos(angle), y: radius * Math.sin(angle) };
      }),
    );
    this.#x = Float64Array.from(points, ({ x }) => x);
    this.#y = Float64Array.from(points, ({ y }) => y);
    this.#values = new Float64Array(points.length);
    this.#basis = Float64Array.from(
      points.flatMap(({ x, y }) => [1, x, y, Math.sqrt(1 - x * x - y * y), x * x - y * y, x * y]),
    );
    const normal = new Float64Array(TERMS * TERMS);
    for (let p = 0; p < points.length; p++) {
      for (let i = 0; i < TERMS * TERMS; i++) {
        const row = Math.floor(i / TERMS);
        normal[i] = normal[i]! + this.#basis[p * TERMS + row]! * this.#basis[p * TERMS + (i % TERMS)]!;
      }
    }
    cholesky.factor(normal, TERMS, this.#factor);
  }

  /** Fits the surface to the inside of a circle. */
  fit(image: LevelImage, u: number, v: number, r: number): void {
    this.#sample(image, u, v, r);
    const right = this.#right.fill(0);
    const values = this.#values;
    const basis = this.#basis;
    for (let p = 0; p < values.length; p++) {
      for (let i = 0; i < TERMS; i++) right[i] = right[i]! + basis[p * TERMS + i]! * values[p]!;
    }
    cholesky.solve(this.#factor, right, TERMS, this.#coefficients);
    let squares = 0;
    for (let p = 0; p < values.length; p++) {
      let rest = values[p]!;
      for (let i = 0; i < TERMS; i++) rest -= basis[p * TERMS + i]! * this.#coefficients[i]!;
      squares += rest * rest;
    }
    this.residualVariance = squares / (values.length - TERMS);
  }

  /** Bilinear gray values; NaN outside the image. */
  #sample({ pixels, offset, stride, width, height }: LevelImage, u: number, v: number, r: number): void {
    const values = this.#values;
    for (let p = 0; p < values.length; p++) {
      const x = u + r * this.#x[p]!;
      const y = v + r * this.#y[p]!;
      const column = Math.floor(x);
      const row = Math.floor(y);
      values[p] = Number.NaN;
      if (!(column >= 0 && row >= 0 && column < width - 1 && row < height - 1)) continue;
      const at = offset + row * stride + column;
      const a = x - column;
      const top = pixels[at]! + a * (pixels[at + 1]! - pixels[at]!);
      const bottom = pixels[at + stride]! + a * (pixels[at + stride + 1]! - pixels[at + stride]!);
      values[p] = top + (y - row) * (bottom - top);
    }
  }

  /** Gray value of the surface at (x, y) of the unit disc; beyond its outline that of the outline. */
  at(x: number, y: number): number {
    const c = this.#coefficients;
    const squared = x * x + y * y;
    const inside = squared < 1 ? Math.sqrt(1 - squared) : 0;
    return c[0]! + c[1]! * x + c[2]! * y + c[3]! * inside + c[4]! * (x * x - y * y) + c[5]! * x * y;
  }
}
