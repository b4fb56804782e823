import type { Texture } from "./texture.js";

/** How often a texture is halved. */
const LEVELS = 4;

/** A texture at one resolution. */
export interface TextureLevel {
  /** Texels in a row. */
  readonly width: number;
  readonly height: number;
  /**
   * Each texel with its neighbours to the right, below, and below to the right, in the bytes 0, 1, 2 and 3 of a word: all
   * that bilinear interpolation needs, in one load. The last row and column repeat.
   */
  readonly quads: Int32Array;
}

/**
 * A texture and its halves, quarters and so on. A distant surface is looked up where a texel is about as large as a pixel,
 * lest fine lines flicker. Texel (s, t) of level l lies at texel (s·2ˡ, t·2ˡ) of level 0.
 */
export function makeLevels({ width, height, pixels }: Texture): readonly TextureLevel[] {
  const levels: TextureLevel[] = [];
  let current = { width, height, pixels };
  for (let level = 0; level < LEVELS; level++) {
    levels.push({ width: current.width, height: current.height, quads: packQuads(current) });
    current = halve(current);
  }
  return levels;
}

interface Plane {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array;
}

function packQuads({ width, height, pixels }: Plane): Int32Array {
  const quads = new Int32Array(width * height);
  for (let t = 0, i = 0; t < height; t++) {
    const down = t === height - 1 ? 0 : width;
    for (let s = 0; s < width; s++, i++) {
      const right = s === width - 1 ? 0 : 1;
      const lower = (pixels[i + down]! << 16) | (pixels[i + down + right]! << 24);
      quads[i] = pixels[i]! | (pixels[i + right]! << 8) | lower;
    }
  }
  return quads;
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
