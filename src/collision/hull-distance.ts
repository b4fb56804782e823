import * as vec3 from "../math/vec3.js";
import { nearestOfSegments } from "./segment-pair.js";
import { Simplex } from "./simplex.js";

/** Outcome of a measurement. Only what `separated` and `far` say proves that the hulls are apart. */
export const DistanceStatus = {
  /** Apart; `distance` and `lowerBound` agree to rounding. */
  separated: 0,
  /** Apart by at least `sufficient`, which was all that was asked; `distance` is only an upper bound. */
  far: 1,
  /** A common point was found, or one to within rounding: `distance` and `lowerBound` are 0. */
  overlapping: 2,
  /** Out of iterations; the true distance lies between `lowerBound` and `distance`. Not met in practice by `HullDistance`. */
  unsettled: 3,
  /** A coordinate is not finite or absurdly large, or a set is empty: `distance` is NaN, `lowerBound` −Infinity. */
  invalid: 4,
} as const;
export type DistanceStatus = (typeof DistanceStatus)[keyof typeof DistanceStatus];

/** No outcome yet. */
const OPEN = -1;
type Judgement = DistanceStatus | typeof OPEN;

/** Numbers a pair needs to remember its last simplex: how many points, their indices in A, their indices in B. */
export const MEMORY_SIZE = 9;

/**
 * Distance between the convex hulls of two point sets, by the algorithm of Gilbert, Johnson and Keerthi ("A fast
 * procedure for computing the distance between complex objects in three-dimensional space", 1988).
 *
 * The result is an interval. `distance` is the length between two points that lie in the hulls (`nearestA`, `nearestB`),
 * so the true one is not greater. `lowerBound` is the gap between two parallel planes with one set on either side (the
 * support planes), less a bound of the rounding in computing it: whatever the iteration did, the true distance is not
 * smaller. A body grown by a radius is the caller's: subtract the radii from either.
 *
 * Points are x, y, z of each, in any order; inner and repeated ones do no harm. Nothing is allocated, no input throws
 * or loops.
 *
 * @example
 * const hulls = new HullDistance();
 * const memory = new Int32Array(MEMORY_SIZE);
 * hulls.measure(Float64Array.of(0, 0, 0), 1, Float64Array.of(1, -1, 0, 1, 1, 0), 2, memory, 0); // separated
 * hulls.distance; // 1
 */
export class HullDistance {
  /** Where the hulls are nearest to one another [m]; a common point if they overlap. */
  readonly nearestA = vec3.create();
  readonly nearestB = vec3.create();
  /** Unit vector across the widest gap found, from B to A; zero if there is none. */
  readonly normal = vec3.create();
  /** Support evaluations of the last measurement. */
  iterations = 0;

  readonly #simplex = new Simplex();
  /** Fractional numbers live here, since V8 boxes them in calls and fields. See the indices below. */
  readonly #numbers = new Float64Array(5);
  #supportA = 0;
  #supportB = 0;

  constructor() {
    this.sufficient = Number.POSITIVE_INFINITY;
  }

