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

/** Centres that are looked at, or passed over, together; see `circles.as`. */
const BLOCK = 64;
const HALF_SHARE = 0.36;
const NEIGHBOUR_SHARE = 0.75;

/** For each centre the best sum over the outline and the number of its radius, of all of them. */
export function allCircles(planes: readonly ByteMap[], radii: readonly number[]): CircleMaps {
  const { width, height } = planes[0]!;
  const maps = emptyMaps(width, height);
  const numbers = [...radii.keys()];
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) takeBest(maps, planes, radii, numbers, x, y);
  }
  return maps;
}

/** What `searchCircles` computes: the same but for blocks and radii that it passes over. */
export function circleMaps(planes: readonly ByteMap[], radii: readonly number[], least: number): CircleMaps {
  const { width, height } = planes[0]!;
  const maps = emptyMaps(width, height);
  const rows = Array.from({ length: height }, (_, y) => y);
  for (const y of [...rows.filter((row) => row % 2 === 0), ...rows.filter((row) => row % 2 === 1)]) {
    for (let start = 0; start < width; start += BLOCK) {
      const columns = Array.from({ length: Math.min(BLOCK, width - start) }, (_, i) => start + i);
      const beside = columns.map((x) => Math.max(at(maps.best, x, y - 1), at(maps.best, x, y + 1)));
      if (y % 2 === 1 && !beside.some((sum) => sum >= Math.floor(NEIGHBOUR_SHARE * least))) continue;
      const promising = [...radii.keys()].filter((n) =>
        columns.some((x) => outlineSum(planes, x, y, radii[n]!, 2) >= Math.floor(HALF_SHARE * least)),
      );
      for (const x of columns) takeBest(maps, planes, radii, promising, x, y);
    }
  }
  return maps;
}

function emptyMaps(width: number, height: number): CircleMaps {
  const empty = (): ByteMap => ({ width, height, values: new Uint8Array(width * height) });
  return { best: empty(), number: empty() };
}

function takeBest(
  { best, number }: CircleMaps,
  planes: readonly ByteMap[],
  radii: readonly number[],
  numbers: readonly number[],
  x: number,
  y: number,
): void {
  const place = y * best.width + x;
  for (const n of numbers) {
    const sum = outlineSum(planes, x, y, radii[n]!, 1);
    if (sum <= best.values[place]!) continue;
    best.values[place] = sum;
    number.values[place] = n;
  }
}

/** Over every `step`th sample of the outline. */
function outlineSum(planes: readonly ByteMap[], x: number, y: number, radius: number, step: number): number {
  let sum = 0;
  for (let k = 0; k < OUTLINE_SAMPLES; k += step) {
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
