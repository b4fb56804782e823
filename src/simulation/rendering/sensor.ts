import type { GrayImage } from "../../camera/gray-image.js";
import { Random } from "../../math/random.js";
import type { SensorOptions } from "./render-scene.js";

/** Length of the table of normal numbers; a power of two. Each row of an image starts at a random place in it. */
const NOISE_LENGTH = 1 << 16;
/** The blur's kernel reaches so many of its standard deviations. */
const BLUR_REACH = 3;

/** Turns light into the bytes of an image: blur, brightness gradient, noise, rounding, saturation. */
export class Sensor {
  readonly #width: number;
  readonly #height: number;
  /** Normal numbers. */
  readonly #noise: Float32Array;
  readonly #gainAcross: Float32Array;
  #blurred = new Float32Array(0);

  constructor(width: number, height: number, seed: number | string) {
    const random = new Random(seed).fork("sensor noise");
    this.#width = width;
    this.#height = height;
    this.#noise = Float32Array.from({ length: NOISE_LENGTH }, () => random.normal());
    this.#gainAcross = new Float32Array(width);
  }

  /** The same frame has the same noise. `light` is blurred in place. */
  expose(light: Float32Array, options: SensorOptions, frame: number | string, out: GrayImage): void {
    if (options.defocus > 0) this.#blur(light, makeKernel(options.defocus));
    const random = new Random(`${frame}`).fork("rows");
    const width = this.#width;
    for (let u = 0; u < width; u++) this.#gainAcross[u] = options.gradientAcross * ((u + 0.5) / width - 0.5);
    for (let row = 0; row < this.#height; row++) {
      const gain = 1 + options.gradientDown * ((row + 0.5) / this.#height - 0.5);
      this.#exposeRow(light, row * width, gain, options.noise, random.bits(), out.pixels);
    }
  }

  #exposeRow(light: Float32Array, from: number, gain: number, sigma: number, offset: number, pixels: Uint8Array): void {
    const width = this.#width;
    const noise = this.#noise;
    const gainAcross = this.#gainAcross;
    const mask = NOISE_LENGTH - 1;
    for (let u = 0; u < width; u++) {
      const value = light[from + u]! * (gain + gainAcross[u]!) + sigma * noise[(offset + u) & mask]! + 0.5;
      pixels[from + u] = value < 0 ? 0 : value > 255 ? 255 : value | 0;
    }
  }

  /** Across, then down; the outermost pixels go on beyond the border. */
  #blur(light: Float32Array, kernel: Float32Array): void {
    const [width, height] = [this.#width, this.#height];
    if (this.#blurred.length === 0) this.#blurred = new Float32Array(width * height);
    for (let row = 0; row < height; row++) blurAcross(light, row * width, width, kernel, this.#blurred);
    for (let row = 0; row < height; row++) blurDown(this.#blurred, row, width, height, kernel, light);
  }
}

function makeKernel(sigma: number): Float32Array {
  const kernel = Float32Array.from({ length: Math.ceil(BLUR_REACH * sigma) + 1 }, (_, i) =>
    Math.exp((-i * i) / (2 * sigma * sigma)),
  );
  const sum = kernel.reduce((total, value, i) => total + (i === 0 ? value : 2 * value), 0);
  return kernel.map((value) => value / sum);
}

/** A row of the image blurred along itself. */
function blurAcross(source: Float32Array, from: number, width: number, kernel: Float32Array, out: Float32Array): void {
  const last = from + width - 1;
  for (let i = from; i <= last; i++) {
    let sum = kernel[0]! * source[i]!;
    for (let k = 1; k < kernel.length; k++) {
      sum += kernel[k]! * (source[i - k < from ? from : i - k]! + source[i + k > last ? last : i + k]!);
    }
    out[i] = sum;
  }
}

/** A row of the image blurred with those above and below. */
function blurDown(
  source: Float32Array,
  row: number,
  width: number,
  height: number,
  kernel: Float32Array,
  out: Float32Array,
): void {
  const at = row * width;
  for (let u = 0; u < width; u++) out[at + u] = kernel[0]! * source[at + u]!;
  for (let k = 1; k < kernel.length; k++) {
    const above = Math.max(row - k, 0) * width;
    const below = Math.min(row + k, height - 1) * width;
    const weight = kernel[k]!;
    for (let u = 0; u < width; u++) out[at + u] = out[at + u]! + weight * (source[above + u]! + source[below + u]!);
  }
}
