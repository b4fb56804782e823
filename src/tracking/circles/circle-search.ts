import type { GrayImage } from "../../camera/gray-image.js";
import { BorderSearch } from "./border-search.js";
import type { CandidateList } from "./candidate-list.js";
import { CircleKernels, DIRECTIONS, FULL_SUM, OUTLINE_SAMPLES, PLANE_BORDER, ROW_SLACK } from "./circle-kernels.js";
import { fromLevel, LevelImage, levelNoise } from "./level-image.js";

/** Peaks that can be told apart on one level, and how many of them, the best, become candidates. */
const MAX_PEAKS = 8192;
const MAX_LEVEL_CANDIDATES = 160;
const ALIGNMENT = 64;
/** From this level on, circles that the border cuts are looked for: balls so near that they leave the image. */
const BORDER_LEVEL = 3;
/** Least purity of such a candidate, with what is not seen taken for clutter. */
const LEAST_BORDER_PURITY = 0.5;

/** A rectangle of an image in which circles of some radii are sought [px]. */
export interface SearchRegion {
  /** First column and row. */
  left: number;
  top: number;
  width: number;
  height: number;
  minRadius: number;
  maxRadius: number;
  /** Least purity of a circle, 0 to 1. */
  leastPurity: number;
}

/**
 * The dense search: the purity of every circle centred on a pixel, on all levels of a pyramid, and of those the local
 * maxima. Works in WebAssembly's memory, into which it copies the region.
 */
export class CircleSearch {
  readonly levels: readonly LevelImage[];
  /** Lowest level searched last. */
  base = 0;
  /** First column and row of the region searched last, in the image. */
  left = 0;
  top = 0;
  /** Whether that was the whole image. */
  #isWhole = false;
  readonly #kernels: CircleKernels;
  readonly #radii = new Float64Array(MAX_LEVEL_RADII);
  readonly #histogram = new Int32Array(FULL_SUM + 1);
  readonly #offsets: number;
  readonly #peaks: number;
  readonly #images: number;
  /** null if circles that the border cuts are not looked for. */
  readonly #border: BorderSearch | null;

