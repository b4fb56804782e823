import { createImage, type GrayImage } from "../../src/camera/gray-image.js";
import { CandidateExaminer, type CircleDemands } from "../../src/tracking/circles/candidate-examiner.js";
import { type Detector, noiseVariance } from "../../src/tracking/circles/circle-detector.js";
import { highestLevel, LEVEL_RADIUS } from "../../src/tracking/circles/circle-search.js";
import { type CircleSet, FoundCircles } from "../../src/tracking/circles/circle-set.js";
import {
  type CircleDetectorOptions,
  defaultLeastPurity,
  requireDetectorOptions,
  type SearchWindow,
} from "../../src/tracking/circles/detector-options.js";
import { LevelImage } from "../../src/tracking/circles/level-image.js";
import type { OpenCv, OpenCvMat } from "./opencv-library.js";

/** How OpenCV's Hough transform is asked. */
export interface HoughSettings {
  /** Gradient above which Canny sees an edge (it follows edges down to half of it). */
  readonly cannyThreshold: number;
  /** Votes of edge pixels that a centre needs. */
  readonly votes: number;
  /** Side of the Gaussian blur before it [px]; 0: none. */
  readonly blur: number;
}

/**
 * A compromise picked between a few settings tried by hand, not an optimum: with fewer votes recall rises a little, and
 * false circles and time by a multiple.
 */
export const defaultHough: HoughSettings = { cannyThreshold: 40, votes: 25, blur: 5 };

/** OpenCV's circles lie half a pixel to the upper left of ours. */
const HALF_PIXEL = 0.5;

/**
 * The peer of `CircleDetector`: OpenCV's Hough transform finds the circles, which are then refined and
 * judged as ours are. It thresholds the gradient's height, so faint balls escape it; and it allocates.
 */
export class OpenCvDetector implements Detector {
  readonly #cv: OpenCv;
  readonly #hough: HoughSettings;
  readonly #demands: CircleDemands;
  readonly #examiner: CandidateExaminer;
  readonly #found = new FoundCircles();
  readonly #source: OpenCvMat;
  readonly #blurred: OpenCvMat;
  readonly #circles: OpenCvMat;
  readonly #pyramid: readonly GrayImage[];
  readonly #levels: readonly LevelImage[];

  constructor(
    { cv }: { readonly cv: OpenCv },
    width: number,
    height: number,
    options: CircleDetectorOptions,
    hough: HoughSettings = defaultHough,
  ) {
    requireDetectorOptions(width, height, options);
    const { minRadius, maxRadius, leastPurity = defaultLeastPurity } = options;
    this.#cv = cv;
    this.#hough = hough;
    this.#demands = { minRadius, maxRadius, leastPurity, place: "anywhere" };
    this.#examiner = new CandidateExaminer(options.camera ?? null);
    this.#source = new cv.Mat(height, width, cv.CV_8UC1);
    this.#blurred = new cv.Mat(height, width, cv.CV_8UC1);
    this.#circles = new cv.Mat();
    const count = highestLevel(minRadius, maxRadius) + 1;
    this.#pyramid = Array.from({ length: count }, (_, level) => createImage(width >> level, height >> level));
    this.#levels = this.#pyramid.map((image) => {
      const level = new LevelImage(image.pixels);
      level.set(0, image.width, image.width, image.height);
      return level;
    });
  }

  detect(image: GrayImage, out: CircleSet): void {
    this.#found.count = 0;
    const { minRadius, maxRadius } = this.#demands;
    this.#loadImage(image);
    this.#vote(this.#blurred, minRadius, maxRadius);
    this.#examineAll(image, 0, 0, this.#demands);
    this.#found.copyTo(out);
  }

  detectIn(image: GrayImage, windows: readonly SearchWindow[], out: CircleSet): void {
    this.#found.count = 0;
    this.#loadImage(image);
    for (const window of windows) this.#detectWindow(image, window);
    this.#found.copyTo(out);
  }

  /** OpenCV's own circles, neither refined nor judged: the peer as it is. It has no score; they come with most votes first. */
  propose(image: GrayImage, out: CircleSet): void {
    const { minRadius, maxRadius } = this.#demands;
    this.#source.data.set(image.pixels);
    this.#blur();
    this.#vote(this.#blurred, minRadius, maxRadius);
    const { data32F, cols } = this.#circles;
    out.count = Math.min(cols, out.capacity);
    for (let n = 0; n < out.count; n++) {
      out.u[n] = data32F[3 * n]! + HALF_PIXEL;
      out.v[n] = data32F[3 * n + 1]! + HALF_PIXEL;
      out.r[n] = data32F[3 * n + 2]!;
      out.score[n] = 0;
    }
  }

  /** Gives OpenCV's memory back; the detector is of no use afterwards. */
  close(): void {
    this.#source.delete();
    this.#blurred.delete();
    this.#circles.delete();
  }

  #loadImage(image: GrayImage): void {
    this.#source.data.set(image.pixels);
    this.#blur();
    this.#pyramid[0]!.pixels.set(image.pixels);
    for (let level = 1; level < this.#pyramid.length; level++) {
      halveImage(this.#pyramid[level - 1]!, this.#pyramid[level]!);
    }
  }

  #blur(): void {
    const { blur } = this.#hough;
    if (blur === 0) this.#blurred.data.set(this.#source.data);
    else this.#cv.GaussianBlur(this.#source, this.#blurred, new this.#cv.Size(blur, blur), 0);
  }

  #vote(mat: OpenCvMat, minRadius: number, maxRadius: number): void {
    const { cannyThreshold, votes } = this.#hough;
    const least = Math.max(1, Math.floor(minRadius));
    const most = Math.ceil(maxRadius);
    const cv = this.#cv;
    cv.HoughCircles(mat, this.#circles, cv.HOUGH_GRADIENT, 1, 2 * least, cannyThreshold, votes, least, most);
  }

  #detectWindow(image: GrayImage, window: SearchWindow): void {
    const minRadius = Math.max(window.minRadius, this.#demands.minRadius);
    const maxRadius = Math.min(window.maxRadius, this.#demands.maxRadius);
    const reach = window.halfSize + 1.5 * maxRadius;
    const left = Math.max(0, Math.floor(window.u - reach));
    const top = Math.max(0, Math.floor(window.v - reach));
    const width = Math.min(image.width, Math.ceil(window.u + reach)) - left;
    const height = Math.min(image.height, Math.ceil(window.v + reach)) - top;
    if (!(minRadius <= maxRadius && width > 0 && height > 0)) return;
    const part = this.#blurred.roi(new this.#cv.Rect(left, top, width, height));
    this.#vote(part, minRadius, maxRadius);
    part.delete();
    this.#examineAll(image, left, top, { ...this.#demands, minRadius, maxRadius });
  }

  #examineAll(image: GrayImage, left: number, top: number, demands: CircleDemands): void {
    const noise = noiseVariance(image);
    const { data32F, cols } = this.#circles;
    for (let n = 0; n < cols; n++) {
      const u = data32F[3 * n]! + HALF_PIXEL + left;
      const v = data32F[3 * n + 1]! + HALF_PIXEL + top;
      const r = data32F[3 * n + 2]!;
      const level = Math.min(Math.max(0, Math.floor(Math.log2(r / LEVEL_RADIUS))), this.#levels.length - 1);
      this.#examiner.examine(this.#levels, 0, 0, level, u, v, r, noise, demands, this.#found);
    }
  }
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
