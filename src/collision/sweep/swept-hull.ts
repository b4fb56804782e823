/**
 * V(r; P, S): everything a body can reach, as the convex hull of points, each smeared along a few vectors, grown by a
 * radius. Point i with its spans s₁ … s_n stands for the 2ⁿ points p ± s₁ ± … ± s_n, so
 *
 *   V = conv { pᵢ + Σ λₖ·sᵢₖ : |λₖ| ≤ 1 } ⊕ ball(radius).
 *
 * With no spans it is the sphere-swept convex hull V(r; P). A span belongs to one degree of freedom: its *slot*. Sweeping
 * a body through n joints thus takes n spans a point instead of 2ⁿ times the points, and a dof that turns two joints
 * has one span with the sum of both motions. Memory is made once; nothing here allocates later.
 */
export class SweptHull {
  /** Most points, and most spans of a point. */
  readonly capacity: number;
  readonly slots: number;
  /** Points in use. */
  count = 0;
  /** Spans in use: slots 0 … spanCount − 1 of every point. */
  spanCount = 0;
  /** x, y, z of each point [m]. [3·capacity] */
  readonly points: Float64Array;
  /** x, y, z of span k of point i, from 3·(i·slots + k) on [m]; its own or another hull's. [3·slots·capacity] */
  spans: Float64Array;
  readonly #ownSpans: Float64Array;
  /** Radius [m], magnitude [m]: in an array, since V8 boxes fractional fields. */
  readonly #numbers = new Float64Array(2);

  constructor(capacity: number, slots: number) {
    this.capacity = capacity;
    this.slots = slots;
    this.points = new Float64Array(3 * capacity);
    this.#ownSpans = new Float64Array(3 * slots * capacity);
    this.spans = this.#ownSpans;
  }

  /** By how much the hull is grown [m]. */
  get radius(): number {
    return this.#numbers[0]!;
  }
  set radius(radius: number) {
    this.#numbers[0] = radius;
  }

  /** Greatest sum over a point's coordinates and spans of their absolute values [m]: the scale of rounding; `measure`. */
  get magnitude(): number {
    return this.#numbers[1]!;
  }

  /** Whether `magnitude` is that of the hull as last copied, extended or set. */
  get isMeasured(): boolean {
    return this.#numbers[1] !== UNMEASURED;
  }

  /** Takes `count` points without spans; the radius stays. */
  setPoints(points: Float64Array, count: number): void {
    this.count = count;
    this.spanCount = 0;
    this.spans = this.#ownSpans;
    this.#numbers[1] = UNMEASURED;
    for (let i = 0; i < 3 * count; i++) this.points[i] = points[i]!;
  }

  /** Becomes `source` with spans of its own, `spanCount` of them: the first as they are there, the others zero. */
  copy(source: SweptHull, spanCount: number): void {
    const known = 3 * source.spanCount;
    this.spans = this.#ownSpans;
    this.#takePoints(source, spanCount);
    for (let i = 0; i < this.count; i++) {
      const from = 3 * i * source.slots;
      const to = 3 * i * this.slots;
      if (this !== source) for (let k = 0; k < known; k++) this.spans[to + k] = source.spans[from + k]!;
      for (let k = known; k < 3 * spanCount; k++) this.spans[to + k] = 0;
    }
  }

  /**
   * As `copy`, but the spans are those of `source`, which must have as many slots and does not look at the new ones. Only
   * these may be written to then.
   */
  extend(source: SweptHull, spanCount: number): void {
    const known = 3 * source.spanCount;
    this.spans = source.spans;
    this.#takePoints(source, spanCount);
    for (let i = 0; i < this.count; i++) {
      const first = 3 * i * this.slots;
      for (let k = first + known; k < first + 3 * spanCount; k++) this.spans[k] = 0;
    }
  }

  #takePoints(source: SweptHull, spanCount: number): void {
    this.count = source.count;
    this.spanCount = spanCount;
    this.#numbers[0] = source.radius;
    this.#numbers[1] = UNMEASURED;
    for (let i = 0; i < 3 * this.count; i++) this.points[i] = source.points[i]!;
  }

  /** Computes `magnitude`, which is not finite if some coordinate is not. */
  measure(): void {
    const { points, spans, slots } = this;
    let greatest = 0;
    let total = 0;
    for (let i = 0; i < this.count; i++) {
      let sum = Math.abs(points[3 * i]!) + Math.abs(points[3 * i + 1]!) + Math.abs(points[3 * i + 2]!);
      const first = 3 * i * slots;
      const end = first + 3 * this.spanCount;
      for (let k = first; k < end; k++) sum += Math.abs(spans[k]!);
      total += sum;
      if (sum > greatest) greatest = sum;
    }
    // x − x is 0 for a finite number and NaN for any other: a hull that is not a number must not pass for a small one.
    this.#numbers[1] = greatest + (total - total);
  }

  /** Greatest value of x·(dx, dy, dz) over the hull without its radius, for tests and drawings [m]. */
  extentAlong(dx: number, dy: number, dz: number): number {
    const { points, spans, slots } = this;
    let greatest = Number.NEGATIVE_INFINITY;
    for (let i = 0; i < this.count; i++) {
      let along = dx * points[3 * i]! + dy * points[3 * i + 1]! + dz * points[3 * i + 2]!;
      for (let k = 0; k < this.spanCount; k++) {
        const at = 3 * (i * slots + k);
        along += Math.abs(dx * spans[at]! + dy * spans[at + 1]! + dz * spans[at + 2]!);
      }
      if (along > greatest) greatest = along;
    }
    return greatest;
  }
}

/** Of a magnitude: no sum of absolute values is negative. */
const UNMEASURED = -1;
