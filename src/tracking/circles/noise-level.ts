import type { GrayImage } from "../../camera/gray-image.js";

/** Places looked at, along rows and columns. */
const GRID = 60;
/** Part of the places that are taken to show nothing but noise. */
const QUIET_SHARE = 0.2;
/** The 20 % quantile of the sample variance of 3 × 3 values of a normal distribution of variance 1: χ²₈ / 8. */
const QUIET_QUANTILE = 0.5742;
/** Variance beyond which a place cannot be noise alone, and resolution of the histogram. */
const MAX_VARIANCE = 400;
const BINS = 4000;

/**
 * How much a camera's pixels vary by themselves, from one image: the variance over 3 × 3 pixels at places all over
 * the image, of which a fifth, the quietest, is taken for noise.
 */
export class NoiseLevel {
  readonly #histogram = new Int32Array(BINS + 1);

  /** Variance [gray²], between 0 and that of a very bad camera. */
  measure({ width, height, pixels }: GrayImage): number {
    const histogram = this.#histogram;
    histogram.fill(0);
    let places = 0;
    for (let j = 0; j < GRID; j++) {
      const row = 1 + Math.floor(((j + 0.5) * (height - 2)) / GRID);
      for (let i = 0; i < GRID; i++) {
        const column = 1 + Math.floor(((i + 0.5) * (width - 2)) / GRID);
        const variance = variance3x3(pixels, row * width + column, width);
        const bin = Math.min(BINS, Math.floor((variance * BINS) / MAX_VARIANCE));
        histogram[bin] = histogram[bin]! + 1;
        places++;
      }
    }
    let left = QUIET_SHARE * places;
    let bin = 0;
    while (bin < BINS && left > histogram[bin]!) left -= histogram[bin++]!;
    const within = histogram[bin]! > 0 ? left / histogram[bin]! : 0;
    return ((bin + within) * MAX_VARIANCE) / BINS / QUIET_QUANTILE;
  }
}

function variance3x3(pixels: Uint8Array, centre: number, width: number): number {
  let sum = 0;
  let squares = 0;
  for (let row = centre - width; row <= centre + width; row += width) {
    for (let at = row - 1; at <= row + 1; at++) {
      const value = pixels[at]!;
      sum += value;
      squares += value * value;
    }
  }
  return (squares - (sum * sum) / 9) / 8;
}
