import { isHidden, NOTHING_HIDDEN } from "./hidden-sector.js";
import type { LevelImage } from "./level-image.js";
import type { OutlineShape } from "./outline-shape.js";

/** Purity of clutter, which a point outside the image is taken to have: it counts neither for nor against a ball. */
export const UNSEEN_PURITY = 0.4;
/** Points of the outline at which purity is taken. */
export const PURITY_POINTS = 32;

/**
 * The score of a circle: the mean over its outline of the squared radial gradient against the local variance,
 *
 *   score = mean of ½ (n·∇I)² / (var I + noise),
 *
 * both over 3 × 3 samples with binomial weights, ½ being the variance of such samples over a slope of 1. An even slope
 * across the outline has purity 1 whatever its height and the brightness; what does not run along the outline, and noise,
 * takes from it.
 */
export class OutlinePurity {
  /** Of each point, of the circle measured last. */
  readonly points = new Float64Array(PURITY_POINTS);
  readonly #x = new Float64Array(PURITY_POINTS);
  readonly #y = new Float64Array(PURITY_POINTS);
  /** Part of the outline that lies on the image. */
  visible = 1;
  #noiseVariance = 0;
  #seen = 0;

  /** Score of the circle (u, v, r) in pixels of the level; points outside the image, or hidden, count as clutter does. */
  measure(
    image: LevelImage,
    u: number,
    v: number,
    r: number,
    shape: OutlineShape,
    noiseVariance: number,
    hidden = NOTHING_HIDDEN,
  ): number {
    this.#noiseVariance = noiseVariance;
    this.#seen = 0;
    let sum = 0;
    for (let k = 0; k < PURITY_POINTS; k++) {
      const distance = r * shape.distance(cosines[k]!, sines[k]!);
      this.#x[k] = u + distance * cosines[k]!;
      this.#y[k] = v + distance * sines[k]!;
      if (isHidden(k / PURITY_POINTS, hidden)) this.points[k] = 0;
      else this.#measurePoint(image, k);
      sum += this.points[k]!;
    }
    this.visible = this.#seen / PURITY_POINTS;
    return (sum + UNSEEN_PURITY * (PURITY_POINTS - this.#seen)) / PURITY_POINTS;
  }

  /** 4 × 4 pixels around the place give 3 × 3 bilinear samples a pixel apart, the middle one at the place. */
  #measurePoint(image: LevelImage, k: number): void {
    const column = Math.floor(this.#x[k]!);
    const row = Math.floor(this.#y[k]!);
    this.points[k] = 0;
    if (!(column >= 1 && row >= 1 && column < image.width - 2 && row < image.height - 2)) return;
    this.#seen++;
    const { pixels, offset, stride } = image;
    const a = this.#x[k]! - column;
    const b = this.#y[k]! - row;
    let gx = 0;
    let gy = 0;
    let mean = 0;
    let squares = 0;
    for (let j = -1; j <= 1; j++) {
      for (let i = -1; i <= 1; i++) {
        const at = offset + (row + j) * stride + column + i;
        const top = pixels[at]! + a * (pixels[at + 1]! - pixels[at]!);
        const bottom = pixels[at + stride]! + a * (pixels[at + stride + 1]! - pixels[at + stride]!);
        const value = top + b * (bottom - top);
        const weight = (2 - i * i) * (2 - j * j);
        gx += i * (2 - j * j) * value;
        gy += j * (2 - i * i) * value;
        mean += weight * value;
        squares += weight * value * value;
      }
    }
    const radial = (gx * cosines[k]! + gy * sines[k]!) / 8;
    const variance = squares / 16 - (mean / 16) ** 2;
    this.points[k] = (0.5 * radial * radial) / (variance + this.#noiseVariance);
  }
}

const cosines = Float64Array.from({ length: PURITY_POINTS }, (_, k) => Math.cos((2 * Math.PI * k) / PURITY_POINTS));
const sines = Float64Array.from({ length: PURITY_POINTS }, (_, k) => Math.sin((2 * Math.PI * k) / PURITY_POINTS));
