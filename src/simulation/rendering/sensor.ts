import type { GrayImage } from "../../camera/gray-image.js";
import { Random } from "../../math/random.js";
import { Codec } from "./codec.js";
import type { PixelRegion } from "./image-regions.js";
import type { Canvas, KernelMemory } from "./kernel-memory.js";
import type { SensorOptions } from "./render-scene.js";

/** Length of the table of normal numbers; a power of two. Each row of an image starts at a random place in it. */
const NOISE_LENGTH = 1 << 16;
/** The blur's kernel reaches so many of its standard deviations. */
const BLUR_REACH = 3;

/** The functions of kernels/sensor.as; pointers are bytes of the memory. */
interface SensorKernels {
  exposeRow(
    light: number,
    gains: number,
    gain: number,
    noise: number,
    sigma: number,
    target: number,
    count: number,
  ): void;
  exposeShotRow(
    light: number,
    gains: number,
    gain: number,
    noise: number,
    sigma: number,
    shot: number,
    target: number,
    count: number,
  ): void;
  blurAcross(
    source: number,
    width: number,
    first: number,
    last: number,
    kernel: number,
    reach: number,
    padded: number,
    target: number,
  ): void;
  blurDown(
    source: number,
    stride: number,
    row: number,
    height: number,
    first: number,
    last: number,
    kernel: number,
    reach: number,
    target: number,
  ): void;
}

/** Where the parts of the blur are in the memory. */
interface BlurMemory {
  /** The weights, room for so many. */
  readonly kernel: number;
  readonly capacity: number;
  /** A row with margins; the light blurred across; a row of that blurred down. */
  readonly padded: number;
  readonly across: number;
  readonly row: number;
}

/** How far light spreads by the blur [px]. */
export function blurReach(defocus: number): number {
  return Math.ceil(BLUR_REACH * defocus);
}

/** Turns light into the bytes of an image: blur, brightness gradient, vignetting, flicker, noise, rounding, saturation, compression. */
export class Sensor {
  readonly #memory: KernelMemory;
  readonly #kernels: SensorKernels;
  readonly #width: number;
  readonly #height: number;
  /** Numbers in a row of the light. */
  readonly #stride: number;
  /** Addresses: the light; normal numbers, whose first ones come once more at the end; gains of columns; bytes of the image. */
  readonly #light: number;
  readonly #noise: number;
  readonly #gains: number;
  readonly #pixels: number;
  readonly #rowOffsets: Int32Array;
  #blur: BlurMemory | undefined;
  #codec: Codec | undefined;

  constructor({ memory, rays, light }: Canvas, seed: number | string) {
    const { width, height } = rays.camera;
    this.#memory = memory;
    this.#light = light;
    this.#kernels = memory.load("sensor");
    this.#width = width;
    this.#height = height;
    this.#stride = rays.pixelStride;
    this.#noise = memory.allocate(4 * (NOISE_LENGTH + width));
    this.#gains = memory.allocate(4 * width);
    this.#pixels = memory.allocate(width * height);
    this.#rowOffsets = new Int32Array(height);
    const random = new Random(seed).fork("sensor noise");
    const from = this.#noise / 4;
    for (let i = 0; i < NOISE_LENGTH; i++) memory.floats[from + i] = random.normal();
    memory.floats.copyWithin(from + NOISE_LENGTH, from, from + width);
  }

