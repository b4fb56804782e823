import { clipRegion, type PixelRegion } from "./image-regions.js";
import type { KernelMemory } from "./kernel-memory.js";

/** Edge of a block [px]. */
const BLOCK = 8;
/** Sizes of the kernel's record: see kernels/compress.as. */
const CODEC_WORDS = 8;
/** Bytes of a block of numbers. */
const BLOCK_BYTES = 4 * BLOCK * BLOCK;

/** Steps of quantisation of the luminance in JPEG at quality 50 (ISO/IEC 10918-1, annex K). */
const STEPS = [
  16, 11, 10, 16, 24, 40, 51, 61, 12, 12, 14, 19, 26, 58, 60, 55, 14, 13, 16, 24, 40, 57, 69, 56, 14, 17, 22, 29, 51,
  87, 80, 62, 18, 22, 37, 56, 68, 109, 103, 77, 24, 35, 55, 64, 81, 104, 113, 92, 49, 64, 78, 87, 103, 121, 120, 101,
  72, 92, 95, 98, 112, 100, 103, 99,
] as const;

/** The functions of kernels/compress.as. */
interface CodecKernels {
  compressRow(codec: number, row: number, left: number, right: number): void;
  smoothAcross(codec: number, row: number, left: number, right: number): void;
  smoothDown(codec: number, row: number, left: number, right: number): void;
}

/**
 * The artefacts of JPEG and H.264: blocks of 8 × 8 pixels lose the finer part of their cosine transform, and the borders between
 * them are smoothed where they are faint. There is no prediction from image to image, and blocks have one size: what is lost in
 * a real video also depends on the images before.
 */
export class Codec {
  readonly #memory: KernelMemory;
  readonly #kernels: CodecKernels;
  readonly #width: number;
  readonly #height: number;
  readonly #record: number;
  readonly #steps: number;
  #strength = Number.NaN;

  /** `pixels` is the address of the image's bytes. */
  constructor(memory: KernelMemory, width: number, height: number, pixels: number) {
    this.#memory = memory;
    this.#kernels = memory.load("compress");
    this.#width = width;
    this.#height = height;
    this.#steps = memory.allocate(2 * BLOCK_BYTES);
    const scratch = memory.allocate(2 * BLOCK_BYTES);
    this.#record = memory.allocate(4 * CODEC_WORDS);
    memory.words.set([pixels, width, this.#steps, this.#steps + BLOCK_BYTES, scratch], this.#record / 4);
  }

  /** The region that must be there so that the one asked for is right: whole blocks, and one more on each side. */
  regionFor({ left, top, width, height }: PixelRegion): PixelRegion {
    const from = (first: number): number => BLOCK * (Math.floor(first / BLOCK) - 1);
    const until = (end: number): number => BLOCK * (Math.ceil(end / BLOCK) + 1);
    const [x, y] = [from(left), from(top)];
    const whole = { left: x, top: y, width: until(left + width) - x, height: until(top + height) - y };
    return clipRegion(whole, this.#width, this.#height)!;
  }

  /**
   * Compresses whole blocks of a region; `strength` multiplies the steps of JPEG at quality 50, so that 0.4 is quality 80. Pixels
   * beyond the last whole block stay as they are.
   */
  apply(strength: number, { left, top, width, height }: PixelRegion): void {
    this.#use(strength);
    const [first, last] = [Math.ceil(left / BLOCK), Math.floor((left + width) / BLOCK) - 1];
    const [upper, lower] = [Math.ceil(top / BLOCK), Math.floor((top + height) / BLOCK) - 1];
    if (last < first) return;
    const bottom = BLOCK * (lower + 1) - 1;
    for (let row = upper; row <= lower; row++) this.#kernels.compressRow(this.#record, row, first, last);
    for (let row = BLOCK * upper; row <= bottom; row++) {
      this.#kernels.smoothAcross(this.#record, row, first + 1, last);
    }
    for (let row = upper + 1; row <= lower; row++) {
      this.#kernels.smoothDown(this.#record, BLOCK * row, first, last);
    }
  }

  /** Stronger quantisation makes stronger borders: they are smoothed up to half of the mean step. */
  #use(strength: number): void {
    if (strength === this.#strength) return;
    this.#strength = strength;
    const { floats, words } = this.#memory;
    for (const [k, step] of STEPS.entries()) {
      const size = Math.max(1, strength * step);
      floats[this.#steps / 4 + k] = size;
      floats[(this.#steps + BLOCK_BYTES) / 4 + k] = 1 / size;
    }
    const alpha = Math.round(4 + 12 * strength);
    words.set([alpha, Math.round(2 + 4 * strength), Math.round(1 + 4 * strength)], this.#record / 4 + 5);
  }
}
