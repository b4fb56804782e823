import type { GrayImage } from "../../src/camera/gray-image.js";
import type { Circle } from "../../src/tracking/circles/circle-set.js";
import { type OpenCv, type OpenCvMat } from "../tracking/opencv-library.js";

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

/** The settings that are tried on the tuning half. */
export const houghAltGrid: readonly HoughAltSettings[] = [50, 100, 200, 300].flatMap((edgeThreshold) =>
  [1, 1.5].flatMap((inverseResolution) => [0, 3].map((blur) => ({ edgeThreshold, inverseResolution, blur }))),
);

/** Least perfectness of a circle, the transform's only measure: a circle has it in no other form. */
export const perfectnessSteps: readonly number[] = [0.98, 0.95, 0.9, 0.85, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1];

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
    cv.HoughCircles(this.#source, this.#circles, method, inverseResolution, apart, edgeThreshold, perfectness, least, most);
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
