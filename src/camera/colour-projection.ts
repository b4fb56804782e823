import { type ColorOrder, type GrayImage, WEIGHT_ONE, weighColors } from "./gray-image.js";

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

/** Brightness, ITU-R BT.601: the projection where nothing is known about the ball's colour. */
export const luma: ColourProjection = { red: 0.299, green: 0.587, blue: 0.114, offset: 0 };

/** Greatest magnitude of a weight. */
export const MOST_WEIGHT = 64;

/**
 * Projects a colour image of the size of `out`.
 *
 * @example
 * const gray = projectColour(frame, { red: 1, green: 0, blue: -1, offset: 128 }, createImage(800, 600));
 */
export function projectColour(source: ColourImage, projection: ColourProjection, out: GrayImage): GrayImage {
  const { red, green, blue, offset } = projection;
  const parts = (weight: number): number =>
    Math.round(WEIGHT_ONE * Math.max(-MOST_WEIGHT, Math.min(MOST_WEIGHT, weight)));
  return weighColors(
    source.pixels,
    source.order,
    parts(red),
    parts(green),
    parts(blue),
    Math.round(WEIGHT_ONE * offset),
    out,
  );
}