  /**
   * @param minRadius Smallest that will be asked for; it decides how much memory the finest level needs.
   * @param borders Whether circles that the image's border cuts are searched for, too.
   */
  constructor(width: number, height: number, minRadius: number, maxRadius: number, borders: "whole" | "cut" = "whole") {
    this.#offsets = 0;
    this.#peaks = align(MAX_LEVEL_RADII * OUTLINE_SAMPLES * 4);
    this.#images = align(this.#peaks + MAX_PEAKS * 4);
    this.#kernels = new CircleKernels(this.#images + memoryOf(width, height, lowestLevel(minRadius)));
    const count = highestLevel(minRadius, maxRadius) + 1;
    this.#border = borders === "cut" ? new BorderSearch(width >> BORDER_LEVEL, height >> BORDER_LEVEL) : null;
    this.levels = Array.from({ length: count }, () => new LevelImage(this.#kernels.bytes));
  }

  /**
   * Adds to `candidates` the local maxima of purity within a region.
   * @param noiseVariance Of the pixels' noise; purity below it counts for little.
   * @param leastVariance The least that it is taken for on any level.
   * @param leastPurity Of a candidate, 0 to 1.
   */
  run(
    image: GrayImage,
    region: SearchRegion,
    noiseVariance: number,
    leastVariance: number,
    leastPurity: number,
    candidates: CandidateList,
  ): void {
    const { minRadius, maxRadius } = region;
    this.base = lowestLevel(minRadius);
    this.#isWhole = region.width === image.width && region.height === image.height;
    const highest = Math.min(highestLevel(minRadius, maxRadius), this.levels.length - 1);
    const free = this.#buildPyramid(image, region, highest);
    for (let level = this.base; level <= highest; level++) {
      const { width, height } = this.levels[level]!;
      if (width < MIN_LEVEL_SIZE || height < MIN_LEVEL_SIZE) break;
      const radii = levelRadii(level, minRadius, maxRadius, this.#radii);
      const noise = Math.max(leastVariance, levelNoise(noiseVariance, level));
      this.#searchLevel(level, radii, noise, leastPurity, free, candidates);
    }
  }

  /** Returns the first address that is free. */
  #buildPyramid(image: GrayImage, region: SearchRegion, highest: number): number {
    this.left = region.left;
    this.top = region.top;
    let { width, height } = region;
    let address = this.#images;
    const finest = this.levels[0]!;
    finest.set(address, width, width, height);
    this.#copyRegion(image, region);
    address = align(address + width * height + ROW_SLACK);
    for (let level = 1; level <= highest; level++) {
      const finer = this.levels[level - 1]!;
      width >>= 1;
      height >>= 1;
      const stride = align(width);
      this.levels[level]!.set(address, stride, width, height);
      this.#kernels.functions.halve(finer.offset, finer.stride, address, stride, width, height);
      address = align(address + stride * height + ROW_SLACK);
    }
    return address;
  }

  #copyRegion(image: GrayImage, { left, top, width, height }: SearchRegion): void {
    const { bytes } = this.#kernels;
    if (width === image.width && height === image.height) {
      bytes.set(image.pixels, this.#images);
      return;
    }
    let target = this.#images;
    for (let row = top; row < top + height; row++) {
      const source = row * image.width + left;
      for (let column = 0; column < width; column++) bytes[target++] = image.pixels[source + column]!;
    }
  }

  #searchLevel(
    level: number,
    radii: number,
    noise: number,
    leastPurity: number,
    free: number,
    candidates: CandidateList,
  ): void {
    const { offset, stride, width, height } = this.levels[level]!;
    const planeStride = planeStrideOf(width);
    const rowStride = DIRECTIONS * planeStride;
    const planes = free + PLANE_BORDER * rowStride + ALIGNMENT;
    const best = align(free + rowStride * (height + 2 * PLANE_BORDER) + 2 * ALIGNMENT);
    const resultStride = align(width);
    const numbers = best + resultStride * height;
    const scratch = numbers + resultStride * height;
    const { projectPurity, searchCircles } = this.#kernels.functions;
    this.#writeOffsets(radii, planeStride);
    projectPurity(offset, stride, width, height, 256 * noise, planes, planeStride, scratch);
    const least = Math.max(1, Math.round(leastPurity * FULL_SUM));
    searchCircles(planes, rowStride, width, height, this.#offsets, radii, least, best, numbers, resultStride);
    this.#collect(level, best, numbers, resultStride, least, candidates);
    if (level >= BORDER_LEVEL) this.#searchBorder(level, radii, planes, leastPurity, candidates);
  }

  /** Circles that a border cuts, where the region is the whole image. */
  #searchBorder(level: number, radii: number, address: number, leastPurity: number, candidates: CandidateList): void {
    if (this.#border === null || !this.#isWhole) return;
    const { width, height } = this.levels[level]!;
    const planes = { bytes: this.#kernels.bytes, address, planeStride: planeStrideOf(width), width, height };
    this.#border.run(planes, this.#radii, radii, Math.max(leastPurity, LEAST_BORDER_PURITY), (u, v, r, score) => {
      candidates.add(fromLevel(u, level), fromLevel(v, level), r * 2 ** level, score, level);
    });
  }

  /** Where the samples of each radius lie in the planes, relative to the centre: every second one, then the others. */
  #writeOffsets(radii: number, planeStride: number): void {
    const { words } = this.#kernels;
    let at = this.#offsets >> 2;
    for (let number = 0; number < radii; number++) {
      const radius = this.#radii[number]!;
      for (let n = 0; n < OUTLINE_SAMPLES; n++) {
        const k = sampleAt(n);
        const angle = (2 * Math.PI * k) / OUTLINE_SAMPLES;
        const column = Math.round(radius * Math.cos(angle));
        const row = Math.round(radius * Math.sin(angle));
        words[at++] = (row * DIRECTIONS + (k % DIRECTIONS)) * planeStride + column;
      }
    }
  }

