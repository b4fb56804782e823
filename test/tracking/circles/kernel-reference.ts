import { DIRECTIONS, OUTLINE_SAMPLES } from "../../../src/tracking/circles/circle-kernels.js";

/** A map of bytes; reading outside gives 0. */
export interface ByteMap {
  readonly width: number;
  readonly height: number;
  readonly values: Uint8Array;
}

function at({ width, height, values }: ByteMap, x: number, y: number): number {
  return x >= 0 && y >= 0 && x < width && y < height ? values[y * width + x]! : 0;
}

/** What `projectPurity` computes, pixel by pixel: one map for each direction. */
export function purityPlanes(image: ByteMap, noise: number): ByteMap[] {
  const { width, height } = image;
  const planes = Array.from({ length: DIRECTIONS }, () => ({ width, height, values: new Uint8Array(width * height) }));
  for (let y = 1; y < height - 1; y++) {
    for (let x = 1; x < width - 1; x++) {
      const values = purityOf(image, x, y, noise);
      for (let k = 0; k < DIRECTIONS; k++) planes[k]!.values[y * width + x] = values[k]!;
    }
  }
  return planes;
}

function purityOf(image: ByteMap, x: number, y: number, noise: number): number[] {
  let gx = 0;
  let gy = 0;
  let sum = 0;
  let squares = 0;
  for (let j = -1; j <= 1; j++) {
    for (let i = -1; i <= 1; i++) {
      const value = at(image, x + i, y + j);
      const weight = (2 - i * i) * (2 - j * j);
      gx += i * (2 - j * j) * value;
      gy += j * (2 - i * i) * value;
      sum += weight * value;
      squares += weight * value * value;
    }
  }
  // Single precision, as in the kernel, rounded to even.
  const variance = Math.fround(Math.fround(16 * squares - sum * sum) + Math.fround(noise));
  const factor = Math.fround(240 / variance);
  const mean = roundEven(Math.fround(Math.fround(gx * gx + gy * gy) * factor));
  const along = roundEven(Math.fround(Math.fround(gx * gx - gy * gy) * factor));
  const across = roundEven(Math.fround(Math.fround(2 * gx * gy) * factor));
  const first = timesSqrtHalf(along + across);
  const third = timesSqrtHalf(across - along);
  const parts = [along, first, across, third];
  const raised = parts.map((part) => Math.max(0, (mean + 8 + part) >> 4));
  const lowered = parts.map((part) => Math.max(0, (mean + 8 - part) >> 4));
  return [...raised, ...lowered];
}

function roundEven(value: number): number {
  const low = Math.floor(value);
  const rest = value - low;
  if (rest !== 0.5) return Math.round(value);
  return low % 2 === 0 ? low : low + 1;
}

/** Q15 multiplication with rounding. */
function timesSqrtHalf(value: number): number {
  return (value * 23170 + 0x4000) >> 15;
}

export interface CircleMaps {
  readonly best: ByteMap;
  readonly number: ByteMap;
}

/** What `searchCircles` computes: for each centre the best sum over the outline and the number of its radius. */
export function circleMaps(planes: readonly ByteMap[], radii: readonly number[]): CircleMaps {
  const { width, height } = planes[0]!;
  const best = { width, height, values: new Uint8Array(width * height) };
  const number = { width, height, values: new Uint8Array(width * height) };
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      for (const [n, radius] of radii.entries()) {
        const sum = outlineSum(planes, x, y, radius);
        if (sum <= best.values[y * width + x]!) continue;
        best.values[y * width + x] = sum;
        number.values[y * width + x] = n;
      }
    }
  }
  return { best, number };
}

function outlineSum(planes: readonly ByteMap[], x: number, y: number, radius: number): number {
  let sum = 0;
  for (let k = 0; k < OUTLINE_SAMPLES; k++) {
    const angle = (2 * Math.PI * k) / OUTLINE_SAMPLES;
    const dx = Math.round(radius * Math.cos(angle));
    const dy = Math.round(radius * Math.sin(angle));
    sum += at(planes[k % DIRECTIONS]!, x + dx, y + dy);
  }
  return sum;
}

/** Inner places of at least `threshold` that are not exceeded by a neighbour, of equals the first in reading order. */
export function peakPlaces(map: ByteMap, threshold: number): { x: number; y: number }[] {
  const peaks: { x: number; y: number }[] = [];
  for (let y = 1; y < map.height - 1; y++) {
    for (let x = 1; x < map.width - 1; x++) {
      const value = at(map, x, y);
      if (value < threshold) continue;
      const before = [at(map, x - 1, y - 1), at(map, x, y - 1), at(map, x + 1, y - 1), at(map, x - 1, y)];
      const after = [at(map, x + 1, y), at(map, x - 1, y + 1), at(map, x, y + 1), at(map, x + 1, y + 1)];
      if (before.every((other) => value > other) && after.every((other) => value >= other)) peaks.push({ x, y });
    }
  }
  return peaks;
}
