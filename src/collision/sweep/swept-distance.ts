import * as vec3 from "../../math/vec3.js";
import { DistanceStatus } from "../hull-distance.js";
import { Simplex } from "../simplex.js";
import type { SweptHull } from "./swept-hull.js";

/** Numbers a pair needs to remember the direction across its gap. */
export const DIRECTION_SIZE = 3;

/**
 * Distance between two swept hulls without their radii, by GJK on their support functions, with a certified lower bound:
 * the gap between two parallel planes with one hull on either side, less the rounding of computing it.
 *
 * `HullDistance` does the same for lists of points. Here a point with n spans stands for 2ⁿ corners, of which the one
 * farthest along a direction is found with n scalar products. What a pair remembers is the direction across its gap:
 * after a small motion the planes across the same direction often prove enough, with no iteration at all.
 *
 * Its status is that of `HullDistance`; `separated` means that the two bounds agree to `TOLERANCE`. Nothing is allocated,
 * no input throws or loops.
 */
export class SweptDistance {
  /** Where the hulls are nearest to one another [m]; `findNearestPoints`. */
  readonly nearestA = vec3.create();
  readonly nearestB = vec3.create();
  /** Unit vector across the widest gap found, from B to A; zero if there is none. */
  readonly normal = vec3.create();
  /** Support evaluations of the last measurement. */
  iterations = 0;

  readonly #simplex = new Simplex();
  /** Corners of A and B, at places that the simplex refers to, and the one just found. [3·5] */
  readonly #cornersA = new Float64Array(15);
  readonly #cornersB = new Float64Array(15);
  /** Fractional numbers live here, since V8 boxes them in calls and fields. See the indices below. */
  readonly #numbers = new Float64Array(4);
  readonly #direction = new Float64Array(3);

  constructor() {
    this.sufficient = Number.POSITIVE_INFINITY;
  }

  /** Length between the nearest points found [m]; not below the true distance. */
  get distance(): number {
    return this.#numbers[DISTANCE]!;
  }

  /** Certified: the true distance is not below it [m]. */
  get lowerBound(): number {
    return this.#numbers[LOWER_BOUND]!;
  }

  /** A measurement ends as soon as the distance is proven to be this [m]; Infinity (the first value) for exact ones. */
  get sufficient(): number {
    return this.#numbers[SUFFICIENT]!;
  }
  set sufficient(distance: number) {
    this.#numbers[SUFFICIENT] = distance;
  }

  /**
   * Measures two hulls whose `magnitude` is up to date. `memory` holds, from `at` on, the direction with which to begin and
   * receives the last one; zeros mean a fresh start.
   */
  measure(a: SweptHull, b: SweptHull, memory: Float64Array, at: number): DistanceStatus {
    const numbers = this.#numbers;
    const direction = this.#direction;
    this.iterations = 0;
    this.#simplex.clear();
    numbers[MAGNITUDE] = a.magnitude + b.magnitude;
    if (!(numbers[MAGNITUDE]! < LARGEST_MAGNITUDE && a.count > 0 && b.count > 0)) return this.#refuse(memory, at);
    numbers[LOWER_BOUND] = 0;
    numbers[DISTANCE] = Number.POSITIVE_INFINITY;
    vec3.set(0, 0, 0, this.normal);
    for (let k = 0; k < 3; k++) direction[k] = memory[at + k]!;
    if (!(direction[0]! * direction[0]! + direction[1]! * direction[1]! + direction[2]! * direction[2]! > 0)) {
      for (let k = 0; k < 3; k++) direction[k] = a.points[k]! - b.points[k]!;
    }
    const status = this.#iterate(a, b);
    if (status === DistanceStatus.overlapping) this.#close();
    for (let k = 0; k < 3; k++) memory[at + k] = this.normal[k]!;
    return status;
  }

  /** Fills `nearestA` and `nearestB` for the measurement just made; after `separated` they are those of the hulls. */
  findNearestPoints(): void {
    const { count, first, second, weights } = this.#simplex;
    vec3.set(0, 0, 0, this.nearestA);
    vec3.set(0, 0, 0, this.nearestB);
    for (let i = 0; i < count; i++) {
      for (let k = 0; k < 3; k++) {
        this.nearestA[k] = this.nearestA[k]! + weights[i]! * this.#cornersA[3 * first[i]! + k]!;
        this.nearestB[k] = this.nearestB[k]! + weights[i]! * this.#cornersB[3 * second[i]! + k]!;
      }
    }
  }

  #iterate(a: SweptHull, b: SweptHull): DistanceStatus {
    const simplex = this.#simplex;
    const numbers = this.#numbers;
    const direction = this.#direction;
    const touch = TOUCH * numbers[MAGNITUDE]!;
    while (this.iterations < MAX_ITERATIONS) {
      const place = this.#freePlace();
      this.#prove(a, b, place);
      this.iterations++;
      const bound = numbers[LOWER_BOUND]!;
      if (bound >= numbers[SUFFICIENT]!) return DistanceStatus.far;
      if (numbers[DISTANCE]! - bound <= TOLERANCE) return DistanceStatus.separated;
      if (this.#isKnown(place)) return DistanceStatus.separated;
      simplex.push(this.#cornersA, place, this.#cornersB, place);
      if (!simplex.improve()) {
        simplex.count--;
        return DistanceStatus.separated;
      }
      simplex.compress();
      const length = Math.sqrt(simplex.nearest[3]!);
      if (!(length > touch)) return DistanceStatus.overlapping;
      numbers[DISTANCE] = length;
      for (let k = 0; k < 3; k++) direction[k] = simplex.nearest[k]!;
    }
    return DistanceStatus.unsettled;
  }

  /** A place among the corners that no point of the simplex uses. */
  #freePlace(): number {
    const { count, first } = this.#simplex;
    let place = 0;
    for (let i = 0; i < count; i++) {
      if (first[i] !== place) continue;
      place++;
      i = -1;
    }
    return place;
  }

