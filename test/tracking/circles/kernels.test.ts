import { describe, expect, test } from "vitest";
import { halveImage } from "../../../bench/tracking/opencv-detector.js";
import { createImage } from "../../../src/camera/gray-image.js";
import { Random } from "../../../src/math/random.js";
import {
  CircleKernels,
  DIRECTIONS,
  OUTLINE_SAMPLES,
  PLANE_BORDER,
} from "../../../src/tracking/circles/circle-kernels.js";
import { deep } from "../../support/deep.js";
import { allCircles, type ByteMap, circleMaps, peakPlaces, purityPlanes } from "./kernel-reference.js";

/** Places in the kernels' memory, far enough apart for the images of these tests. */
const IMAGE = 1 << 16;
const OFFSETS = 1 << 18;
const SCRATCH = 1 << 19;
const PLANES = 1 << 20;
const BEST = 1 << 21;
const NUMBER = BEST + (1 << 18);
const PEAKS = BEST + (1 << 19);
const MEMORY = 1 << 22;

/** The samples of an outline as the search takes them: every second one first. */
const sampleOrder = [0, 2, 4, 6, 8, 10, 12, 14, 1, 3, 5, 7, 9, 11, 13, 15];

const radii = [3.1, 3.5, 4.2, 5, 6.1, 7];

/** Random sizes, so that rows end anywhere in a block of 8, 16 or 64; kinds of content that strain the arithmetic. */
function randomImage(random: Random): ByteMap {
  const width = 12 + random.integer(90);
  const height = 12 + random.integer(40);
  const values = new Uint8Array(width * height);
  const kind = random.integer(4);
  const base = random.integer(256);
  for (let i = 0; i < values.length; i++) {
    if (kind === 0) values[i] = random.integer(256);
    else if (kind === 1) values[i] = random.integer(2) * 255;
    else if (kind === 2) values[i] = Math.min(255, base + random.integer(4));
    else values[i] = (i % width) * 2 + (base >> 2);
  }
  return { width, height, values };
}

/** Standard deviation of the noise in `imageOfDiscs` [gray]. */
const NOISE = 2;

/** A few discs of any contrast, some hidden in part by a bar of their own gray, before an even background. */
function imageOfDiscs(random: Random): ByteMap {
  const width = 150;
  const height = 60;
  const values = new Uint8Array(width * height);
  const background = 60 + random.integer(120);
  const discs = Array.from({ length: 6 }, (_, n) => ({
    x: 15 + 24 * n + random.uniformIn(-4, 4),
    y: random.uniformIn(10, 50),
    r: random.uniformIn(3.2, 7),
    step: random.uniformIn(-50, 50),
    bar: random.uniformIn(0, 12),
  }));
  for (let i = 0; i < values.length; i++) {
    const [x, y] = [i % width, Math.floor(i / width)];
    let gray = background;
    for (const disc of discs) {
      const inside = Math.min(1, Math.max(0, disc.r + 0.5 - Math.hypot(x - disc.x, y - disc.y)));
      gray += disc.step * (x > disc.x + disc.bar && x < disc.x + disc.bar + 4 ? 1 : inside);
    }
    values[i] = Math.max(0, Math.min(255, Math.round(gray + NOISE * random.normal())));
  }
  return { width, height, values };
}

/** The memory is full of rubbish beforehand: kernels must not rely on what an earlier image left. */
function dirtyKernels(): CircleKernels {
  const kernels = new CircleKernels(MEMORY);
  kernels.bytes.fill(0xa5);
  return kernels;
}

function readMap(kernels: CircleKernels, start: number, stride: number, { width, height }: ByteMap): Uint8Array {
  const values = new Uint8Array(width * height);
  for (let y = 0; y < height; y++) {
    values.set(kernels.bytes.subarray(start + y * stride, start + y * stride + width), y * width);
  }
  return values;
}

function planeStrideOf(width: number): number {
  return Math.ceil((width + 2 * PLANE_BORDER) / 64) * 64;
}

function projectInto(kernels: CircleKernels, image: ByteMap, noise: number): number {
  kernels.bytes.set(image.values, IMAGE);
  const stride = planeStrideOf(image.width);
  const planes = PLANES + PLANE_BORDER * DIRECTIONS * stride + 64;
  kernels.functions.projectPurity(IMAGE, image.width, image.width, image.height, noise, planes, stride, SCRATCH);
  return planes;
}

