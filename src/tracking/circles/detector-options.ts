import type { CameraModel } from "../../camera/camera-model.js";
import type { ColourProjection } from "../../camera/colour-projection.js";
import type { GrayImage } from "../../camera/gray-image.js";
import { FlycatcherError } from "../../runtime/errors.js";

/** What a detector looks for. Everything left out has the default. */
export interface CircleDetectorOptions {
  /** Radii that a ball can have [px]. */
  readonly minRadius: number;
  readonly maxRadius: number;
  /** The camera, which knows how the outline of a ball is drawn out towards the image's corners. Default: not at all. */
  readonly camera?: CameraModel;
  /**
   * How much brighter than its surroundings the ball is [gray]: known in a projection that was learnt from its colour. Steps
   * that are far lower are then not taken for its outline, nor those to the brighter side. Default: unknown, of either sign.
   */
  readonly contrast?: number | undefined;
  /** Least purity of a circle's outline, 0 to 1, after what its scatter costs. */
  readonly leastPurity?: number;
}

/** What the configuration says about the detectors of a run: plain data. */
export interface DetectorSettings {
  /** See `CircleDetectorOptions`; 0: unknown [gray]. */
  readonly contrast: number;
  /** How colour images become gray ones, in which the ball stands out; left out: by their brightness. */
  readonly projection?: ColourProjection;
}

export const detectorDefaults: DetectorSettings = { contrast: 0 };

/** Where a circle is expected [px]. */
export interface SearchWindow {
  readonly u: number;
  readonly v: number;
  /** How far the centre may be from there, along u and v. */
  readonly halfSize: number;
  readonly minRadius: number;
  readonly maxRadius: number;
}

/** Pixels beyond the outline that the fit may look at. */
const REGION_MARGIN = 4;

/** How far from its middle, along u and v, pixels are looked at for a window [px]. */
export function windowReach(halfSize: number, maxRadius: number): number {
  return halfSize + 1.5 * maxRadius + REGION_MARGIN;
}

/** Below this an outline has too few pixels to be told from a corner or a blob [px]. */
export const LEAST_RADIUS = 2.9;

/** Below it arcs of clutter begin to pass for circles; a ball of 10 % contrast before a busy background has 0.6. */
export const defaultLeastPurity = 0.55;
/** The same where the ball's contrast is known: its colour speaks for it, too. */
const COLOUR_LEAST_PURITY = 0.45;

/** The least purity that options ask for. */
export function leastPurityOf({ leastPurity, contrast }: CircleDetectorOptions): number {
  return leastPurity ?? (contrast === undefined ? defaultLeastPurity : COLOUR_LEAST_PURITY);
}

/** Radii [px] that a ball of `ballRadius` [m] has between two distances [m], for a focal length [px]. */
export function radiiBetween(
  focalLength: number,
  ballRadius: number,
  nearest: number,
  farthest: number,
): { minRadius: number; maxRadius: number } {
  return { minRadius: (focalLength * ballRadius) / farthest, maxRadius: (focalLength * ballRadius) / nearest };
}

export function requireDetectorOptions(width: number, height: number, options: CircleDetectorOptions): void {
  const { minRadius, maxRadius, leastPurity = defaultLeastPurity } = options;
  const demands: readonly (readonly [string, boolean, string, number])[] = [
    ["width", Number.isInteger(width) && width >= 16, "a whole number of at least 16 px", width],
    ["height", Number.isInteger(height) && height >= 16, "a whole number of at least 16 px", height],
    ["minRadius", minRadius >= LEAST_RADIUS, `at least ${LEAST_RADIUS} px`, minRadius],
    ["maxRadius", maxRadius >= minRadius && maxRadius <= width, "from minRadius to the image's width", maxRadius],
    ["leastPurity", leastPurity > 0 && leastPurity <= 1, "above 0, at most 1", leastPurity],
  ];
  for (const [path, holds, expected, found] of demands) {
    if (holds) continue;
    throw new FlycatcherError("FLY_CIRCLES_OPTION_INVALID", "no circle detector", {
      path,
      expected,
      found: String(found),
    });
  }
}

export function requireImageSize(image: GrayImage, width: number, height: number): void {
  if (image.width === width && image.height === height) return;
  throw new FlycatcherError("FLY_CIRCLES_OPTION_INVALID", "an image of another size than the detector was made for", {
    path: "image",
    expected: `${width} × ${height}`,
    found: `${image.width} × ${image.height}`,
  });
}
