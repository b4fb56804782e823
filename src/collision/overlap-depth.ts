import * as vec3 from "../math/vec3.js";

/**
 * How far two overlapping hulls must be pushed apart, as a way out for a solver: the least depth along 26 fixed
 * directions (towards the faces, edges and corners of a cube). Along a direction n it is the length by which the hulls'
 * shadows overlap, max n·b − min n·a, so moving A along n by the depth does separate them; the true depth is never
 * greater. Since the directions are fixed, the derivative of the depth is that of the two points that bound it.
 */
export class OverlapDepth {
  /** Unit direction in which A leaves B soonest. */
  readonly normal = vec3.create();
  /** The points of A and B that bound the overlap: depth = normal·(deepestB − deepestA). */
  readonly deepestA = vec3.create();
  readonly deepestB = vec3.create();
  readonly #depth = new Float64Array(1);
  /** Index of the points extreme along the present axis: least and greatest. */
  readonly #extremesA = new Int32Array(2);
  readonly #extremesB = new Int32Array(2);
  readonly #shadowA = new Float64Array(2);
  readonly #shadowB = new Float64Array(2);

  /** [m] */
  get depth(): number {
    return this.#depth[0]!;
  }

  /** Measures the first `countA` points of `a` against the first `countB` of `b`; for hulls that are known to overlap. */
  measure(a: Float64Array, countA: number, b: Float64Array, countB: number): void {
    this.#depth[0] = Number.POSITIVE_INFINITY;
    for (let axis = 0; axis < AXES.length; axis += 3) {
      castShadow(a, countA, axis, this.#shadowA, this.#extremesA);
      castShadow(b, countB, axis, this.#shadowB, this.#extremesB);
      const forwards = this.#shadowB[1]! - this.#shadowA[0]!;
      const backwards = this.#shadowA[1]! - this.#shadowB[0]!;
      if (forwards < this.#depth[0]!) {
        this.#depth[0] = forwards;
        this.#take(a, this.#extremesA[0]!, b, this.#extremesB[1]!);
        vec3.set(AXES[axis]!, AXES[axis + 1]!, AXES[axis + 2]!, this.normal);
      }
      if (backwards < this.#depth[0]!) {
        this.#depth[0] = backwards;
        this.#take(a, this.#extremesA[1]!, b, this.#extremesB[0]!);
        vec3.set(-AXES[axis]!, -AXES[axis + 1]!, -AXES[axis + 2]!, this.normal);
      }
    }
  }

  #take(a: Float64Array, pointA: number, b: Float64Array, pointB: number): void {
    for (let k = 0; k < 3; k++) {
      this.deepestA[k] = a[3 * pointA + k]!;
      this.deepestB[k] = b[3 * pointB + k]!;
    }
  }
}

/** Least and greatest n·p over the points p, n being the axis at `axis` of `AXES`. */
function castShadow(
  points: Float64Array,
  count: number,
  axis: number,
  shadow: Float64Array,
  extremes: Int32Array,
): void {
  const x = AXES[axis]!;
  const y = AXES[axis + 1]!;
  const z = AXES[axis + 2]!;
  let least = Number.POSITIVE_INFINITY;
  let greatest = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < count; i++) {
    const along = x * points[3 * i]! + y * points[3 * i + 1]! + z * points[3 * i + 2]!;
    if (along < least) {
      least = along;
      extremes[0] = i;
    }
    if (along > greatest) {
      greatest = along;
      extremes[1] = i;
    }
  }
  shadow[0] = least;
  shadow[1] = greatest;
}

/** Unit axes, of which either direction counts: 3 through faces, 6 through edges, 4 through corners. */
const AXES = Float64Array.from(
  [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
    [1, 1, 0],
    [1, -1, 0],
    [1, 0, 1],
    [1, 0, -1],
    [0, 1, 1],
    [0, 1, -1],
    [1, 1, 1],
    [1, 1, -1],
    [1, -1, 1],
    [1, -1, -1],
  ].flatMap((axis) => axis.map((x) => x / Math.hypot(...axis))),
);