  /** Whether the corners at `place` give a point that the simplex has. */
  #isKnown(place: number): boolean {
    const { count, points } = this.#simplex;
    const x = this.#cornersA[3 * place]! - this.#cornersB[3 * place]!;
    const y = this.#cornersA[3 * place + 1]! - this.#cornersB[3 * place + 1]!;
    const z = this.#cornersA[3 * place + 2]! - this.#cornersB[3 * place + 2]!;
    for (let i = 0; i < count; i++) {
      if (points[3 * i] === x && points[3 * i + 1] === y && points[3 * i + 2] === z) return true;
    }
    return false;
  }

  /**
   * The corners of A and B extreme along the direction v, and the bound they prove: every a − b has
   * v·(a − b) ≥ min v·a − max v·b, so no two points are nearer than that divided by |v|. Keeps the greatest bound.
   */
  #prove(a: SweptHull, b: SweptHull, place: number): void {
    const d = this.#direction;
    const x = d[0]!;
    const y = d[1]!;
    const z = d[2]!;
    const length = Math.sqrt(x * x + y * y + z * z);
    findCorner(a, d, -1, this.#cornersA, 3 * place, this.#along, 0);
    findCorner(b, d, 1, this.#cornersB, 3 * place, this.#along, 1);
    const gap = -(this.#along[0]! + this.#along[1]!);
    const bound = gap / length - ROUNDING * this.#numbers[MAGNITUDE]!;
    if (!(bound > this.#numbers[LOWER_BOUND]!)) return;
    this.#numbers[LOWER_BOUND] = bound;
    vec3.set(x / length, y / length, z / length, this.normal);
  }
  /** Extents of A against and of B along the direction. */
  readonly #along = new Float64Array(2);

  /** An overlap has no gap. */
  #close(): void {
    this.#numbers[DISTANCE] = 0;
    this.#numbers[LOWER_BOUND] = 0;
    vec3.set(0, 0, 0, this.normal);
  }

  #refuse(memory: Float64Array, at: number): DistanceStatus {
    this.#numbers[DISTANCE] = Number.NaN;
    this.#numbers[LOWER_BOUND] = Number.NEGATIVE_INFINITY;
    vec3.set(0, 0, 0, this.normal);
    for (let k = 0; k < 3; k++) memory[at + k] = 0;
    return DistanceStatus.invalid;
  }
}

/** Writes the corner of `hull` farthest along sign·direction to corners[to …] and how far it is to along[at]. */
function findCorner(
  hull: SweptHull,
  direction: Float64Array,
  sign: number,
  corners: Float64Array,
  to: number,
  along: Float64Array,
  at: number,
): void {
  const { points, spans, slots, spanCount, count } = hull;
  const x = sign * direction[0]!;
  const y = sign * direction[1]!;
  const z = sign * direction[2]!;
  let greatest = Number.NEGATIVE_INFINITY;
  let best = 0;
  for (let i = 0; i < count; i++) {
    let extent = x * points[3 * i]! + y * points[3 * i + 1]! + z * points[3 * i + 2]!;
    const first = 3 * i * slots;
    const end = first + 3 * spanCount;
    for (let k = first; k < end; k += 3) extent += Math.abs(x * spans[k]! + y * spans[k + 1]! + z * spans[k + 2]!);
    if (!(extent > greatest)) continue;
    greatest = extent;
    best = i;
  }
  along[at] = greatest;
  let px = points[3 * best]!;
  let py = points[3 * best + 1]!;
  let pz = points[3 * best + 2]!;
  const first = 3 * best * slots;
  const end = first + 3 * spanCount;
  for (let k = first; k < end; k += 3) {
    const sx = spans[k]!;
    const sy = spans[k + 1]!;
    const sz = spans[k + 2]!;
    const side = x * sx + y * sy + z * sz < 0 ? -1 : 1;
    px += side * sx;
    py += side * sy;
    pz += side * sz;
  }
  corners[to] = px;
  corners[to + 1] = py;
  corners[to + 2] = pz;
}

const DISTANCE = 0;
const LOWER_BOUND = 1;
const SUFFICIENT = 2;
const MAGNITUDE = 3;

/** Twice what the roundest hulls of 40 spans took. */
const MAX_ITERATIONS = 64;
/** Above it squares and products of three could overflow [m]. */
const LARGEST_MAGNITUDE = 1e60;
/** What a bound may lack for the sake of speed [m]. */
export const TOLERANCE = 2e-5;
/** Share of the magnitude below which a length is nothing but rounding. */
const TOUCH = 1e-14;
/**
 * Share of the magnitude by which rounding can falsify the bound: with u = 2⁻⁵³, (n + 3)·u for the extent of a point with n
 * spans and 4u for the rest; 9·10⁻¹⁵ for n = 64.
 */
const ROUNDING = 1e-14;
