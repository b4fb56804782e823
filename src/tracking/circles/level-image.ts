/** One level of an image pyramid, as a view of bytes somewhere: each pixel 2^level wide. */
export class LevelImage {
  pixels: Uint8Array;
  /** Place of the first pixel. */
  offset = 0;
  stride = 0;
  width = 0;
  height = 0;

  constructor(pixels: Uint8Array) {
    this.pixels = pixels;
  }

  set(offset: number, stride: number, width: number, height: number): void {
    this.offset = offset;
    this.stride = stride;
    this.width = width;
    this.height = height;
  }
}

/** Variance that rounding to whole gray values adds. */
const ROUNDING_VARIANCE = 1 / 12;

/** Variance of the noise on a level: means of 2 × 2 have a quarter of it each time, but are rounded anew. */
export function levelNoise(noiseVariance: number, level: number): number {
  return noiseVariance / 4 ** level + ROUNDING_VARIANCE;
}

/** Coordinate on a level of a coordinate on the image: pixels' borders coincide, not their centres. */
export function toLevel(coordinate: number, level: number): number {
  return (coordinate + 0.5) / 2 ** level - 0.5;
}

export function fromLevel(coordinate: number, level: number): number {
  return (coordinate + 0.5) * 2 ** level - 0.5;
}