  /** The same frame has the same noise. Writes these regions of `out`. */
  expose(options: SensorOptions, frame: number | string, regions: readonly PixelRegion[], out: GrayImage): void {
    const random = new Random(`${frame}`).fork("rows");
    for (let row = 0; row < this.#height; row++) this.#rowOffsets[row] = random.bits() & (NOISE_LENGTH - 1);
    const { floats } = this.#memory;
    for (let u = 0; u < this.#width; u++) floats[this.#gains / 4 + u] = this.#columnGain(options, u);
    const reach = blurReach(options.defocus);
    if (reach > 0) this.#setKernel(options.defocus, reach);
    const { compression = 0 } = options;
    for (const asked of regions) {
      const region = this.regionFor(options, asked);
      if (reach > 0) this.#exposeBlurred(reach, options, region);
      else this.#exposeSharp(options, region);
      if (compression > 0) this.#codec?.apply(compression, region);
      this.#copy(asked, out.pixels);
    }
  }

  /** What must be exposed so that a region is right: with a codec, whole blocks. */
  regionFor({ compression = 0 }: SensorOptions, region: PixelRegion): PixelRegion {
    if (compression === 0) return region;
    this.#codec ??= new Codec(this.#memory, this.#width, this.#height, this.#pixels);
    return this.#codec.regionFor(region);
  }

  /** A column's part of the gain. */
  #columnGain({ gradientAcross, vignetting = 0, flicker = 0 }: SensorOptions, column: number): number {
    const across = (column + 0.5) / this.#width - 0.5;
    if (vignetting === 0 && flicker === 0) return gradientAcross * across;
    return (1 + flicker) * (gradientAcross * across - this.#darkening(vignetting, across * this.#width));
  }

  #rowGain({ gradientDown, vignetting = 0, flicker = 0 }: SensorOptions, row: number): number {
    const down = (row + 0.5) / this.#height - 0.5;
    if (vignetting === 0 && flicker === 0) return 1 + gradientDown * down;
    return (1 + flicker) * (1 + gradientDown * down - this.#darkening(vignetting, down * this.#height));
  }

  /** It grows with the square of the distance from the middle: so columns and rows have a part each. */
  #darkening(vignetting: number, distance: number): number {
    return (4 * vignetting * distance ** 2) / (this.#width ** 2 + this.#height ** 2);
  }

  #exposeSharp(options: SensorOptions, region: PixelRegion): void {
    const end = region.top + region.height;
    for (let row = region.top; row < end; row++) {
      this.#exposeRow(this.#light + 4 * row * this.#stride, row, options, region);
    }
  }

  /** Across first, as far up and down as the blur reaches. */
  #exposeBlurred(reach: number, options: SensorOptions, region: PixelRegion): void {
    const { kernel, padded, across, row: blurred } = this.#blur!;
    const { left, top } = region;
    const right = left + region.width - 1;
    const bottom = top + region.height - 1;
    const lastRow = Math.min(bottom + reach, this.#height - 1);
    for (let row = Math.max(top - reach, 0); row <= lastRow; row++) {
      const at = 4 * row * this.#stride;
      this.#kernels.blurAcross(this.#light + at, this.#width, left, right, kernel, reach, padded, across + at);
    }
    for (let row = top; row <= bottom; row++) {
      this.#kernels.blurDown(across, this.#stride, row, this.#height, left, right, kernel, reach, blurred);
      this.#exposeRow(blurred, row, options, region);
    }
  }

  #exposeRow(light: number, row: number, options: SensorOptions, { left, width }: PixelRegion): void {
    const { noise, shotNoise = 0 } = options;
    const [from, gains, gain] = [light + 4 * left, this.#gains + 4 * left, this.#rowGain(options, row)];
    const normals = this.#noise + 4 * (this.#rowOffsets[row]! + left);
    const target = this.#pixels + row * this.#width + left;
    if (shotNoise === 0) this.#kernels.exposeRow(from, gains, gain, normals, noise, target, width);
    else this.#kernels.exposeShotRow(from, gains, gain, normals, noise, shotNoise, target, width);
  }

  #copy({ left, top, width, height }: PixelRegion, pixels: Uint8Array): void {
    const { bytes } = this.#memory;
    if (width === this.#width) {
      const [first, end] = [top * width, (top + height) * width];
      pixels.set(bytes.subarray(this.#pixels + first, this.#pixels + end), first);
      return;
    }
    for (let row = top; row < top + height; row++) {
      const at = row * this.#width + left;
      pixels.set(bytes.subarray(this.#pixels + at, this.#pixels + at + width), at);
    }
  }

  /** Half a Gaussian bell whose whole has the sum one. */
  #setKernel(sigma: number, reach: number): void {
    if (this.#blur === undefined || reach >= this.#blur.capacity) this.#blur = this.#makeBlur(reach + 1);
    const { floats } = this.#memory;
    const from = this.#blur.kernel / 4;
    let sum = 0;
    for (let i = 0; i <= reach; i++) {
      const weight = Math.exp((-i * i) / (2 * sigma * sigma));
      floats[from + i] = weight;
      sum += i === 0 ? weight : 2 * weight;
    }
    for (let i = 0; i <= reach; i++) floats[from + i] = floats[from + i]! / sum;
  }

  #makeBlur(capacity: number): BlurMemory {
    const memory = this.#memory;
    return {
      capacity,
      kernel: memory.allocate(4 * capacity),
      padded: memory.allocate(4 * (this.#stride + 2 * capacity)),
      across: memory.allocate(4 * this.#stride * this.#height),
      row: memory.allocate(4 * this.#stride),
    };
  }
}
