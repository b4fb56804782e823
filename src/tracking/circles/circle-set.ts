import { maxCircles } from "../../messages/parts.js";

/** Numbers of a circle: u, v, r. */
export const CIRCLE_SIZE = 3;

/** Where a circle is [px]. */
export interface Circle {
  readonly u: number;
  readonly v: number;
  readonly r: number;
}

/** Circles found in one image, best first, in preallocated arrays. Pixel centres lie at whole numbers. */
export class CircleSet {
  readonly capacity: number;
  /** Circles in use. */
  count = 0;
  /** Centre, to the right and downwards [px]. [capacity] */
  readonly u: Float64Array;
  readonly v: Float64Array;
  /** Mean radius of the outline [px]. [capacity] */
  readonly r: Float64Array;
  /** Of (u, v, r), 3 × 3 row-major [px²]. [capacity × 9] */
  readonly covariance: Float64Array;
  /** Purity of the gradient along the outline, 0 to 1. [capacity] */
  readonly score: Float64Array;

  constructor(capacity = maxCircles) {
    this.capacity = capacity;
    this.u = new Float64Array(capacity);
    this.v = new Float64Array(capacity);
    this.r = new Float64Array(capacity);
    this.covariance = new Float64Array(capacity * CIRCLE_SIZE * CIRCLE_SIZE);
    this.score = new Float64Array(capacity);
  }
}
