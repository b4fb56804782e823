import { createImage, type GrayImage } from "../../../src/camera/gray-image.js";
import type { Random } from "../../../src/math/random.js";

export interface Disc {
  readonly u: number;
  readonly v: number;
  readonly r: number;
  /** Gray value added inside. */
  readonly contrast: number;
  /** How far it moves during the exposure [px]; it is at (u, v) in the middle. */
  readonly blur?: readonly [number, number];
}

export interface Scene {
  readonly width: number;
  readonly height: number;
  readonly background: number;
  /** Gray values per pixel along u and v. */
  readonly gradient?: readonly [number, number];
  readonly discs: readonly Disc[];
  /** Standard deviation of the pixels' noise [gray]. */
  readonly noise: number;
}

const SUBSAMPLES = 6;

/** Discs drawn by brute force: every pixel near an outline is sampled 6 × 6 times at several moments of the exposure. */
export function drawDiscs(scene: Scene, random: Random): GrayImage {
  const { width, height, background, gradient = [0, 0], discs, noise } = scene;
  const values = new Float64Array(width * height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) values[y * width + x] = background + gradient[0] * x + gradient[1] * y;
  }
  for (const disc of discs) addDisc(values, width, height, disc);
  const image = createImage(width, height);
  for (let i = 0; i < values.length; i++) {
    image.pixels[i] = Math.max(0, Math.min(255, Math.round(values[i]! + noise * random.normal())));
  }
  return image;
}

function addDisc(values: Float64Array, width: number, height: number, disc: Disc): void {
  const [bu, bv] = disc.blur ?? [0, 0];
  const moments = 1 + 2 * Math.ceil(2 * Math.hypot(bu, bv));
  const reach = disc.r + Math.max(Math.abs(bu), Math.abs(bv)) + 1;
  for (let y = Math.max(0, Math.floor(disc.v - reach)); y <= Math.min(height - 1, disc.v + reach); y++) {
    for (let x = Math.max(0, Math.floor(disc.u - reach)); x <= Math.min(width - 1, disc.u + reach); x++) {
      let covered = 0;
      for (let m = 0; m < moments; m++) {
        const phase = moments === 1 ? 0 : (m + 0.5) / moments - 0.5;
        covered += coverage(x - disc.u - phase * bu, y - disc.v - phase * bv, disc.r);
      }
      values[y * width + x] = values[y * width + x]! + (disc.contrast * covered) / moments;
    }
  }
}

/** Part of the pixel at (x, y) that lies within r of the origin. */
function coverage(x: number, y: number, r: number): number {
  const distance = Math.hypot(x, y);
  if (distance < r - 1) return 1;
  if (distance > r + 1) return 0;
  let inside = 0;
  for (let j = 0; j < SUBSAMPLES; j++) {
    for (let i = 0; i < SUBSAMPLES; i++) {
      const dx = x + (i + 0.5) / SUBSAMPLES - 0.5;
      const dy = y + (j + 0.5) / SUBSAMPLES - 0.5;
      if (dx * dx + dy * dy <= r * r) inside++;
    }
  }
  return inside / SUBSAMPLES ** 2;
}