function searchInto(kernels: CircleKernels, image: ByteMap, planes: number, least: number): number {
  const planeStride = planeStrideOf(image.width);
  for (const [n, radius] of radii.entries()) {
    for (const [place, k] of sampleOrder.entries()) {
      const angle = (2 * Math.PI * k) / OUTLINE_SAMPLES;
      const row = Math.round(radius * Math.sin(angle)) * DIRECTIONS + (k % DIRECTIONS);
      const column = Math.round(radius * Math.cos(angle));
      kernels.words[(OFFSETS >> 2) + n * OUTLINE_SAMPLES + place] = row * planeStride + column;
    }
  }
  const stride = Math.ceil(image.width / 64) * 64;
  const { searchCircles } = kernels.functions;
  const { width, height } = image;
  searchCircles(planes, DIRECTIONS * planeStride, width, height, OFFSETS, radii.length, least, BEST, NUMBER, stride);
  return stride;
}

describe("image kernels against plain references, bit by bit", () => {
  const rounds = deep(15, 600);

  test("halve", () => {
    const random = new Random("halve");
    const kernels = dirtyKernels();
    for (let round = 0; round < rounds; round++) {
      const image = randomImage(random);
      const half = createImage(image.width >> 1, image.height >> 1);
      kernels.bytes.set(image.values, IMAGE);
      kernels.functions.halve(IMAGE, image.width, PLANES, 64, half.width, half.height);
      const expected = halveImage({ ...image, pixels: image.values }, half).pixels;
      expect(readMap(kernels, PLANES, 64, { ...half, values: half.pixels })).toEqual(expected);
    }
  });

  test("projectPurity, with its border of zeros", () => {
    const random = new Random("purity");
    const kernels = dirtyKernels();
    for (let round = 0; round < rounds; round++) {
      const image = randomImage(random);
      const noise = 256 * random.uniformIn(0.08, 20);
      const planes = projectInto(kernels, image, noise);
      const stride = planeStrideOf(image.width);
      const expected = purityPlanes(image, noise);
      for (let k = 0; k < DIRECTIONS; k++) {
        const plane = planes + k * stride;
        expect(readMap(kernels, plane, DIRECTIONS * stride, image)).toEqual(expected[k]!.values);
        const above = plane - DIRECTIONS * stride - PLANE_BORDER;
        const border = kernels.bytes.subarray(above, above + image.width + 2 * PLANE_BORDER);
        expect(border.every((value) => value === 0)).toBe(true);
      }
    }
  });

  test("searchCircles", () => {
    const random = new Random("search");
    const kernels = dirtyKernels();
    for (let round = 0; round < rounds; round++) {
      const image = randomImage(random);
      const noise = 256 * random.uniformIn(0.08, 20);
      const least = round % 3 === 0 ? 1 : 60 + random.integer(120);
      const stride = searchInto(kernels, image, projectInto(kernels, image, noise), least);
      const expected = circleMaps(purityPlanes(image, noise), radii, least);
      expect(readMap(kernels, BEST, stride, image)).toEqual(expected.best.values);
      expect(readMap(kernels, NUMBER, stride, image)).toEqual(expected.number.values);
    }
  });

  test("what the search passes over has no circle that is wanted", () => {
    const random = new Random("passed over");
    const kernels = dirtyKernels();
    const least = 99;
    let wanted = 0;
    let lost = 0;
    for (let round = 0; round < deep(8, 200); round++) {
      const image = imageOfDiscs(random);
      const noise = 256 * 2 * NOISE ** 2;
      const stride = searchInto(kernels, image, projectInto(kernels, image, noise), least);
      const found = readMap(kernels, BEST, stride, image);
      for (const { x, y } of peakPlaces(allCircles(purityPlanes(image, noise), radii).best, least)) {
        wanted++;
        if (found[y * image.width + x]! < least) lost++;
      }
    }
    expect(wanted).toBeGreaterThan(20);
    expect(lost).toBe(0);
  });

  test("findPeaks, also of plateaus, and no more than there is room for", () => {
    const random = new Random("peaks");
    const kernels = dirtyKernels();
    for (let round = 0; round < rounds; round++) {
      const image = randomImage(random);
      const { width, height } = image;
      kernels.bytes.set(image.values, BEST);
      const threshold = 1 + random.integer(250);
      const expected = peakPlaces(image, threshold);
      const capacity = round % 5 === 0 ? expected.length >> 1 : 8192;
      const { findPeaks } = kernels.functions;
      const count = findPeaks(BEST + width + 1, width, width - 2, height - 2, threshold, PEAKS, capacity);
      const places = Array.from(kernels.words.subarray(PEAKS >> 2, (PEAKS >> 2) + count), (place) => ({
        x: (place % width) + 1,
        y: Math.floor(place / width) + 1,
      }));
      expect(places).toEqual(expected.slice(0, capacity));
    }
  });
});
