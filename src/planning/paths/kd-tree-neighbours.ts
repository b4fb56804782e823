import type { JointSpace } from "./joint-space.js";
import { NearestList, type NeighbourIndex, PointList } from "./neighbours.js";

const NONE = -1;
/** Most neighbours that can be asked for. */
const MOST_NEIGHBOURS = 64;
const TURN = 2 * Math.PI;

/**
 * A tree in which each configuration cuts the space at one joint's position, those below it on the left: joints take turns
 * by depth. Configurations come in at random, so it stays balanced enough without work. A joint that wraps is cut as a
 * circle: its far side is as near as the nearer of the cut and the seam.
 */
export class KdTreeNeighbours implements NeighbourIndex {
  readonly #space: JointSpace;
  readonly #list: PointList;
  #left = new Int32Array(256);
  #right = new Int32Array(256);
  readonly #nearest = new NearestList(MOST_NEIGHBOURS);
  readonly #query: Float64Array;

  constructor(space: JointSpace) {
    this.#space = space;
    this.#list = new PointList(space.count);
    this.#query = new Float64Array(space.count);
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
    const number = this.#list.add(q, at);
    if (number === this.#left.length) this.#grow();
    this.#left[number] = NONE;
    this.#right[number] = NONE;
    if (number > 0) this.#hang(number);
    return number;
  }

  nearest(q: Float64Array, at = 0): number {
    this.#search(q, at, 1);
    return this.#nearest.size > 0 ? this.#nearest.numbers[0]! : NONE;
  }

  nearestOf(q: Float64Array, at: number, k: number, out: Int32Array): number {
    this.#search(q, at, k);
    for (let i = 0; i < this.#nearest.size; i++) out[i] = this.#nearest.numbers[i]!;
    return this.#nearest.size;
  }

  #grow(): void {
    this.#left = doubled(this.#left);
    this.#right = doubled(this.#right);
  }

  #hang(number: number): void {
    const { count } = this.#space;
    let node = 0;
    for (let depth = 0; ; depth++) {
      const i = depth % count;
      const isLeft = this.#canonical(i, this.points[number * count + i]!) < this.#cut(node, i);
      const side = isLeft ? this.#left : this.#right;
      if (side[node] === NONE) {
        side[node] = number;
        return;
      }
      node = side[node]!;
    }
  }

  #search(q: Float64Array, at: number, k: number): void {
    this.#nearest.begin(k);
    for (let i = 0; i < this.#space.count; i++) this.#query[i] = this.#canonical(i, q[at + i]!);
    if (this.size > 0) this.#visit(0, 0);
  }

  #visit(node: number, depth: number): void {
    const space = this.#space;
    const i = depth % space.count;
    this.#nearest.offer(node, space.squaredDistance(this.points, node * space.count, this.#query, 0));
    const cut = this.#cut(node, i);
    const isLeft = this.#query[i]! < cut;
    const near = isLeft ? this.#left[node]! : this.#right[node]!;
    const far = isLeft ? this.#right[node]! : this.#left[node]!;
    if (near !== NONE) this.#visit(near, depth + 1);
    if (far === NONE) return;
    const gap = space.weight[i]! * this.#gap(i, this.#query[i]!, cut, isLeft);
    if (gap * gap < this.#nearest.bound) this.#visit(far, depth + 1);
  }

  /** Distance of a position to the far side of a cut. */
  #gap(i: number, position: number, cut: number, isLeft: boolean): number {
    const across = Math.abs(position - cut);
    if (this.#space.wraps[i] === 0) return across;
    // By way of the seam at −π = π.
    return Math.min(across, isLeft ? position + Math.PI : Math.PI - position);
  }

  #cut(node: number, i: number): number {
    return this.#canonical(i, this.points[node * this.#space.count + i]!);
  }

  /** Between −π and π for a joint that wraps. */
  #canonical(i: number, position: number): number {
    return this.#space.wraps[i] === 1 ? position - TURN * Math.round(position / TURN) : position;
  }
}

function doubled(list: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(2 * list.length);
  larger.set(list);
  return larger;
}
