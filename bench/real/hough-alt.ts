import type { GrayImage } from "../../src/camera/gray-image.js";
import type { Circle } from "../../src/tracking/circles/circle-set.js";
import type { OpenCv, OpenCvMat } from "../tracking/opencv-library.js";

/** Half a pixel: OpenCV's circles lie to the upper left of ours. */
const HALF_PIXEL = 0.5;

/** How OpenCV's newer Hough transform is asked. */
export interface HoughAltSettings {
  /** Gradient (Scharr) above which there is an edge. */
  readonly edgeThreshold: number;
  /** Image size divided by the accumulator's. */
  readonly inverseResolution: number;
  /** Side of the Gaussian blur before it [px]; 0: none. */
  readonly blur: number;
}

/** The better of two settings that were tried on the tuning half of seed 1. */
export const bestHoughAlt: HoughAltSettings = { edgeThreshold: 300, inverseResolution: 1.5, blur: 3 };

/** Least perfectness of a circle, by which the transform's false circles are controlled. An image takes 0.1 to 0.5 s. */
export const perfectnessSteps: readonly number[] = [0.95, 0.92, 0.9];

/** OpenCV's HOUGH_GRADIENT_ALT for images of one size. */
export class HoughAlt {
  readonly #cv: OpenCv;
  readonly #source: OpenCvMat;
  readonly #circles: OpenCvMat;
  readonly #radii: readonly [number, number];

  constructor({ cv }: { readonly cv: OpenCv }, width: number, height: number, minRadius: number, maxRadius: number) {
    this.#cv = cv;
    this.#source = new cv.Mat(height, width, cv.CV_8UC1);
    this.#circles = new cv.Mat();
    this.#radii = [Math.floor(minRadius), Math.ceil(maxRadius)];
  }

  detect(image: GrayImage, settings: HoughAltSettings, perfectness: number): Circle[] {
    const { edgeThreshold, inverseResolution, blur } = settings;
    const cv = this.#cv;
    const [least, most] = this.#radii;
    this.#source.data.set(image.pixels);
    if (blur > 0) cv.GaussianBlur(this.#source, this.#source, new cv.Size(blur, blur), 0);
    const method = cv.HOUGH_GRADIENT_ALT;
    const apart = 2 * least;
    cv.HoughCircles(
      this.#source,
      this.#circles,
      method,
      inverseResolution,
      apart,
      edgeThreshold,
      perfectness,
      least,
      most,
    );
    const { data32F, rows, cols } = this.#circles;
    // Unlike HOUGH_GRADIENT it returns a column.
    return Array.from({ length: rows * cols }, (_, n) => ({
      u: data32F[3 * n]! + HALF_PIXEL,
      v: data32F[3 * n + 1]! + HALF_PIXEL,
      r: data32F[3 * n + 2]!,
    }));
  }

  /** Returns OpenCV's memory; the object cannot be used afterwards. */
  close(): void {
    this.#source.delete();
    this.#circles.delete();
  }
}
