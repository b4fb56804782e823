import { type ColorOrder, createImage, type GrayImage, grayOfSpan } from "./gray-image.js";

/** An 8-bit colour image: rows from top to bottom without padding. */
export interface ColourImage {
  readonly width: number;
  readonly height: number;
  readonly order: ColorOrder;
  /** width × height pixels of three or four bytes. */
  readonly pixels: Uint8Array;
}

/**
 * One channel of a colour image, in which a ball stands out: red · R + green · G + blue · B + offset, rounded and cut to
 * 0 … 255.
 */
export interface ColourProjection {
  readonly red: number;
  readonly green: number;
  readonly blue: number;
  /** [gray] */
  readonly offset: number;
}

/** Weights of brightness, ITU-R BT.601: the projection where nothing is known about the ball's colour. */
export const luma: ColourProjection = { red: 0.299, green: 0.587, blue: 0.114, offset: 0 };

/** A rectangle of pixels; it may reach beyond the image. */
export interface ImagePart {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** Rows in work at a time. */
const ROWS = 3;

/**
 * Projects colour images of one size. The brightness in the projection keeps its sharpness. The colour in it is smoothed over
 * 3 × 3 pixels with binomial weights: Bayer sensors, JPEG and video have only one sample of colour in 2 × 2 pixels, and blocks
 * of equal colour would look like corners.
 *
 * @example
 * const projector = new ColourProjector(800, 600, { red: 1, green: 0, blue: -1, offset: 128 });
 * detector.detect(projector.project(frame), circles);
 */
export class ColourProjector {
  /** What was projected last. */
  readonly image: GrayImage;
  /** How much of the brightness is in the projection, and what the colours add to it. */
  readonly #brightness: number;
  readonly #weights: readonly [red: number, green: number, blue: number];
  readonly #offset: number;
  /** Whether it is brightness alone. */
  readonly #isLuma: boolean;
  /** The colours' part of one row, with a pixel more on each side; and of three rows, smoothed along the row. */
  readonly #row: Float32Array;
  readonly #smooth: readonly Float32Array[];

  constructor(width: number, height: number, projection: ColourProjection = luma) {
    const { red, green, blue, offset } = projection;
    const sum = red + green + blue;
    this.image = createImage(width, height);
    this.#brightness = sum;
    this.#weights = [red - sum * luma.red, green - sum * luma.green, blue - sum * luma.blue];
    this.#offset = offset;
    this.#isLuma = red === luma.red && green === luma.green && blue === luma.blue && offset === luma.offset;
    this.#row = new Float32Array(width + 2);
    this.#smooth = Array.from({ length: ROWS }, () => new Float32Array(width));
  }

  /** The projection of an image; valid until the next one. */
  project(image: ColourImage): GrayImage {
    const { width, height } = this.image;
    return this.#projectPart(image, 0, 0, width, height);
  }

  /** The projection of these parts of an image, as they are in the whole one, on black. */
  projectParts(image: ColourImage, parts: readonly ImagePart[]): GrayImage {
    const { width, height, pixels } = this.image;
    pixels.fill(0);
    for (const part of parts) {
      const [left, top] = [Math.max(0, part.left), Math.max(0, part.top)];
      const [right, bottom] = [Math.min(width, part.left + part.width), Math.min(height, part.top + part.height)];
      if (left < right && top < bottom) this.#projectPart(image, left, top, right, bottom);
    }
    return this.image;
  }

  #projectPart(image: ColourImage, left: number, top: number, right: number, bottom: number): GrayImage {
    const { width, height, pixels } = this.image;
    for (let row = top; row < bottom; row++) {
      grayOfSpan(image.pixels, image.order, row * width + left, right - left, pixels);
    }
    if (this.#isLuma) return this.image;
    if (top > 0) this.#smoothRow(image, top - 1, left, right);
    this.#smoothRow(image, top, left, right);
    for (let row = top; row < bottom; row++) {
      if (row + 1 < height) this.#smoothRow(image, row + 1, left, right);
      const above = this.#smooth[(row > 0 ? row - 1 : 0) % ROWS]!;
      const here = this.#smooth[row % ROWS]!;
      const below = this.#smooth[(row + 1 < height ? row + 1 : row) % ROWS]!;
      this.#writeRow(row * width, left, right, above, here, below);
    }
    return this.image;
  }

  /** The colours' part of the pixels `left` … `right` − 1 of a row, smoothed along it. */
  #smoothRow({ pixels, order }: ColourImage, row: number, left: number, right: number): void {
    const { width } = this.image;
    const stride = order.length;
    const isRedFirst = order.startsWith("rgb");
    const first = this.#weights[isRedFirst ? 0 : 2];
    const second = this.#weights[1];
    const third = this.#weights[isRedFirst ? 2 : 0];
    const sums = this.#row;
    const [from, until] = [Math.max(0, left - 1), Math.min(width, right + 1)];
    for (let x = from, k = (row * width + from) * stride; x < until; x++, k += stride) {
      sums[x + 1] = first * pixels[k]! + second * pixels[k + 1]! + third * pixels[k + 2]!;
    }
    sums[0] = sums[1]!;
    sums[width + 1] = sums[width]!;
    const out = this.#smooth[row % ROWS]!;
    for (let x = left; x < right; x++) out[x] = sums[x]! + 2 * sums[x + 1]! + sums[x + 2]!;
  }

  #writeRow(
    from: number,
    left: number,
    right: number,
    above: Float32Array,
    here: Float32Array,
    below: Float32Array,
  ): void {
    const { pixels } = this.image;
    const brightness = this.#brightness;
    const offset = this.#offset + 0.5;
    for (let x = left; x < right; x++) {
      const colour = (above[x]! + 2 * here[x]! + below[x]!) / 16;
      const value = Math.floor(brightness * pixels[from + x]! + colour + offset);
      pixels[from + x] = value < 0 ? 0 : value > 255 ? 255 : value;
    }
  }
}
