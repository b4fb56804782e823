import type { GrayImage } from "../../src/camera/gray-image.js";

/**
 * Gray value at (u, v) between pixel centres, bilinear; NaN outside the outermost centres.
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
