import type { SweptHull } from "./swept-hull.js";

/**
 * Leaves a hull no more than `most` points and contains what it contained: the two that merge best are replaced by one in
 * their middle until it does. Returns by how much the radius grew [m].
 *
 * Of points p, q with spans sₖ, tₖ the middle one has the spans mₖ = (sₖ + tₖ)/2. Both points are then at ±e from it,
 * e = (p − q)/2, and their spans at ±(sₖ − tₖ)/2 from its own. One span, m, is lengthened to (1 + |α|)·m, α·m being the part
 * of e along it, since α·m and λ·m add up to no more than that. What is left goes to the radius: |e − α·m| + Σ |sₖ − tₖ|/2.
 * For neighbouring pieces of a turn, whose spans point at one another, that is little.
 */
export function reducePoints(hull: SweptHull, most: number): number {
  const before = hull.radius;
  while (hull.count > most && hull.count > 1) mergeBest(hull);
  return hull.radius - before;
}

/** Merges the two points that make the radius grow least. */
function mergeBest(hull: SweptHull): void {
  const { count } = hull;
  let least = Number.POSITIVE_INFINITY;
  let first = 0;
  let second = 1;
  for (let j = 1; j < count; j++) {
    for (let i = 0; i < j; i++) {
      const growth = growthOf(hull, i, j, bestSpan(hull, i, j));
      if (!(growth < least)) continue;
      least = growth;
      first = i;
      second = j;
    }
  }
  const span = bestSpan(hull, first, second);
  // Not `least`, which stays infinite where nothing is a number.
  hull.radius = hull.radius + growthOf(hull, first, second, span);
  replaceByMiddle(hull, first, second, span);
  move(hull, count - 1, second);
  hull.count = count - 1;
}

/** The span of the middle point that lies best along the line between the two; −1 if there is none. */
function bestSpan(hull: SweptHull, i: number, j: number): number {
  let best = -1;
  let longest = 0;
  for (let k = 0; k < hull.spanCount; k++) {
    const share = shareAlong(hull, i, j, k);
    const part = share * share * squareOfMiddle(hull, i, j, k);
    if (!(part > longest)) continue;
    longest = part;
    best = k;
  }
  return best;
}

/** α of e = α·m + …, m being the middle point's span k; 0 for a span of no length. */
function shareAlong({ points, spans, slots }: SweptHull, i: number, j: number, k: number): number {
  let product = 0;
  let square = 0;
  for (let axis = 0; axis < 3; axis++) {
    const m = 0.5 * (spans[3 * (i * slots + k) + axis]! + spans[3 * (j * slots + k) + axis]!);
    product += 0.5 * (points[3 * i + axis]! - points[3 * j + axis]!) * m;
    square += m * m;
  }
  return square > 0 ? product / square : 0;
}

function squareOfMiddle({ spans, slots }: SweptHull, i: number, j: number, k: number): number {
  let square = 0;
  for (let axis = 0; axis < 3; axis++) {
    const m = 0.5 * (spans[3 * (i * slots + k) + axis]! + spans[3 * (j * slots + k) + axis]!);
    square += m * m;
  }
  return square;
}

/** What the radius grows by if points i and j merge along a span. */
function growthOf(hull: SweptHull, i: number, j: number, span: number): number {
  const { points, spans, slots, spanCount } = hull;
  const share = span < 0 ? 0 : shareAlong(hull, i, j, span);
  let off = 0;
  for (let axis = 0; axis < 3; axis++) {
    const along = span < 0 ? 0 : spans[3 * (i * slots + span) + axis]! + spans[3 * (j * slots + span) + axis]!;
    const rest = 0.5 * (points[3 * i + axis]! - points[3 * j + axis]! - share * along);
    off += rest * rest;
  }
  let sum = Math.sqrt(off);
  for (let k = 0; k < spanCount; k++) sum += 0.5 * lengthBetween(spans, 3 * (i * slots + k), 3 * (j * slots + k));
  return sum;
}

function lengthBetween(vectors: Float64Array, a: number, b: number): number {
  const x = vectors[a]! - vectors[b]!;
  const y = vectors[a + 1]! - vectors[b + 1]!;
  const z = vectors[a + 2]! - vectors[b + 2]!;
  return Math.sqrt(x * x + y * y + z * z);
}

/** Makes point i the middle of points i and j, its span lengthened. */
function replaceByMiddle(hull: SweptHull, i: number, j: number, span: number): void {
  const { points, spans, slots, spanCount } = hull;
  const factor = span < 0 ? 1 : 1 + Math.abs(shareAlong(hull, i, j, span));
  for (let k = 0; k < 3; k++) points[3 * i + k] = 0.5 * (points[3 * i + k]! + points[3 * j + k]!);
  for (let k = 0; k < 3 * spanCount; k++) {
    spans[3 * i * slots + k] = 0.5 * (spans[3 * i * slots + k]! + spans[3 * j * slots + k]!);
  }
  if (span < 0) return;
  const at = 3 * (i * slots + span);
  for (let k = at; k < at + 3; k++) spans[k] = factor * spans[k]!;
}

function move({ points, spans, slots, spanCount }: SweptHull, from: number, to: number): void {
  for (let k = 0; k < 3; k++) points[3 * to + k] = points[3 * from + k]!;
  for (let k = 0; k < 3 * spanCount; k++) spans[3 * to * slots + k] = spans[3 * from * slots + k]!;
}
