import { DIRECTIONS, OUTLINE_SAMPLES } from "./circle-kernels.js";
import { UNSEEN_PURITY } from "./outline-purity.js";

/** Full purity of a sample in the planes. */
const FULL = 15;
/** Samples that must lie on the image. */
const LEAST_SAMPLES = 5;
/** A centre may lie so far outside, as a part of the radius. */
const MOST_OUTSIDE = 0.7;
/** Greatest radius on a level [px]. */
const MOST_RADIUS = 8;
const BORDER = Math.ceil(MOST_OUTSIDE * MOST_RADIUS) + 1;

/** Planes of purity as the kernels leave them: eight directions of one row after the other. */
export interface PurityPlanes {
  readonly bytes: Uint8Array;
  /** Where the planes of pixel (0, 0) begin. */
  readonly address: number;
  readonly planeStride: number;
  readonly width: number;
  readonly height: number;
}

/** Takes a circle [level px] with its score, 0 to 1. */
export type CircleSink = (u: number, v: number, r: number, score: number) => void;

/**
 * The dense search for circles that the border of an image cuts, centres outside the image included: samples that are not on the
 * image count as those of clutter. The kernels' search counts them 0 and so finds none of which less than half is seen.
 */
export class BorderSearch {
  readonly #scores: Float32Array;
  readonly #radii: Float32Array;
  readonly #columns = new Int32Array(OUTLINE_SAMPLES);
  readonly #rows = new Int32Array(OUTLINE_SAMPLES);

  /** For levels of up to this size. */
  constructor(width: number, height: number) {
    const size = (width + 2 * BORDER) * (height + 2 * BORDER);
    this.#scores = new Float32Array(size);
    this.#radii = new Float32Array(size);
  }

  run(planes: PurityPlanes, radii: Float64Array, count: number, least: number, sink: CircleSink): void {
    this.#scores.fill(0);
    for (let n = 0; n < count; n++) this.#searchRadius(planes, radii[n]!);
    this.#reportPeaks(planes.width, planes.height, least, sink);
  }

  #searchRadius(planes: PurityPlanes, radius: number): void {
    const { width, height } = planes;
    for (let k = 0; k < OUTLINE_SAMPLES; k++) {
      const angle = (2 * Math.PI * k) / OUTLINE_SAMPLES;
      this.#columns[k] = Math.round(radius * Math.cos(angle));
      this.#rows[k] = Math.round(radius * Math.sin(angle));
    }
    const outside = Math.floor(MOST_OUTSIDE * radius);
    const inside = Math.floor(radius);
    for (let y = -outside; y < height + outside; y++) {
      const isEdgeRow = y < inside || y >= height - inside;
      for (let x = -outside; x < width + outside; x++) {
        // Only circles that are cut.
        if (!isEdgeRow && x === inside) x = Math.max(x, width - inside);
        this.#score(planes, x, y, radius);
      }
    }
  }

  #score({ bytes, address, planeStride, width, height }: PurityPlanes, x: number, y: number, radius: number): void {
    let sum = 0;
    let seen = 0;
    for (let k = 0; k < OUTLINE_SAMPLES; k++) {
      const column = x + this.#columns[k]!;
      const row = y + this.#rows[k]!;
      if (column < 1 || row < 1 || column >= width - 1 || row >= height - 1) continue;
      seen++;
      sum += bytes[address + (row * DIRECTIONS + (k % DIRECTIONS)) * planeStride + column]!;
    }
    if (seen < LEAST_SAMPLES) return;
    const score = (sum / FULL + UNSEEN_PURITY * (OUTLINE_SAMPLES - seen)) / OUTLINE_SAMPLES;
    const at = (y + BORDER) * (width + 2 * BORDER) + x + BORDER;
    if (!(score > this.#scores[at]!)) return;
    this.#scores[at] = score;
    this.#radii[at] = radius;
  }

  #reportPeaks(width: number, height: number, least: number, sink: CircleSink): void {
    const stride = width + 2 * BORDER;
    for (let row = 1; row < height + 2 * BORDER - 1; row++) {
      for (let at = row * stride + 1; at < (row + 1) * stride - 1; at++) {
        if (this.#scores[at]! >= least && this.#isPeak(at, stride)) {
          sink(at - row * stride - BORDER, row - BORDER, this.#radii[at]!, this.#scores[at]!);
        }
      }
    }
  }

  /** Not exceeded around it; of equals the first. */
  #isPeak(at: number, stride: number): boolean {
    const scores = this.#scores;
    const value = scores[at]!;
    for (let i = -1; i <= 1; i++)
      if (scores[at - stride + i]! >= value || scores[at + stride + i]! > value) return false;
    return scores[at - 1]! < value && scores[at + 1]! <= value;
  }
}
