import { FULL_SUM } from "./circle-kernels.js";

/** Steps in which the dense search counts purity. */
const STEPS = FULL_SUM;

/** Circles that deserve a closer look, in preallocated arrays. Centres and radii in pixels of the whole image. */
export class CandidateList {
  readonly capacity: number;
  count = 0;
  readonly u: Float64Array;
  readonly v: Float64Array;
  readonly r: Float64Array;
  /** From 0 to 1. */
  readonly score: Float64Array;
  /** Level of the pyramid on which it was found: pixels there are 2^level wide. */
  readonly level: Uint8Array;
  /** Places in the arrays, best first, once `sort` has run. */
  readonly order: Int32Array;
  /** Where in the order the next candidate of each score goes. */
  readonly #places = new Int32Array(STEPS + 1);

  constructor(capacity: number) {
    this.capacity = capacity;
    this.u = new Float64Array(capacity);
    this.v = new Float64Array(capacity);
    this.r = new Float64Array(capacity);
    this.score = new Float64Array(capacity);
    this.level = new Uint8Array(capacity);
    this.order = new Int32Array(capacity);
  }

  /** Adds one; when the list is full it is dropped. */
  add(u: number, v: number, r: number, score: number, level: number): void {
    if (this.count === this.capacity) return;
    const at = this.count++;
    this.u[at] = u;
    this.v[at] = v;
    this.r[at] = r;
    this.score[at] = score;
    this.level[at] = level;
  }

  /** Orders by falling score, equals as they were added. Scores count in the steps of the dense search: a sort by counting. */
  sort(): void {
    const { count, order, score } = this;
    const places = this.#places.fill(0);
    for (let i = 0; i < count; i++) {
      const step = stepOf(score[i]!);
      places[step] = places[step]! + 1;
    }
    let first = 0;
    for (let step = STEPS; step >= 0; step--) {
      const here = places[step]!;
      places[step] = first;
      first += here;
    }
    for (let i = 0; i < count; i++) {
      const step = stepOf(score[i]!);
      order[places[step]!] = i;
      places[step] = places[step]! + 1;
    }
  }
}

function stepOf(score: number): number {
  return Math.max(0, Math.min(STEPS, Math.round(score * STEPS)));
}
