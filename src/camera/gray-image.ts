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

/** A black image that workers can share. */
export function createSharedImage(width: number, height: number): GrayImage {
  return { width, height, pixels: new Uint8Array(new SharedArrayBuffer(width * height)) };
}

export function copyImage(image: GrayImage, out: GrayImage): GrayImage {
  out.pixels.set(image.pixels);
  return out;
}

/**
 * Gray value at (u, v) between pixel centres, bilinear; NaN outside the outermost centres. For tests and drawing: in a
 * hot loop, write it out.
 */
export function sampleImage({ width, height, pixels }: GrayImage, u: number, v: number): number {
  if (!(u >= 0 && v >= 0 && u <= width - 1 && v <= height - 1)) return Number.NaN;
  const column = Math.min(Math.floor(u), Math.max(width - 2, 0));
  const row = Math.min(Math.floor(v), Math.max(height - 2, 0));
  const right = Math.min(column + 1, width - 1);
  const below = Math.min(row + 1, height - 1);
  const a = u - column;
  const b = v - row;
  const top = (1 - a) * pixels[row * width + column]! + a * pixels[row * width + right]!;
  const bottom = (1 - a) * pixels[below * width + column]! + a * pixels[below * width + right]!;
  return (1 - b) * top + b * bottom;
}

/** Half the width and height, each pixel the rounded mean of four; an odd last row or column is dropped. */
export function halveImage({ width, pixels }: GrayImage, out: GrayImage): GrayImage {
  for (let row = 0; row < out.height; row++) {
    let source = 2 * row * width;
    for (let target = row * out.width; target < (row + 1) * out.width; target++, source += 2) {
      const sum = pixels[source]! + pixels[source + 1]! + pixels[source + width]! + pixels[source + width + 1]!;
      out.pixels[target] = (sum + 2) >> 2;
    }
  }
  return out;
}
