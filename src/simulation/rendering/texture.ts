import type { Random } from "../../math/random.js";
import type { ColourChannel, Tint } from "./tint.js";

/** Edge of the square of noise that textures repeat; a power of two. */
const NOISE_SIZE = 256;
/** Cells across the noise's coarsest and finest octave. */
const COARSEST = 4;
const FINEST = 128;

/** Tileable fractal value noise of mean 0 and standard deviation 1. [NOISE_SIZE × NOISE_SIZE] */
export function makeNoise(random: Random): Float32Array {
  const noise = new Float32Array(NOISE_SIZE * NOISE_SIZE);
  for (let cells = COARSEST; cells <= FINEST; cells *= 2) addOctave(noise, cells, random);
  let sum = 0;
  let squares = 0;
  for (const value of noise) {
    sum += value;
    squares += value * value;
  }
  const mean = sum / noise.length;
  const deviation = Math.sqrt(squares / noise.length - mean * mean);
  for (let i = 0; i < noise.length; i++) noise[i] = (noise[i]! - mean) / deviation;
  return noise;
}

/** Adds smoothly interpolated random values on a grid, with an amplitude that falls with the root of the frequency. */
function addOctave(noise: Float32Array, cells: number, random: Random): void {
  const lattice = Float32Array.from({ length: cells * cells }, () => random.uniformIn(-1, 1) / Math.sqrt(cells));
  const cell = NOISE_SIZE / cells;
  for (let row = 0; row < NOISE_SIZE; row++) {
    const top = Math.floor(row / cell);
    const below = (top + 1) % cells;
    const b = smoothStep(row / cell - top);
    for (let column = 0; column < NOISE_SIZE; column++) {
      const left = Math.floor(column / cell);
      const right = (left + 1) % cells;
      const a = smoothStep(column / cell - left);
      const upper = (1 - a) * lattice[top * cells + left]! + a * lattice[top * cells + right]!;
      const lower = (1 - a) * lattice[below * cells + left]! + a * lattice[below * cells + right]!;
      const i = row * NOISE_SIZE + column;
      noise[i] = noise[i]! + (1 - b) * upper + b * lower;
    }
  }
}

function smoothStep(x: number): number {
  return x * x * (3 - 2 * x);
}

/** How a surface reflects: its mean gray value, and the standard deviation of its coarse and fine texture. */
export interface Material {
  readonly gray: number;
  readonly coarse: number;
  readonly fine: number;
}

/** Gray values over a flat surface, painted once, looked up in rendering. Coordinates are in metres on the surface. */
export class Texture {
  readonly width: number;
  readonly height: number;
  readonly texelsPerMetre: number;
  /** [width × height] */
  readonly pixels: Uint8Array;
  readonly #noise: Float32Array;
  readonly #channel: ColourChannel | null;
  /** What is painted from now on is so many times as bright: the part of a colour's channel. */
  #gain = 1;

  /** Surface of size `across` × `down` [m]; one texel more than it takes, for interpolation at the end. */
  constructor(
    across: number,
    down: number,
    texelsPerMetre: number,
    noise: Float32Array,
    channel: ColourChannel | null = null,
  ) {
    this.width = Math.ceil(across * texelsPerMetre) + 2;
    this.height = Math.ceil(down * texelsPerMetre) + 2;
    this.texelsPerMetre = texelsPerMetre;
    this.pixels = new Uint8Array(this.width * this.height);
    this.#noise = noise;
    this.#channel = channel;
  }

  /** Paints in this tint from now on; without effect on gray textures. */
  dip(tint: Tint): this {
    if (this.#channel !== null) this.#gain = tint[this.#channel];
    return this;
  }

  /** A material all over, brighter by the given parts from one end to the other. */
  cover({ gray, coarse, fine }: Material, brighterAcross: number, brighterDown: number, random: Random): this {
    const mask = NOISE_SIZE - 1;
    const [shiftS, shiftT] = [random.integer(NOISE_SIZE), random.integer(NOISE_SIZE)];
    for (let t = 0, i = 0; t < this.height; t++) {
      const down = 1 + brighterDown * (t / this.height - 0.5);
      const coarseRow = (((t >> 2) + shiftS) & mask) * NOISE_SIZE;
      const fineRow = ((t + shiftT) & mask) * NOISE_SIZE;
      for (let s = 0; s < this.width; s++, i++) {
        const rough = coarse * this.#noise[coarseRow + (((s >> 2) + shiftT) & mask)]!;
        const value = gray + rough + fine * this.#noise[fineRow + ((s + shiftS) & mask)]!;
        this.pixels[i] = clampGray(this.#gain * value * down * (1 + brighterAcross * (s / this.width - 0.5)));
      }
    }
    return this;
  }

  /** A rectangle of one gray value. */
  rectangle(s0: number, t0: number, s1: number, t1: number, gray: number): this {
    const k = this.texelsPerMetre;
    const [left, right] = [Math.max(0, Math.round(s0 * k)), Math.min(this.width, Math.round(s1 * k))];
    const [top, bottom] = [Math.max(0, Math.round(t0 * k)), Math.min(this.height, Math.round(t1 * k))];
    for (let t = top; t < bottom; t++)
      this.pixels.fill(clampGray(this.#gain * gray), t * this.width + left, t * this.width + right);
    return this;
  }

  /** An ellipse of one gray value, its edge as soft as `softness` [m]. */
  ellipse(s: number, t: number, across: number, down: number, gray: number, softness: number): this {
    const k = this.texelsPerMetre;
    const edge = Math.max(softness * k, 1);
    const [a, b] = [across * k, down * k];
    const [left, right] = [Math.floor(s * k - a - edge), Math.ceil(s * k + a + edge)];
    const [top, bottom] = [Math.floor(t * k - b - edge), Math.ceil(t * k + b + edge)];
    for (let row = Math.max(0, top); row <= Math.min(this.height - 1, bottom); row++) {
      for (let column = Math.max(0, left); column <= Math.min(this.width - 1, right); column++) {
        const reach = Math.hypot((column - s * k) / a, (row - t * k) / b);
        const inside = ((1 - reach) * Math.min(a, b)) / edge + 0.5;
        const weight = Math.min(1, Math.max(0, inside));
        const i = row * this.width + column;
        this.pixels[i] = clampGray((1 - weight) * this.pixels[i]! + weight * this.#gain * gray);
      }
    }
    return this;
  }

  /** Lines of one gray value every `pitch` metres, both ways. */
  grid(pitch: number, thickness: number, gray: number): this {
    const across = this.width / this.texelsPerMetre;
    const down = this.height / this.texelsPerMetre;
    for (let s = pitch; s < across; s += pitch) this.rectangle(s, 0, s + thickness, down, gray);
    for (let t = pitch; t < down; t += pitch) this.rectangle(0, t, across, t + thickness, gray);
    return this;
  }
}

function clampGray(value: number): number {
  return Math.min(255, Math.max(0, Math.round(value)));
}
