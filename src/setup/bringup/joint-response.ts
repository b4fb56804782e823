/** How the joints answered when one of them was commanded out and back. */
export interface JointResponse {
  readonly joint: string;
  /** How far it was commanded, and how far it went [rad or m], with its sign. */
  readonly commanded: number;
  readonly measured: number;
  /** Farthest that any other joint went. */
  readonly others: number;
  /** What is wrong, as half a sentence; empty: nothing is. */
  readonly wrong: string;
}

/** A joint goes as far as it was commanded, but for this share; another one by less than this share of it. */
const SCALE = 0.15;
const CROSS = 0.25;

/**
 * Judges what was measured while joint `index` was commanded by `commanded` and back; `positions` has one row a state, the first of
 * them before the motion.
 */
export function jointResponse(
  names: readonly string[],
  index: number,
  commanded: number,
  positions: readonly (readonly number[])[],
): JointResponse {
  const start = positions[0] ?? [];
  const farthest = names.map((_, i) => farthestFrom(start[i] ?? Number.NaN, positions, i));
  const measured = farthest[index]!;
  const sizes = farthest.map(Math.abs);
  const elsewhere = sizes.map((size, i) => (i === index ? 0 : size));
  const others = Math.max(0, ...elsewhere);
  const other = names[elsewhere.indexOf(others)] ?? "";
  const isLess = sizes[index]! < others;
  const moved = { other, isLess, ratio: measured / commanded, cross: others / Math.abs(commanded) };
  return { joint: names[index]!, commanded, measured, others, wrong: wrongOf(moved) };
}

interface Moved {
  /** The other joint that went farthest, and whether it went farther than the one commanded. */
  readonly other: string;
  readonly isLess: boolean;
  readonly ratio: number;
  readonly cross: number;
}

function wrongOf({ other, isLess, ratio, cross }: Moved): string {
  if (!Number.isFinite(ratio) || !Number.isFinite(cross)) return "was not measured";
  if (isLess && cross > CROSS) return `${other} moved in its place`;
  if (Math.abs(ratio) < CROSS) return "did not move";
  if (ratio < 0) return "moved the other way";
  if (Math.abs(ratio - 1) > SCALE) return `went ${ratio.toFixed(2)} times as far as commanded`;
  return cross > CROSS ? `${other} moved as well` : "";
}

function farthestFrom(start: number, positions: readonly (readonly number[])[], i: number): number {
  let farthest = 0;
  for (const row of positions) {
    const distance = (row[i] ?? Number.NaN) - start;
    if (!(Math.abs(distance) <= Math.abs(farthest))) farthest = distance;
  }
  return farthest;
}
