import * as cholesky from "../../math/cholesky.js";
import { CIRCLE_SIZE, type CircleSet } from "../circles/circle-set.js";
import { FilterStatus } from "./ball-belief.js";
import type { CirclePrediction, StereoPrediction } from "./circle-prediction.js";

const LOG_TWO_PI = Math.log(2 * Math.PI);

/** How far circles lie from where a ball is expected, without using them. */
export class InnovationGate {
  /** Of the last circle or pair; −Infinity where the distance is infinite. */
  logLikelihood = Number.NaN;
  readonly #innovation = new Float64Array(2 * CIRCLE_SIZE);
  readonly #covariance = new Float64Array(4 * CIRCLE_SIZE * CIRCLE_SIZE);

  /** Squared Mahalanobis distance of circle `i`; Infinity for a useless prediction or circle. */
  circle(prediction: CirclePrediction, circles: CircleSet, i: number): number {
    if (prediction.status !== FilterStatus.ok) return this.#fail();
    this.#compare(prediction, circles, i, 0);
    const first = i * CIRCLE_SIZE * CIRCLE_SIZE;
    for (let n = 0; n < CIRCLE_SIZE * CIRCLE_SIZE; n++) {
      this.#covariance[n] = prediction.covariance[n]! + circles.covariance[first + n]!;
    }
    return this.#measure(CIRCLE_SIZE);
  }

  /** The same of circle `i` of the left and `j` of the right image. */
  stereo(prediction: StereoPrediction, left: CircleSet, i: number, right: CircleSet, j: number): number {
    if (prediction.status !== FilterStatus.ok) return this.#fail();
    this.#compare(prediction.left, left, i, 0);
    this.#compare(prediction.right, right, j, CIRCLE_SIZE);
    this.#covariance.set(prediction.covariance);
    addCircleNoise(left, i, 2 * CIRCLE_SIZE, 0, this.#covariance);
    addCircleNoise(right, j, 2 * CIRCLE_SIZE, CIRCLE_SIZE, this.#covariance);
    return this.#measure(2 * CIRCLE_SIZE);
  }

  #compare(prediction: CirclePrediction, circles: CircleSet, i: number, offset: number): void {
    this.#innovation[offset] = circles.u[i]! - prediction.mean[0]!;
    this.#innovation[offset + 1] = circles.v[i]! - prediction.mean[1]!;
    this.#innovation[offset + 2] = circles.r[i]! - prediction.mean[2]!;
  }

  #measure(size: number): number {
    const covariance = this.#covariance;
    if (cholesky.factor(covariance, size, covariance) !== cholesky.MatrixStatus.ok) return this.#fail();
    cholesky.solveLower(covariance, this.#innovation, size, this.#innovation);
    let squares = 0;
    for (let n = 0; n < size; n++) squares += this.#innovation[n]! * this.#innovation[n]!;
    if (!(squares < Number.POSITIVE_INFINITY)) return this.#fail();
    this.logLikelihood = -0.5 * (squares + size * LOG_TWO_PI + cholesky.logDeterminant(covariance, size));
    return squares;
  }

  #fail(): number {
    this.logLikelihood = Number.NEGATIVE_INFINITY;
    return Number.POSITIVE_INFINITY;
  }
}

/** Adds the covariance of circle `i` to the block of the size × size matrix `out` that begins at (at, at). */
export function addCircleNoise(circles: CircleSet, i: number, size: number, at: number, out: Float64Array): void {
  let from = i * CIRCLE_SIZE * CIRCLE_SIZE;
  for (let r = 0; r < CIRCLE_SIZE; r++) {
    for (let c = 0; c < CIRCLE_SIZE; c++) {
      const o = (at + r) * size + at + c;
      out[o] = out[o]! + circles.covariance[from++]!;
    }
  }
}
