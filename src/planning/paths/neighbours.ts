import type { JointSpace } from "./joint-space.js";

/** Configurations in the order in which they came, and which of them are near another. */
export interface NeighbourIndex {
  readonly size: number;
  /** All configurations, one after the other. */
  readonly points: Float64Array;
  clear(): void;
  /** Adds a configuration; its number. */
  add(q: Float64Array, at?: number): number;
  /** Number of the nearest; −1 of none. */
  nearest(q: Float64Array, at?: number): number;
  /** Numbers of the `k` nearest, the nearest first; how many there are. */
  nearestOf(q: Float64Array, at: number, k: number, out: Int32Array): number;
}

/** Room for configurations that grows. */
export class PointList {
  size = 0;
  points: Float64Array;
  readonly #count: number;

  constructor(count: number) {
    this.#count = count;
    this.points = new Float64Array(256 * count);
  }

  add(q: Float64Array, at: number): number {
    const from = this.size * this.#count;
    if (from + this.#count > this.points.length) {
      const larger = new Float64Array(2 * this.points.length);
      larger.set(this.points);
      this.points = larger;
    }
    for (let i = 0; i < this.#count; i++) this.points[from + i] = q[at + i]!;
    return this.size++;
  }
}

/** The `k` least of some numbered distances, kept in order by insertion. */
export class NearestList {
  size = 0;
  readonly numbers: Int32Array;
  readonly distances: Float64Array;
  #most = 0;

  constructor(capacity: number) {
    this.numbers = new Int32Array(capacity);
    this.distances = new Float64Array(capacity);
  }

  begin(most: number): void {
    this.size = 0;
    this.#most = Math.min(most, this.numbers.length);
  }

  /** The distance from which on nothing counts. */
  get bound(): number {
    return this.size < this.#most ? Number.POSITIVE_INFINITY : this.distances[this.size - 1]!;
  }

  offer(number: number, distance: number): void {
    if (!(distance < this.bound)) return;
    let at = this.size < this.#most ? this.size++ : this.size - 1;
    for (; at > 0 && this.distances[at - 1]! > distance; at--) {
      this.distances[at] = this.distances[at - 1]!;
      this.numbers[at] = this.numbers[at - 1]!;
    }
    this.distances[at] = distance;
    this.numbers[at] = number;
  }
}

/** Most neighbours that can be asked for. */
const MOST_NEIGHBOURS = 64;

/** Looks at every configuration: the fastest for some hundreds of them. */
export class LinearNeighbours implements NeighbourIndex {
  readonly #space: JointSpace;
  readonly #list: PointList;
  readonly #nearest = new NearestList(MOST_NEIGHBOURS);

  constructor(space: JointSpace) {
    this.#space = space;
    this.#list = new PointList(space.count);
  }

  get size(): number {
    return this.#list.size;
  }

  get points(): Float64Array {
    return this.#list.points;
  }

  clear(): void {
    this.#list.size = 0;
  }

  add(q: Float64Array, at = 0): number {
    return this.#list.add(q, at);
  }

  nearest(q: Float64Array, at = 0): number {
    const { count } = this.#space;
    let best = -1;
    let least = Number.POSITIVE_INFINITY;
    for (let k = 0; k < this.size; k++) {
      const distance = this.#space.squaredDistance(this.points, k * count, q, at);
      if (!(distance < least)) continue;
      least = distance;
      best = k;
    }
    return best;
  }

  nearestOf(q: Float64Array, at: number, k: number, out: Int32Array): number {
    const { count } = this.#space;
    const nearest = this.#nearest;
    nearest.begin(k);
    for (let i = 0; i < this.size; i++) nearest.offer(i, this.#space.squaredDistance(this.points, i * count, q, at));
    for (let i = 0; i < nearest.size; i++) out[i] = nearest.numbers[i]!;
    return nearest.size;
  }
}
