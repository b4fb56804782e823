import type { CameraModel } from "../../camera/camera-model.js";
import type { GrayImage } from "../../camera/gray-image.js";
import { leastVarianceOf } from "./ball-tests.js";
import { CandidateExaminer, type CircleDemands, NOISE_WEIGHT } from "./candidate-examiner.js";
import { CandidateList } from "./candidate-list.js";
import { CircleSearch, type SearchRegion } from "./circle-search.js";
import { type CircleSet, FoundCircles, isDuplicate } from "./circle-set.js";
import {
  type CircleDetectorOptions,
  type DetectorSettings,
  detectorDefaults,
  LEAST_RADIUS,
  leastPurityOf,
  radiiBetween,
  requireDetectorOptions,
  requireImageSize,
  type SearchWindow,
  windowReach,
} from "./detector-options.js";

/** Finds circles in images. */
export interface Detector {
  /** All circles of an image, best first. */
  detect(image: GrayImage, out: CircleSet): void;
  /** The circles within windows of an image, best first. */
  detectIn(image: GrayImage, windows: readonly SearchWindow[], out: CircleSet): void;
}

/** Candidates of all levels together. */
const MAX_CANDIDATES = 1024;
/**
 * What the closer look at them may cost in an image of 800 × 600, in rounds of fits, and more in proportion to the image's sides:
 * most candidates are dropped after a round or two, so there is time for the more of them.
 */
const MAX_WORK = 260;
const WORK_PIXELS = 800 * 600;
/** A circle larger by this factor than one that was found about there may be the ball of which that is only a panel or a highlight. */
const LARGER = 1.12;
/** The dense search samples coarsely: its purity may be this part of that of the circle in the end. */
const SEARCH_PURITY = 0.75;

/**
 * Finds balls as circles, by the purity of the gradient along their outline: independent of contrast and brightness.
 * See docs/circles.md. The same image gives the same circles; nothing is kept from one image to the next.
 *
 * @example
 * const detector = new CircleDetector(800, 600, radiiBetween(693, 0.0425, 0.7, 7));
 * detector.detect(image, circles);
 */
