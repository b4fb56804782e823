import type { GrayImage } from "../../camera/gray-image.js";
import { DiscRefinement } from "./disc-refinement.js";

/** A dark disc in an image, seen as an ellipse. */
export interface FoundDisc {
  /** Centre of its area [px]. */
  u: number;
  v: number;
  /** Covariance of its area, a quarter of the squared half axes [px²]. */
  readonly uu: number;
  readonly uv: number;
  readonly vv: number;
  /** Whether it has a light hole. */
  readonly isMarked: boolean;
}

/** Of the larger side of the image: half the side of the square over which brightness is averaged for the threshold. */
const SURROUNDINGS = 1 / 12;
/** What is darker than its surroundings by this much is dark [gray values]. */
const DARKER = 12;
/** Pixels of the smallest disc; shares of the image's larger side that the largest one is wide. */
const SMALLEST = 50;
const LARGEST = 1 / 6;
/** Area against that of the ellipse with the same covariance; 1 for an ellipse. */
const FULL = [0.9, 1.08] as const;
/** Least ratio of the axes: a board that is turned away further is not used. */
const FLATTEST = 0.2;

/** Finds dark discs on light ground, whatever else is in the image, to a few hundredths of a pixel. */
export class DiscFinder {
  readonly #refinement = new DiscRefinement();
  #dark = new Uint8Array(0);
  #stack = new Int32Array(0);
  #sums = new Float64Array(0);
  /** Left and right end of the region grown last, by row. */
  #lefts = new Int32Array(0);
  #rights = new Int32Array(0);

  find(image: GrayImage): FoundDisc[] {
    const { width, height } = image;
    this.#prepare(image);
    const discs: FoundDisc[] = [];
    for (let at = 0; at < width * height; at++) {
      if (this.#dark[at] !== 1) continue;
      const disc = this.#discOf(image, this.#grow(width, height, at));
      if (disc !== null && this.#refinement.refine(image, disc)) discs.push(disc);
    }
    return discs;
  }

  /** Marks what is darker than its surroundings. */
  #prepare({ width, height, pixels }: GrayImage): void {
    if (this.#dark.length !== width * height) {
      this.#dark = new Uint8Array(width * height);
      this.#stack = new Int32Array(width * height);
      this.#sums = new Float64Array((width + 1) * (height + 1));
      this.#lefts = new Int32Array(height);
      this.#rights = new Int32Array(height);
    }
    const sums = this.#sums;
    const stride = width + 1;
    for (let y = 0; y < height; y++) {
      let row = 0;
      for (let x = 0; x < width; x++) {
        row += pixels[y * width + x]!;
        sums[(y + 1) * stride + x + 1] = sums[y * stride + x + 1]! + row;
      }
    }
    const reach = Math.ceil(SURROUNDINGS * Math.max(width, height));
    for (let y = 0; y < height; y++) {
      const [top, bottom] = [Math.max(0, y - reach), Math.min(height, y + reach + 1)];
      for (let x = 0; x < width; x++) {
        const [left, right] = [Math.max(0, x - reach), Math.min(width, x + reach + 1)];
        const sum =
          sums[bottom * stride + right]! -
          sums[top * stride + right]! -
          sums[bottom * stride + left]! +
          sums[top * stride + left]!;
        const mean = sum / ((bottom - top) * (right - left));
        this.#dark[y * width + x] = pixels[y * width + x]! < mean - DARKER ? 1 : 0;
      }
    }
  }

  /** Takes the dark region around a pixel out; its top and bottom row, null where it touches the image's border. */
  #grow(width: number, height: number, seed: number): { top: number; bottom: number } | null {
    const dark = this.#dark;
    const stack = this.#stack;
    const first = Math.floor(seed / width);
    let [top, bottom, isInside] = [first, first, true];
    this.#lefts[first] = width;
    this.#rights[first] = -1;
    let depth = 0;
    stack[depth++] = seed;
    dark[seed] = 2;
    while (depth > 0) {
      const at = stack[--depth]!;
      const x = at % width;
      const y = (at - x) / width;
      // Rows below are reached one after the other; the seed is in the topmost.
      if (y > bottom) {
        this.#lefts[y] = width;
        this.#rights[y] = -1;
        bottom = y;
      }
      top = Math.min(top, y);
      this.#lefts[y] = Math.min(this.#lefts[y]!, x);
      this.#rights[y] = Math.max(this.#rights[y]!, x);
      if (x === 0 || y === 0 || x === width - 1 || y === height - 1) isInside = false;
      if (x > 0 && dark[at - 1] === 1) stack[depth++] = mark(dark, at - 1);
      if (x < width - 1 && dark[at + 1] === 1) stack[depth++] = mark(dark, at + 1);
      if (y > 0 && dark[at - width] === 1) stack[depth++] = mark(dark, at - width);
      if (y < height - 1 && dark[at + width] === 1) stack[depth++] = mark(dark, at + width);
    }
    return isInside ? { top, bottom } : null;
  }

  /** The region as an ellipse, its holes filled; null if it is none. */
  #discOf({ width, height, pixels }: GrayImage, rows: { top: number; bottom: number } | null): FoundDisc | null {
    if (rows === null) return null;
    let [n, u, v, uu, uv, vv] = [0, 0, 0, 0, 0, 0];
    for (let y = rows.top; y <= rows.bottom; y++) {
      const [left, right] = [this.#lefts[y]!, this.#rights[y]!];
      const count = right - left + 1;
      const middle = 0.5 * (left + right);
      n += count;
      u += count * middle;
      v += count * y;
      uu += count * (middle * middle + (count * count - 1) / 12);
      uv += count * middle * y;
      vv += count * y * y;
    }
    u /= n;
    v /= n;
    // A pixel is a square, not a point.
    uu = uu / n - u * u + 1 / 12;
    uv = uv / n - u * v;
    vv = vv / n - v * v + 1 / 12;
    const size = Math.max(width, height);
    const determinant = uu * vv - uv * uv;
    if (n < SMALLEST || !(determinant > 0)) return null;
    const full = n / (4 * Math.PI * Math.sqrt(determinant));
    const root = Math.hypot(0.5 * (uu - vv), uv);
    const [greatest, least] = [0.5 * (uu + vv) + root, 0.5 * (uu + vv) - root];
    const isEllipse = full >= FULL[0] && full <= FULL[1] && least >= FLATTEST * FLATTEST * greatest;
    if (!isEllipse || 4 * Math.sqrt(greatest) > LARGEST * size) return null;
    const isMarked = this.#dark[Math.round(v) * width + Math.round(u)] === 0 && pixels.length > 0;
    return { u, v, uu, uv, vv, isMarked };
  }
}

function mark(dark: Uint8Array, at: number): number {
  dark[at] = 2;
  return at;
}
