import { createRequire } from "node:module";
import { describe, expect, it } from "vitest";
import {
  type BayerPattern,
  type ColorOrder,
  createImage,
  grayFromBayer,
  grayFromColor,
} from "../../src/camera/gray-image.js";
import { Random } from "../../src/math/random.js";
import { greatestDifference } from "./cameras.js";
import { sampleImage } from "./images.js";

/** What is used of OpenCV; its own types do not compile with ours. */
interface OpenCvMat {
  readonly data: Uint8Array;
  delete(): void;
}
interface OpenCv {
  readonly COLOR_BGR2GRAY: number;
  readonly COLOR_BGRA2GRAY: number;
  readonly COLOR_BayerBG2GRAY: number;
  readonly COLOR_BayerGB2GRAY: number;
  readonly COLOR_BayerGR2GRAY: number;
  readonly COLOR_BayerRG2GRAY: number;
  readonly COLOR_RGB2GRAY: number;
  readonly COLOR_RGBA2GRAY: number;
  readonly CV_8UC1: number;
  readonly CV_8UC3: number;
  readonly CV_8UC4: number;
  readonly Mat: new () => OpenCvMat;
  matFromArray(rows: number, columns: number, type: number, values: readonly number[]): OpenCvMat;
  cvtColor(source: OpenCvMat, target: OpenCvMat, code: number): void;
}
const { cv } = createRequire(import.meta.url)("opencv-wasm") as { cv: OpenCv };

const [width, height] = [38, 26];

function randomBytes(seed: string, length: number): Uint8Array {
  const random = new Random(seed);
  return Uint8Array.from({ length }, () => random.integer(256));
}

function convertWithOpenCv(source: Uint8Array, channels: number, code: number): Uint8Array {
  const types: Record<number, number> = { 1: cv.CV_8UC1, 3: cv.CV_8UC3, 4: cv.CV_8UC4 };
  const mat = cv.matFromArray(height, width, types[channels]!, [...source]);
  const gray = new cv.Mat();
  cv.cvtColor(mat, gray, code);
  const pixels = Uint8Array.from(gray.data);
  mat.delete();
  gray.delete();
  return pixels;
}

describe("conversion to gray", () => {
  it.each([
    ["rgb", cv.COLOR_RGB2GRAY],
    ["bgr", cv.COLOR_BGR2GRAY],
    ["rgba", cv.COLOR_RGBA2GRAY],
    ["bgra", cv.COLOR_BGRA2GRAY],
  ] as [ColorOrder, number][])("of %s is OpenCV's to the bit", (order, code) => {
    const source = randomBytes(order, width * height * order.length);
    const gray = grayFromColor(source, order, createImage(width, height));
    expect(gray.pixels).toEqual(convertWithOpenCv(source, order.length, code));
  });

  it.each([
    // OpenCV names a pattern by the second and third pixel of the second row.
    ["rggb", cv.COLOR_BayerBG2GRAY],
    ["bggr", cv.COLOR_BayerRG2GRAY],
    ["grbg", cv.COLOR_BayerGB2GRAY],
    ["gbrg", cv.COLOR_BayerGR2GRAY],
  ] as [BayerPattern, number][])("of Bayer %s is OpenCV's inside the border", (pattern, code) => {
    const source = randomBytes(pattern, width * height);
    const gray = grayFromBayer(source, pattern, createImage(width, height));
    const expected = convertWithOpenCv(source, 1, code);
    for (let row = 1; row < height - 1; row++) {
      // Its weights have one bit less here.
      const [from, to] = [row * width + 1, (row + 1) * width - 1];
      expect(greatestDifference(gray.pixels.subarray(from, to), expected.subarray(from, to))).toBeLessThanOrEqual(1);
    }
  });

  it("of an evenly coloured Bayer image is even up to the border, and the luma of its colour", () => {
    const color = { r: 200, g: 90, b: 30 };
    for (const pattern of ["rggb", "bggr", "grbg", "gbrg"] as const) {
      const source = Uint8Array.from({ length: width * height }, (_, i) => {
        const [row, column] = [Math.floor(i / width), i % width];
        return color[pattern[2 * (row % 2) + (column % 2)] as keyof typeof color];
      });
      const { pixels } = grayFromBayer(source, pattern, createImage(width, height));
      expect(new Set(pixels)).toEqual(new Set([Math.round(0.299 * 200 + 0.587 * 90 + 0.114 * 30)]));
    }
  });
});

describe("a gray image", () => {
  const image = { width: 3, height: 2, pixels: Uint8Array.of(0, 10, 20, 100, 110, 121) };

  it("is sampled between its pixels' centres", () => {
    expect(sampleImage(image, 0, 0)).toBe(0);
    expect(sampleImage(image, 2, 1)).toBe(121);
    expect(sampleImage(image, 0.5, 0.5)).toBe(55);
    expect(sampleImage(image, 1.25, 0)).toBe(12.5);
    expect(sampleImage(image, 2.01, 0)).toBeNaN();
    expect(sampleImage(image, Number.NaN, 0)).toBeNaN();
  });
});
