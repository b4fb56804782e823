import * as vec3 from "../../../src/math/vec3.js";
import { type PlacedShape, supportOf } from "./convex-shape.js";

/** An interval that holds the true distance of two shapes' surfaces [m]; negative by up to the radii where cores meet. */
export interface DistanceInterval {
  /** Gap of two parallel planes with one core on either side, less the radii; −radii if none was found. */
  readonly lower: number;
  /** Length between a point of either core, less the radii. */
  readonly upper: number;
}

export interface MinNormOptions {
  /** Stop when the two bounds are this near [m]; 1e-11 by default. */
  readonly tolerance?: number;
  /** Stop as soon as the distance is proven to exceed this [m]. */
  readonly sufficient?: number;
}

const MAX_STEPS = 1000;
/** A corner that bulges out of the corral's support plane by less than this is rounding [m]. */
const ROUNDING = 1e-15;

/**
 * Distance of two convex shapes: the point of least norm in the set of all differences a − b, by Wolfe's algorithm
 * ("Finding the nearest point in a polytope", Mathematical Programming 11, 1976). It keeps a *corral*, affinely independent
 * corners whose affine hull has its nearest point inside them, adds the corner the support plane points to, and drops
 * corners by line searches until the corral is one again.
 *
 * The interval is sound whatever the algorithm did: `upper` is the length of a convex combination, `lower` a support-plane
 * gap. Slow and plain; it shares no code with `src/safety`.
 */
export function distanceInterval(a: PlacedShape, b: PlacedShape, options: MinNormOptions = {}): DistanceInterval {
  const { tolerance = 1e-11, sufficient = Number.POSITIVE_INFINITY } = options;
  const radii = a.shape.radius + b.shape.radius;
  const corral = new Corral();
  let lower = 0;
  let upper = Number.POSITIVE_INFINITY;
  const direction = vec3.create(1, 0, 0);
  for (let step = 0; step < MAX_STEPS; step++) {
    const corner = difference(a, b, direction);
    if (step > 0) {
      upper = Math.min(upper, vec3.norm(direction));
      lower = Math.max(lower, vec3.dot(direction, corner) / vec3.norm(direction));
      if (upper - lower <= tolerance || lower - radii > sufficient) break;
    }
    if (!corral.add(corner)) break;
    vec3.copy(corral.nearest, direction);
    if (vec3.norm(direction) <= tolerance) {
      upper = vec3.norm(direction);
      break;
    }
  }
  return { lower: lower - radii, upper: upper - radii };
}

/** The corner of the difference A − B that lies least far along `direction`. */
function difference(a: PlacedShape, b: PlacedShape, direction: vec3.Vec3): vec3.Vec3 {
  const back = vec3.scale(direction, -1, vec3.create());
  const first = supportOf(a, back, vec3.create());
  return vec3.subtract(first, supportOf(b, direction, vec3.create()), first);
}

/** Corners and the convex combination of them that is nearest to the origin. */
class Corral {
  readonly nearest = vec3.create();
  #corners: vec3.Vec3[] = [];
  #weights: number[] = [];

  /** Adds a corner and makes the corral one again; `false` if that brings nothing any more. */
  add(corner: vec3.Vec3): boolean {
    const before = this.#corners.length === 0 ? Number.POSITIVE_INFINITY : vec3.norm(this.nearest);
    this.#corners.push(corner);
    this.#weights.push(this.#corners.length === 1 ? 1 : 0);
    for (;;) {
      const affine = affineWeights(this.#corners);
      if (affine === null) return this.#giveUp();
      if (affine.every((weight) => weight > 0)) {
        this.#weights = affine;
        this.#combine();
        return vec3.norm(this.nearest) < before - ROUNDING;
      }
      this.#walkTowards(affine);
    }
  }

  /** From the present weights towards `affine` as far as none gets negative; drops the corners whose weight vanishes. */
  #walkTowards(affine: readonly number[]): void {
    let [share, leaving] = [1, -1];
    for (const [i, weight] of affine.entries()) {
      if (weight > 0) continue;
      const until = this.#weights[i]! / (this.#weights[i]! - weight);
      if (leaving >= 0 && until >= share) continue;
      [share, leaving] = [Math.min(1, until), i];
    }
    this.#weights = this.#weights.map((weight, i) => Math.max(0, weight + share * (affine[i]! - weight)));
    this.#corners.splice(leaving, 1);
    this.#weights.splice(leaving, 1);
  }

  /** A flat corral: the new corner is dropped again. */
  #giveUp(): boolean {
    this.#corners.pop();
    this.#weights.pop();
    return false;
  }

  #combine(): void {
    vec3.set(0, 0, 0, this.nearest);
    for (const [i, corner] of this.#corners.entries()) {
      vec3.addScaled(this.nearest, corner, this.#weights[i]!, this.nearest);
    }
  }
}

/** Weights, of sum 1, of the point of the corners' affine hull nearest to the origin; null where it is flat. */
function affineWeights(corners: readonly vec3.Vec3[]): number[] | null {
  const origin = corners[corners.length - 1]!;
  const edges = corners.slice(0, -1).map((corner) => vec3.subtract(corner, origin, vec3.create()));
  if (edges.length > 3) return null;
  const basis: vec3.Vec3[] = [];
  const upper: number[][] = [];
  for (const edge of edges) {
    const rest = vec3.copy(edge, vec3.create());
    const column = basis.map(() => 0);
    // Gram and Schmidt, twice: corners of round shapes lie close together.
    for (let pass = 0; pass < 2; pass++) {
      for (const [k, unit] of basis.entries()) {
        const along = vec3.dot(rest, unit);
        column[k] = column[k]! + along;
        vec3.addScaled(rest, unit, -along, rest);
      }
    }
    const length = vec3.norm(rest);
    if (!(length > 1e-13 * vec3.norm(edge))) return null;
    basis.push(vec3.scale(rest, 1 / length, rest));
    upper.push([...column, length]);
  }
  const weights = new Array<number>(edges.length).fill(0);
  for (let i = edges.length - 1; i >= 0; i--) {
    let right = -vec3.dot(origin, basis[i]!);
    for (let k = i + 1; k < edges.length; k++) right -= upper[k]![i]! * weights[k]!;
    weights[i] = right / upper[i]![i]!;
  }
  return [...weights, 1 - weights.reduce((sum, weight) => sum + weight, 0)];
}
