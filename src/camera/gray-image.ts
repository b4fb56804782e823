/** An 8-bit gray image: rows from top to bottom without padding. */
export interface GrayImage {
  readonly width: number;
  readonly height: number;
  /** width × height gray values; may lie in shared memory. */
  readonly pixels: Uint8Array;
}

/** A black image. */
export function createImage(width: number, height: number): GrayImage {
  return { width, height, pixels: new Uint8Array(width * height) };
}

/** Weights of red, green and blue in luma (ITU-R BT.601: 0.299, 0.587, 0.114) in parts of 2¹⁵; they sum to 2¹⁵. */
const RED = 9798;
const GREEN = 19235;
const BLUE = 3735;
const SHIFT = 15;
const HALF = 1 << (SHIFT - 1);

/** Order of the bytes of a pixel. */
export type ColorOrder = "rgb" | "bgr" | "rgba" | "bgra";

/** Colours of the first two pixels of the first row, then of the second. */
export type BayerPattern = "rggb" | "bggr" | "grbg" | "gbrg";

/**
 * Luma of interleaved 8-bit colour, rows without padding.
 *
 * @example
 * const gray = grayFromColor(frame, "bgr", createImage(1600, 1200)); // once for each frame, into the same image
 */
export function grayFromColor(source: Uint8Array, order: ColorOrder, out: GrayImage): GrayImage {
  grayOfSpan(source, order, 0, out.width * out.height, out.pixels);
  return out;
}

/** The same for `count` pixels from number `from` on. */
export function grayOfSpan(source: Uint8Array, order: ColorOrder, from: number, count: number, out: Uint8Array): void {
  const stride = order.length;
  const first = order.startsWith("rgb") ? RED : BLUE;
  const third = order.startsWith("rgb") ? BLUE : RED;
  for (let i = from, k = from * stride, end = from + count; i < end; i++, k += stride) {
    out[i] = (first * source[k]! + GREEN * source[k + 1]! + third * source[k + 2]! + HALF) >> SHIFT;
  }
}

/**
 * Luma of a raw Bayer image, the missing colours interpolated bilinearly. Beyond the border the image is mirrored about
 * its outermost pixels, which keeps the pattern. Width and height are at least 2.
 */
export function grayFromBayer(source: Uint8Array, pattern: BayerPattern, out: GrayImage): GrayImage {
  const { width, height, pixels } = out;
  for (let row = 0; row < height; row++) {
    const here = row * width;
    const above = (row === 0 ? 1 : row - 1) * width;
    const below = (row === height - 1 ? height - 2 : row + 1) * width;
    // The colour of this row that is not green, and the column at which it first stands.
    const isRedRow = pattern.indexOf("r") < 2 === (row % 2 === 0);
    const own = isRedRow ? RED : BLUE;
    const other = isRedRow ? BLUE : RED;
    const firstOwn = pattern.indexOf(isRedRow ? "r" : "b") % 2;
    for (let column = 0; column < width; column++) {
      const left = column === 0 ? 1 : column - 1;
      const right = column === width - 1 ? width - 2 : column + 1;
      const middle = source[here + column]!;
      const beside = source[here + left]! + source[here + right]!;
      const upDown = source[above + column]! + source[below + column]!;
      let sum = 0;
      if (column % 2 === firstOwn) {
        const corners = source[above + left]! + source[above + right]! + source[below + left]! + source[below + right]!;
        sum = own * 4 * middle + GREEN * (beside + upDown) + other * corners;
      } else {
        sum = GREEN * 4 * middle + own * 2 * beside + other * 2 * upDown;
      }
      pixels[here + column] = (sum + 4 * HALF) >> (SHIFT + 2);
    }
  }
  return out;
}
