import { Random } from "../../math/random.js";
import { convexHull, grownVolume } from "./convex-hull.js";
import { extremePoints, spreadDirections } from "./extreme-points.js";
import { ReachBeyond } from "./reach-beyond.js";

/** A collision body: the convex hull of few points, grown by a radius. */
export interface FittedHull {
  /** x, y, z of each point [m]. */
  readonly points: Float64Array;
  /** [m] */
  readonly radius: number;
  /** [m³] */
  readonly volume: number;
}

export interface HullFitOptions {
  /** Most points of a body. */
  readonly maxPoints: number;
  /** Random trials to make it smaller. */
  readonly trials: number;
}

/** Points and radii are written with this step [m]; the radius is rounded up. */
const step = 1e-5;

/** Directions in which the hull's corners are looked for. */
const directions = spreadDirections(600);

/** Shares of the half width by which points are drawn inwards before some of them are chosen. */
const insets = [0, 0.25, 0.5, 0.75, 1];

/** A point more must save this share of the volume to be worth its time in every distance computed later. */
const pricePerPoint = 0.01;

/**
 * A small body of few points and a radius that contains all points. Corners are drawn inwards by some radius, a few of
 * them chosen one after the other (always the one farthest from the hull so far), then shifted at random as long as the
 * volume shrinks. The radius is last: what the farthest of *all* points needs, each distance proven from above.
 */
export function fitHull(points: Float64Array, options: HullFitOptions): FittedHull {
  const corners = extremePoints(points, directions);
  const reach = new ReachBeyond();
  const candidates = insetSets(corners).flatMap((set) => grow(set, corners, reach, options.maxPoints));
  const best = candidates.reduce((least, candidate) => (candidate.cost < least.cost ? candidate : least));
  const refined = refine(best.points, corners, reach, options.trials);
  return certified(refined, points, reach);
}

/** Rounded as it is written, with the radius that contains every point. */
function certified(chosen: Float64Array, points: Float64Array, reach: ReachBeyond): FittedHull {
  const rounded = chosen.map((value) => Math.round(value / step) * step).map(readable);
  const { distance } = reach.greatest(points, rounded);
  const radius = readable(Math.ceil(distance / step + 1e-3) * step);
  return { points: rounded, radius, volume: grownVolume(rounded, radius) };
}

function readable(value: number): number {
  return Number(value.toFixed(5)) + 0;
}

/** The corners drawn inwards along their normals, by several radii. */
function insetSets(corners: Float64Array): Float64Array[] {
  const hull = convexHull(corners);
  if (hull === null) return [corners];
  const normals = cornerNormals(corners, hull.faces);
  const half = halfWidth(corners, normals);
  return insets.map((share) => corners.map((value, i) => value - share * half * normals[i]!));
}

/** Unit sum of the normals of the faces at each corner, weighed by their areas. */
function cornerNormals(corners: Float64Array, faces: Int32Array): Float64Array {
  const normals = new Float64Array(corners.length);
  for (let f = 0; f < faces.length; f += 3) {
    const [a, b, c] = [3 * faces[f]!, 3 * faces[f + 1]!, 3 * faces[f + 2]!];
    const u = [0, 1, 2].map((k) => corners[b + k]! - corners[a + k]!);
    const v = [0, 1, 2].map((k) => corners[c + k]! - corners[a + k]!);
    const normal = [u[1]! * v[2]! - u[2]! * v[1]!, u[2]! * v[0]! - u[0]! * v[2]!, u[0]! * v[1]! - u[1]! * v[0]!];
    for (const corner of [a, b, c]) for (let k = 0; k < 3; k++) normals[corner + k]! += normal[k]!;
  }
  for (let i = 0; i < normals.length; i += 3) {
    const length = Math.hypot(normals[i]!, normals[i + 1]!, normals[i + 2]!) || 1;
    for (let k = 0; k < 3; k++) normals[i + k]! /= length;
  }
  return normals;
}

/** Half of the least width along one of the normals. */
function halfWidth(corners: Float64Array, normals: Float64Array): number {
  let least = Number.POSITIVE_INFINITY;
  for (let n = 0; n < normals.length; n += 3) {
    const [x, y, z] = [normals[n]!, normals[n + 1]!, normals[n + 2]!];
    if (x === 0 && y === 0 && z === 0) continue;
    let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (let i = 0; i < corners.length; i += 3) {
      const along = x * corners[i]! + y * corners[i + 1]! + z * corners[i + 2]!;
      low = Math.min(low, along);
      high = Math.max(high, along);
    }
    least = Math.min(least, (high - low) / 2);
  }
  return least;
}

interface Candidate {
  readonly points: Float64Array;
  /** Volume, with a price for each point. */
  readonly cost: number;
}

/** Points of `set` chosen one after the other, with the cost of every number of them. */
function grow(set: Float64Array, corners: Float64Array, reach: ReachBeyond, maxPoints: number): Candidate[] {
  const candidates: Candidate[] = [];
  let chosen = set.slice(0, 3);
  while (chosen.length <= 3 * maxPoints) {
    candidates.push({ points: chosen, cost: costOf(chosen, corners, reach) });
    const { distance, index } = reach.greatest(set, chosen);
    // The first point is any; the farthest from it is an end.
    if (chosen.length === 3 && candidates.length === 1) chosen = set.slice(index, index + 3);
    else if (!(distance > step)) break;
    else chosen = Float64Array.of(...chosen, ...set.subarray(index, index + 3));
  }
  return candidates;
}

function costOf(chosen: Float64Array, corners: Float64Array, reach: ReachBeyond): number {
  const { distance } = reach.greatest(corners, chosen);
  return grownVolume(chosen, distance) * (1 + (pricePerPoint * chosen.length) / 3);
}

/** Shifts one point or all of them at random, by less and less, as long as it makes the body smaller. */
function refine(start: Float64Array, corners: Float64Array, reach: ReachBeyond, trials: number): Float64Array {
  const random = new Random("fit-hull");
  let best = start;
  let least = costOf(best, corners, reach);
  let size = 0.2 * spanOf(corners);
  for (let trial = 0; trial < trials; trial++) {
    const moved = best.slice();
    const at = 3 * random.integer(moved.length / 3);
    for (let k = 0; k < 3; k++) moved[at + k]! += size * random.normal();
    const cost = costOf(moved, corners, reach);
    if (cost < least) [best, least] = [moved, cost];
    else size = Math.max(size * 0.985, step);
  }
  return best;
}

function spanOf(points: Float64Array): number {
  let span = 0;
  for (let i = 3; i < points.length; i++) span = Math.max(span, Math.abs(points[i]! - points[i % 3]!));
  return span;
}
