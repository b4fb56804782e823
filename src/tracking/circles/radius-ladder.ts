/**
 * Which radii are searched on which level of the pyramid. On each level circles have between 3.5 and 7 pixels: there 16
 * samples of 3 × 3 pixels cover the outline, whatever the circle's true size. The lowest level also takes smaller
 * ones, down to 2.9.
 */
export const LEAST_LEVEL_RADIUS = 2.9;
export const LEVEL_RADIUS = 3.5;
/** Radii in an octave: neighbours differ by 12 %, less than half the width of an edge's response. */
const STEPS_PER_OCTAVE = 6;
/** Most radii a level can have: from 2.9 to 7. */
export const MAX_LEVEL_RADII = 9;

/** The lowest level, with the largest pixels, on which circles of `minRadius` [px] can still be found. */
export function lowestLevel(minRadius: number): number {
  return Math.max(0, Math.floor(Math.log2(minRadius / LEAST_LEVEL_RADIUS)));
}

/** The highest level that is needed for circles of up to `maxRadius` [px]. */
export function highestLevel(minRadius: number, maxRadius: number): number {
  return Math.max(lowestLevel(minRadius), Math.ceil(Math.log2(maxRadius / (2 * LEVEL_RADIUS))));
}

/** Writes the radii [level px] to be searched on `level` and returns how many. */
export function levelRadii(level: number, minRadius: number, maxRadius: number, out: Float64Array): number {
  const scale = 2 ** level;
  const isLowest = level === lowestLevel(minRadius);
  const least = isLowest ? Math.max(minRadius / scale, LEAST_LEVEL_RADIUS) : LEVEL_RADIUS;
  const most = Math.min(maxRadius / scale, 2 * LEVEL_RADIUS);
  const ratio = 2 ** (1 / STEPS_PER_OCTAVE);
  let count = 0;
  for (let radius = least; count < MAX_LEVEL_RADII && radius < most * ratio; radius *= ratio) out[count++] = radius;
  return count;
}