  /** The peaks of a level, if there are too many only the highest. */
  #collect(
    level: number,
    best: number,
    numbers: number,
    stride: number,
    least: number,
    candidates: CandidateList,
  ): void {
    const { width, height } = this.levels[level]!;
    const { bytes, words, functions } = this.#kernels;
    const inner = best + stride + 1;
    const count = functions.findPeaks(inner, stride, width - 2, height - 2, least, this.#peaks, MAX_PEAKS);
    const leastOfBest = this.#leastOfBest(inner, count);
    const scale = 2 ** level;
    let room = MAX_LEVEL_CANDIDATES;
    for (let n = 0; n < count && room > 0; n++) {
      const place = words[(this.#peaks >> 2) + n]! + stride + 1;
      const value = bytes[best + place]!;
      if (value < leastOfBest) continue;
      room--;
      const row = Math.floor(place / stride);
      const u = fromLevel(place - row * stride, level) + this.left;
      const v = fromLevel(row, level) + this.top;
      candidates.add(u, v, this.#radii[bytes[numbers + place]!]! * scale, value / FULL_SUM, level);
    }
  }

  /** The least value that leaves no more peaks than may become candidates. */
  #leastOfBest(map: number, count: number): number {
    const { bytes, words } = this.#kernels;
    const histogram = this.#histogram.fill(0);
    for (let n = 0; n < count; n++) {
      const value = bytes[map + words[(this.#peaks >> 2) + n]!]!;
      histogram[value] = histogram[value]! + 1;
    }
    let left = MAX_LEVEL_CANDIDATES;
    let value = FULL_SUM;
    for (; value > 0; value--) {
      left -= histogram[value]!;
      if (left < 0) return value + 1;
    }
    return 0;
  }
}

/** Which sample of an outline the search takes as its nth: first those of even numbers. */
function sampleAt(n: number): number {
  return n < OUTLINE_SAMPLES / 2 ? 2 * n : 2 * n - OUTLINE_SAMPLES + 1;
}

/** A level must have room for the smallest circle. */
const MIN_LEVEL_SIZE = 8;

function align(address: number): number {
  return Math.ceil(address / ALIGNMENT) * ALIGNMENT;
}

function planeStrideOf(width: number): number {
  return align(width + 2 * PLANE_BORDER);
}

/** Bytes for the pyramid of a region and the search on its finest level. */
function memoryOf(width: number, height: number, base: number): number {
  const pyramid = 1.5 * (width + 2 * ALIGNMENT) * (height + ALIGNMENT);
  const levelWidth = width >> base;
  const levelHeight = height >> base;
  const planes = DIRECTIONS * planeStrideOf(levelWidth) * (levelHeight + 2 * PLANE_BORDER + 1);
  const results = 2 * align(levelWidth) * (levelHeight + 1) + 8 * levelWidth;
  return Math.ceil(pyramid + planes + results + 64 * ALIGNMENT);
}

/**
 * Which radii are searched on which level of the pyramid. On each level circles have between 3.5 and 7 pixels: there 16
 * samples of 3 × 3 pixels cover the outline, whatever the circle's true size. The lowest level also takes smaller
 * ones, down to 2.9.
 */
const LEAST_LEVEL_RADIUS = 2.9;
export const LEVEL_RADIUS = 3.5;
/** Radii in an octave: neighbours differ by 12 %, less than half the width of an edge's response. */
const STEPS_PER_OCTAVE = 6;
/** Most radii a level can have: from 2.9 to 7. */
const MAX_LEVEL_RADII = 9;

/** The lowest level, with the largest pixels, on which circles of `minRadius` [px] can still be found. */
function lowestLevel(minRadius: number): number {
  return Math.max(0, Math.floor(Math.log2(minRadius / LEAST_LEVEL_RADIUS)));
}

/** The highest level that is needed for circles of up to `maxRadius` [px]. */
export function highestLevel(minRadius: number, maxRadius: number): number {
  return Math.max(lowestLevel(minRadius), Math.ceil(Math.log2(maxRadius / (2 * LEVEL_RADIUS))));
}

/** Writes the radii [level px] to be searched on `level` and returns how many. */
function levelRadii(level: number, minRadius: number, maxRadius: number, out: Float64Array): number {
  const scale = 2 ** level;
  const isLowest = level === lowestLevel(minRadius);
  const least = isLowest ? Math.max(minRadius / scale, LEAST_LEVEL_RADIUS) : LEVEL_RADIUS;
  const most = Math.min(maxRadius / scale, 2 * LEVEL_RADIUS);
  const ratio = 2 ** (1 / STEPS_PER_OCTAVE);
  let count = 0;
  for (let radius = least; count < MAX_LEVEL_RADII && radius < most * ratio; radius *= ratio) out[count++] = radius;
  return count;
}
