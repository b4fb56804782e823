/** Circles that deserve a closer look, in preallocated arrays. Centres and radii in pixels of the whole image. */
export class CandidateList {
  readonly capacity: number;
  count = 0;
  readonly u: Float64Array;
  readonly v: Float64Array;
  readonly r: Float64Array;
  readonly score: Float64Array;
  /** Level of the pyramid on which it was found: pixels there are 2^level wide. */
  readonly level: Uint8Array;
  /** Places in the arrays, best first, once `sort` has run. */
  readonly order: Int32Array;

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

  /** Orders by falling score, equals as they were added: insertion sort, for lists that are short and half sorted. */
  sort(): void {
    const { order, score } = this;
    for (let i = 0; i < this.count; i++) {
      const value = score[i]!;
      let at = i;
      for (; at > 0 && score[order[at - 1]!]! < value; at--) order[at] = order[at - 1]!;
      order[at] = i;
    }
  }
}