export class CircleDetector implements Detector {
  readonly width: number;
  readonly height: number;
  readonly #options: CircleDetectorOptions;
  readonly #maxWork: number;
  /** Variance below which nothing counts as an outline, where the ball's contrast is known [gray²]. */
  readonly #leastVariance: number;
  readonly #search: CircleSearch;
  readonly #candidates = new CandidateList(MAX_CANDIDATES);
  readonly #examiner: CandidateExaminer;
  readonly #found = new FoundCircles();
  /** See LARGER; with a known colour the whole ball stands out. */
  readonly #larger: number;
  readonly #region: SearchRegion & { place: CircleDemands["place"] } = {
    left: 0,
    top: 0,
    width: 0,
    height: 0,
    minRadius: 0,
    maxRadius: 0,
    leastPurity: 1,
    place: "anywhere",
  };

  constructor(width: number, height: number, options: CircleDetectorOptions) {
    requireDetectorOptions(width, height, options);
    this.width = width;
    this.height = height;
    this.#options = options;
    this.#region.leastPurity = leastPurityOf(options);
    this.#maxWork = MAX_WORK * Math.max(1, Math.sqrt((width * height) / WORK_PIXELS));
    const borders = options.contrast === undefined ? "whole" : "cut";
    this.#search = new CircleSearch(width, height, options.minRadius, options.maxRadius, borders);
    this.#leastVariance = leastVarianceOf(options.contrast);
    this.#larger = options.contrast === undefined ? LARGER : Number.POSITIVE_INFINITY;
    this.#examiner = new CandidateExaminer(options.camera ?? null, options.contrast);
  }

  detect(image: GrayImage, out: CircleSet): void {
    this.#found.count = 0;
    const region = this.#region;
    region.left = 0;
    region.top = 0;
    region.width = this.width;
    region.height = this.height;
    region.minRadius = this.#options.minRadius;
    region.maxRadius = this.#options.maxRadius;
    requireImageSize(image, this.width, this.height);
    this.#detectRegion(image, noiseVariance(image), null);
    this.#found.copyTo(out);
  }

  detectIn(image: GrayImage, windows: readonly SearchWindow[], out: CircleSet): void {
    this.#found.count = 0;
    requireImageSize(image, this.width, this.height);
    const noise = noiseVariance(image);
    for (let n = 0; n < windows.length; n++) {
      if (this.#setRegion(windows[n]!)) this.#detectRegion(image, noise, windows[n]!);
    }
    this.#found.copyTo(out);
  }

  /** False if nothing of the window lies in the image, or it asks for no radius this detector knows. */
  #setRegion({ u, v, halfSize, minRadius, maxRadius }: SearchWindow): boolean {
    const region = this.#region;
    region.minRadius = Math.max(minRadius, this.#options.minRadius);
    region.maxRadius = Math.min(maxRadius, this.#options.maxRadius);
    const reach = windowReach(halfSize, region.maxRadius);
    region.left = Math.max(0, Math.floor(u - reach));
    region.top = Math.max(0, Math.floor(v - reach));
    region.width = Math.min(this.width, Math.ceil(u + reach) + 1) - region.left;
    region.height = Math.min(this.height, Math.ceil(v + reach) + 1) - region.top;
    return region.minRadius <= region.maxRadius && region.width >= LEAST_REGION && region.height >= LEAST_REGION;
  }

  /** @param window Where centres may lie; null: anywhere. */
  #detectRegion(image: GrayImage, noise: number, window: SearchWindow | null): void {
    const candidates = this.#candidates;
    const found = this.#found;
    candidates.count = 0;
    this.#region.place = window === null ? "anywhere" : "expected";
    const leastPurity = SEARCH_PURITY * this.#region.leastPurity;
    const leastVariance = NOISE_WEIGHT * this.#leastVariance;
    this.#search.run(image, this.#region, NOISE_WEIGHT * noise, leastVariance, leastPurity, candidates);
    candidates.sort();
    const { levels, left, top } = this.#search;
    const most = this.#examiner.work + this.#maxWork;
    for (let n = 0; n < candidates.count && this.#examiner.work < most; n++) {
      const at = candidates.order[n]!;
      const u = candidates.u[at]!;
      const v = candidates.v[at]!;
      const r = candidates.r[at]!;
      if (window !== null && !isWithin(window, u, v, r)) continue;
      if (isDuplicate(found, u, v, r, this.#larger)) continue;
      this.#examiner.examine(levels, left, top, candidates.level[at]!, u, v, r, noise, this.#region, found);
    }
  }
}

const LEAST_REGION = 16;

/** Candidates are not yet exact: a little beyond the window is still within. */
function isWithin(window: SearchWindow, u: number, v: number, r: number): boolean {
  const most = window.halfSize + WINDOW_MARGIN * r;
  return Math.abs(u - window.u) <= most && Math.abs(v - window.v) <= most;
}

const WINDOW_MARGIN = 0.2;

/** Places looked at, along rows and columns. */
const GRID = 60;
/** Part of the places that are taken to show nothing but noise. */
const QUIET_SHARE = 0.2;
/** The 20 % quantile of the sample variance of 3 × 3 values of a normal distribution of variance 1: χ²₈ / 8. */
const QUIET_QUANTILE = 0.5742;
/** Variance beyond which a place cannot be noise alone, and resolution of the histogram. */
const MAX_VARIANCE = 400;
const BINS = 4000;

/** Scratch of `noiseVariance`. */
const histogram = new Int32Array(BINS + 1);

/**
 * How much a camera's pixels vary by themselves, from one image: the variance over 3 × 3 pixels at places all over the
 * image, of which a fifth, the quietest, is taken for noise [gray²], between 0 and that of a very bad camera.
 */
export function noiseVariance({ width, height, pixels }: GrayImage): number {
  histogram.fill(0);
  let places = 0;
  for (let j = 0; j < GRID; j++) {
    const row = 1 + Math.floor(((j + 0.5) * (height - 2)) / GRID);
    for (let i = 0; i < GRID; i++) {
      const column = 1 + Math.floor(((i + 0.5) * (width - 2)) / GRID);
      const variance = variance3x3(pixels, row * width + column, width);
      const bin = Math.min(BINS, Math.floor((variance * BINS) / MAX_VARIANCE));
      histogram[bin] = histogram[bin]! + 1;
      places++;
    }
  }
  let left = QUIET_SHARE * places;
  let bin = 0;
  while (bin < BINS && left > histogram[bin]!) left -= histogram[bin++]!;
  const within = histogram[bin]! > 0 ? left / histogram[bin]! : 0;
  return ((bin + within) * MAX_VARIANCE) / BINS / QUIET_QUANTILE;
}

function variance3x3(pixels: Uint8Array, centre: number, width: number): number {
  let sum = 0;
  let squares = 0;
  for (let row = centre - width; row <= centre + width; row += width) {
    for (let at = row - 1; at <= row + 1; at++) {
      const value = pixels[at]!;
      sum += value;
      squares += value * value;
    }
  }
  return (squares - (sum * sum) / 9) / 8;
}

/** Nearest and farthest ball that is looked for in images [m]. */
const BALL_RANGE = [0.7, 7] as const;

/** The detector of one camera, for balls of this radius [m]. */
export function detectorFor(
  camera: CameraModel,
  ballRadius: number,
  settings: DetectorSettings = detectorDefaults,
): CircleDetector {
  const contrast = settings.contrast > 0 ? settings.contrast : undefined;
  const { width, height, fx, fy } = camera;
  const { minRadius, maxRadius } = radiiBetween(Math.sqrt(fx * fy), ballRadius, ...BALL_RANGE);
  return new CircleDetector(width, height, {
    minRadius: Math.max(minRadius, LEAST_RADIUS),
    maxRadius,
    camera,
    contrast,
  });
}