  /** Length between `nearestA` and `nearestB` [m]; not below the true distance. */
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
   * Measures the first `countA` points of `a` against the first `countB` of `b`. `memory` holds, from `at` on, the
   * simplex with which to begin and receives the last one: the next measurement of a pair that moved little takes one or
   * two iterations. Zeros there mean a fresh start. What it holds changes the result by rounding only.
   */
  measure(
    a: Float64Array,
    countA: number,
    b: Float64Array,
    countB: number,
    memory: Int32Array,
    at: number,
  ): DistanceStatus {
    this.iterations = 0;
    this.#measureMagnitude(a, countA, b, countB);
    if (!(this.#numbers[MAGNITUDE]! < LARGEST_MAGNITUDE && countA > 0 && countB > 0)) return this.#refuse(memory, at);
    this.#numbers[LOWER_BOUND] = 0;
    vec3.set(0, 0, 0, this.normal);
    let status: Judgement = OPEN;
    if (countA <= 2 && countB <= 2) {
      nearestOfSegments(a, countA, b, countB, this.#simplex);
      status = this.#judge(a, countA, b, countB);
    }
    if (status === OPEN) {
      this.#begin(a, countA, b, countB, memory, at);
      status = this.#iterate(a, countA, b, countB);
    }
    if (status === DistanceStatus.overlapping) this.#close();
    this.#remember(memory, at);
    return status;
  }

  /** Fills `nearestA` and `nearestB` for the measurement just made of the same two sets. */
  findNearestPoints(a: Float64Array, b: Float64Array): void {
    const { count, first, second, weights } = this.#simplex;
    let ax = 0;
    let ay = 0;
    let az = 0;
    let bx = 0;
    let by = 0;
    let bz = 0;
    for (let i = 0; i < count; i++) {
      const w = weights[i]!;
      const p = 3 * first[i]!;
      const q = 3 * second[i]!;
      ax += w * a[p]!;
      ay += w * a[p + 1]!;
      az += w * a[p + 2]!;
      bx += w * b[q]!;
      by += w * b[q + 1]!;
      bz += w * b[q + 2]!;
    }
    vec3.set(ax, ay, az, this.nearestA);
    vec3.set(bx, by, bz, this.nearestB);
  }

  #iterate(a: Float64Array, countA: number, b: Float64Array, countB: number): DistanceStatus {
    const simplex = this.#simplex;
    while (this.iterations < MAX_ITERATIONS) {
      const status = this.#judge(a, countA, b, countB);
      if (status !== OPEN) return status;
      if (simplex.has(this.#supportA, this.#supportB)) return DistanceStatus.separated;
      simplex.push(a, this.#supportA, b, this.#supportB);
      if (!simplex.improve()) {
        simplex.count--;
        return DistanceStatus.separated;
      }
      simplex.compress();
    }
    return DistanceStatus.unsettled;
  }

  /** What the nearest point found so far proves. */
  #judge(a: Float64Array, countA: number, b: Float64Array, countB: number): Judgement {
    const numbers = this.#numbers;
    const touch = TOUCH * numbers[MAGNITUDE]!;
    const length = Math.sqrt(this.#simplex.nearest[3]!);
    if (!(length > touch)) return DistanceStatus.overlapping;
    numbers[DISTANCE] = length;
    this.#findSupport(a, countA, b, countB);
    this.iterations++;
    const bound = numbers[LOWER_BOUND]!;
    if (bound >= numbers[SUFFICIENT]!) return DistanceStatus.far;
    return length - bound <= CONVERGED * length + touch ? DistanceStatus.separated : OPEN;
  }

  /** Sum of all |coordinates|: the scale of rounding errors, and not finite if one of them is not. */
  #measureMagnitude(a: Float64Array, countA: number, b: Float64Array, countB: number): void {
    let sum = 0;
    for (let i = 0; i < 3 * countA; i++) sum += Math.abs(a[i]!);
    for (let i = 0; i < 3 * countB; i++) sum += Math.abs(b[i]!);
    this.#numbers[MAGNITUDE] = sum;
  }

  /** Rebuilds the remembered simplex at the points' present places, or starts with the first point of each set. */
  #begin(a: Float64Array, countA: number, b: Float64Array, countB: number, memory: Int32Array, at: number): void {
    const simplex = this.#simplex;
    const known = memory[at]!;
    simplex.clear();
    for (let i = 0; i < known && i < 4; i++) {
      const first = memory[at + 1 + i]!;
      const second = memory[at + 5 + i]!;
      const isUsable = first >= 0 && first < countA && second >= 0 && second < countB;
      if (!isUsable) continue;
      simplex.push(a, first, b, second);
      simplex.improve();
    }
    if (simplex.count === 0) {
      simplex.push(a, 0, b, 0);
      simplex.improve();
    }
    simplex.compress();
  }

  /**
   * The points of A and B extreme along the nearest point v, and the bound they prove: every a − b has
   * v·(a − b) ≥ min v·a − max v·b, so no two points are nearer than that divided by |v|. Keeps the greatest bound.
   */
  #findSupport(a: Float64Array, countA: number, b: Float64Array, countB: number): void {
    const v = this.#simplex.nearest;
    const x = v[0]!;
    const y = v[1]!;
    const z = v[2]!;
    let least = Number.POSITIVE_INFINITY;
    for (let i = 0; i < countA; i++) {
      const along = x * a[3 * i]! + y * a[3 * i + 1]! + z * a[3 * i + 2]!;
      if (!(along < least)) continue;
      least = along;
      this.#supportA = i;
    }
    let greatest = Number.NEGATIVE_INFINITY;
    for (let i = 0; i < countB; i++) {
      const along = x * b[3 * i]! + y * b[3 * i + 1]! + z * b[3 * i + 2]!;
      if (!(along > greatest)) continue;
      greatest = along;
      this.#supportB = i;
    }
    const length = this.#numbers[DISTANCE]!;
    const bound = (least - greatest) / length - ROUNDING * this.#numbers[MAGNITUDE]!;
    if (!(bound > this.#numbers[LOWER_BOUND]!)) return;
    this.#numbers[LOWER_BOUND] = bound;
    vec3.set(x / length, y / length, z / length, this.normal);
  }

  /** An overlap has no gap. */
  #close(): void {
    this.#numbers[DISTANCE] = 0;
    this.#numbers[LOWER_BOUND] = 0;
    vec3.set(0, 0, 0, this.normal);
  }

  #remember(memory: Int32Array, at: number): void {
    const { count, first, second } = this.#simplex;
    memory[at] = count;
    for (let i = 0; i < count; i++) {
      memory[at + 1 + i] = first[i]!;
      memory[at + 5 + i] = second[i]!;
    }
  }

  #refuse(memory: Int32Array, at: number): DistanceStatus {
    this.#numbers[DISTANCE] = Number.NaN;
    this.#numbers[LOWER_BOUND] = Number.NEGATIVE_INFINITY;
    vec3.set(0, 0, 0, this.normal);
    this.#simplex.clear();
    memory[at] = 0;
    return DistanceStatus.invalid;
  }
}

const DISTANCE = 0;
const LOWER_BOUND = 1;
const SUFFICIENT = 2;
const MAGNITUDE = 3;

/** GJK on polytopes ends by itself; hulls of tens of points take below 20. */
const MAX_ITERATIONS = 128;
/** Above it squares and products of three could overflow [m]. */
const LARGEST_MAGNITUDE = 1e60;
/** Relative gap between the two bounds at which to stop. */
const CONVERGED = 1e-12;
/** Share of the magnitude below which a length is nothing but rounding. */
const TOUCH = 1e-14;
/**
 * Share of the magnitude by which rounding can falsify the support-plane bound: with u = 2⁻⁵³, 3u for either scalar
 * product, and 4u for difference, length, division and this subtraction; 9u in all.
 */
const ROUNDING = 1e-15;
