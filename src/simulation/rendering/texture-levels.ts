import type { Texture } from "./texture.js";

/** At so many resolutions a texture is kept; the kernels count on it. */
const LEVELS = 4;

/** A texture at one resolution. */
export interface TextureLevel {
  /** Texels in a row, of which the last one is there twice. */
  readonly stride: number;
  /**
   * Each texel in the low byte with its neighbour below in the high byte: two neighbours in a row, read as one word, are all
   * that bilinear interpolation needs. The last row and column repeat. [height × stride]
   */
  readonly pairs: Uint16Array;
}

/**
 * A texture and its halves, quarters and so on. A distant surface is looked up where a texel is about as large as a pixel,
 * so that fine lines do not flicker. Texel (s, t) of level l lies at texel (s·2ˡ, t·2ˡ) of level 0.
 */
export function makeLevels({ width, height, pixels }: Texture): readonly TextureLevel[] {
  const levels: TextureLevel[] = [];
  let current = { width, height, pixels };
  for (let level = 0; level < LEVELS; level++) {
    levels.push({ stride: current.width + 1, pairs: packPairs(current) });
    current = halve(current);
  }
  return levels;
}

interface Plane {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array;
}

function packPairs({ width, height, pixels }: Plane): Uint16Array {
  const pairs = new Uint16Array((width + 1) * height);
  for (let t = 0, i = 0, target = 0; t < height; t++, target++) {
    const down = t === height - 1 ? 0 : width;
    for (let s = 0; s < width; s++, i++, target++) pairs[target] = pixels[i]! | (pixels[i + down]! << 8);
    pairs[target] = pairs[target - 1]!;
  }
  return pairs;
}

/** A tent over 3 × 3 texels about every second one, so that texels stay where they are. */
function halve({ width, height, pixels }: Plane): Plane {
  const half = { width: Math.ceil(width / 2) + 1, height: Math.ceil(height / 2) + 1 };
  const out = new Uint8Array(half.width * half.height);
  const row = new Uint16Array(width);
  for (let t = 0; t < half.height; t++) {
    const middle = Math.min(2 * t, height - 1);
    const [above, here, below] = [Math.max(middle - 1, 0), middle, Math.min(middle + 1, height - 1)].map(
      (k) => k * width,
    );
    for (let s = 0; s < width; s++) row[s] = pixels[above! + s]! + 2 * pixels[here! + s]! + pixels[below! + s]!;
    for (let s = 0; s < half.width; s++) {
      const column = Math.min(2 * s, width - 1);
      const sides = row[Math.max(column - 1, 0)]! + row[Math.min(column + 1, width - 1)]!;
      out[t * half.width + s] = (2 * row[column]! + sides + 8) >> 4;
    }
  }
  return { ...half, pixels: out };
}
