import type { GrayImage } from "../../camera/gray-image.js";
import type { MarkerFinder } from "../recording/recording-builder.js";

/** Radii of the bright disc that are looked for [px]. */
const SMALLEST = 2;
const LARGEST = 14;
/** Least step from the dark patch to the disc [gray values]. */
const CONTRAST = 60;
/** Pixels around a candidate that must be dark, in radii of the disc. */
const RING = 1.9;
const RING_SAMPLES = 24;
/** Part of the ring that must be darker than the threshold. */
const DARK_PART = 0.95;
/** A disc's area and its bounding box agree to this: π/4 = 0.785. */
const FILLED = [0.62, 0.95] as const;
const ROUND = 1.6;

/**
 * Finds the marker, a bright disc on a dark patch, to a few hundredths of a pixel: bright regions are grown on a threshold,
 * those that are not small, round, full and ringed by dark are dropped, and the brightness-weighted centre of what remains is
 * the place. More than one such region is ambiguous, and nothing is found.
 */
export class MarkerDetector implements MarkerFinder {
  #visited = new Uint8Array(0);
  #stack = new Int32Array(0);
  /** Of the region grown last: least and greatest column and row, number of pixels. */
  readonly #region = { left: 0, right: 0, top: 0, bottom: 0, count: 0 };

  find(image: GrayImage, out: Float64Array): boolean {
    this.#prepare(image);
    const { width, height, pixels } = image;
    const threshold = brightThreshold(pixels);
    let found = 0;
    for (let at = 0; at < width * height; at++) {
      if (pixels[at]! < threshold || this.#visited[at] === 1) continue;
      this.#grow(image, at, threshold);
      if (this.#isMarker(image, threshold) && found++ === 0) this.#centre(image, out);
    }
    return found === 1;
  }

  #prepare({ width, height }: GrayImage): void {
    if (this.#visited.length === width * height) this.#visited.fill(0);
    else {
      this.#visited = new Uint8Array(width * height);
      this.#stack = new Int32Array(width * height);
    }
  }

  #grow({ width, height, pixels }: GrayImage, seed: number, threshold: number): void {
    const region = this.#region;
    const stack = this.#stack;
    region.left = width;
    region.top = height;
    region.right = 0;
    region.bottom = 0;
    region.count = 0;
    let depth = 0;
    stack[depth++] = seed;
    this.#visited[seed] = 1;
    while (depth > 0) {
      const at = stack[--depth]!;
      const column = at % width;
      const row = (at - column) / width;
      region.count++;
      region.left = Math.min(region.left, column);
      region.right = Math.max(region.right, column);
      region.top = Math.min(region.top, row);
      region.bottom = Math.max(region.bottom, row);
      for (let side = 0; side < 4; side++) {
        const next = neighbour(side, at, column, row, width, height);
        if (next < 0 || this.#visited[next] === 1 || pixels[next]! < threshold) continue;
        this.#visited[next] = 1;
        stack[depth++] = next;
      }
    }
  }

  #isMarker(image: GrayImage, threshold: number): boolean {
    const { left, right, top, bottom, count } = this.#region;
    const across = right - left + 1;
    const down = bottom - top + 1;
    const radius = 0.25 * (across + down);
    if (!(radius >= SMALLEST && radius <= LARGEST)) return false;
    if (Math.max(across, down) > ROUND * Math.min(across, down)) return false;
    const fill = count / (across * down);
    if (!(fill >= FILLED[0] && fill <= FILLED[1]) && radius > 2.5) return false;
    return this.#isRinged(image, 0.5 * (left + right), 0.5 * (top + bottom), RING * radius, threshold);
  }

  #isRinged({ width, height, pixels }: GrayImage, u: number, v: number, radius: number, threshold: number): boolean {
    let dark = 0;
    for (let k = 0; k < RING_SAMPLES; k++) {
      const angle = (2 * Math.PI * k) / RING_SAMPLES;
      const column = Math.round(u + radius * Math.cos(angle));
      const row = Math.round(v + radius * Math.sin(angle));
      if (!(column >= 0 && row >= 0 && column < width && row < height)) return false;
      if (pixels[row * width + column]! < threshold - CONTRAST) dark++;
    }
    return dark >= DARK_PART * RING_SAMPLES;
  }

  /** Centre of brightness above the dark patch, over the region and its blurred rim. */
  #centre({ width, pixels }: GrayImage, out: Float64Array): void {
    const { left, right, top, bottom } = this.#region;
    const rim = 2;
    let dark = 255;
    for (let row = top - rim; row <= bottom + rim; row++) {
      for (let column = left - rim; column <= right + rim; column++)
        dark = Math.min(dark, pixels[row * width + column]!);
    }
    // Noise of the patch must not pull: only what is clearly brighter than it counts.
    const floor = dark + DARK_NOISE;
    let [sum, u, v] = [0, 0, 0];
    for (let row = top - rim; row <= bottom + rim; row++) {
      for (let column = left - rim; column <= right + rim; column++) {
        const weight = Math.max(0, pixels[row * width + column]! - floor);
        sum += weight;
        u += weight * column;
        v += weight * row;
      }
    }
    out[0] = u / sum;
    out[1] = v / sum;
  }
}

/** The darkest of a few dozen noisy pixels lies this far below the brightest of them [gray values]. */
const DARK_NOISE = 14;

/** Three quarters of the way up to the brightest there is: markers are the brightest things on the robot. */
function brightThreshold(pixels: Uint8Array): number {
  let brightest = 0;
  for (const pixel of pixels) if (pixel > brightest) brightest = pixel;
  return Math.max(100, 0.55 * brightest);
}

function neighbour(side: number, at: number, column: number, row: number, width: number, height: number): number {
  if (side === 0) return column > 0 ? at - 1 : -1;
  if (side === 1) return column < width - 1 ? at + 1 : -1;
  if (side === 2) return row > 0 ? at - width : -1;
  return row < height - 1 ? at + width : -1;
}
