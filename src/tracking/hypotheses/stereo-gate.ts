import * as cholesky from "../../math/cholesky.js";
import * as mat3 from "../../math/mat3.js";
import * as pose from "../../math/pose.js";
import * as vec3 from "../../math/vec3.js";
import { type CircleSet, compareCircle } from "../circles/circle-set.js";
import { BallOutlines } from "../filter/circle-prediction.js";
import type { StoredImage } from "./stored-scan.js";

/**
 * A quick look whether two circles can be one ball: a circle's size and place in the left image tell where the ball is, and
 * so where the right camera must see it. To first order, with D the derivative of the right circle by the left one, the
 * difference has the covariance D·R_left·Dᵀ + R_right.
 */
export class StereoGate {
  readonly #outlines: BallOutlines;
  readonly #centre = vec3.create();
  readonly #rightFromLeft = pose.create();
  /** d(centre)/d(left circle), d(right circle)/d(centre), and their product. */
  readonly #byLeft = mat3.create();
  readonly #byCentre = mat3.create();
  readonly #derivative = mat3.create();
  readonly #noise = mat3.create();
  /** Where the right camera must see the ball, and D·R_left·Dᵀ. */
  readonly #expected = new Float64Array(3);
  readonly #spread = mat3.create();
  readonly #covariance = new Float64Array(9);
  readonly #difference = new Float64Array(3);

  constructor(ballRadius: number) {
    this.#outlines = new BallOutlines(ballRadius);
  }

  /** Looks from circle `i` of the left image; false if the right camera cannot see such a ball. */
  place(left: StoredImage, i: number, right: StoredImage): boolean {
    const { circles, view } = left;
    const leftOutline = this.#outlines.of(view.camera);
    const rightOutline = this.#outlines.of(right.view.camera);
    const centre = this.#centre;
    if (!leftOutline.backProject(circles.u[i]!, circles.v[i]!, circles.r[i]!, centre, this.#byLeft)) return false;
    pose.composeInverse(right.view.worldFromCamera, view.worldFromCamera, this.#rightFromLeft);
    pose.transformPoint(this.#rightFromLeft, centre, centre);
    if (!rightOutline.measureWithJacobian(centre, this.#expected, this.#byCentre)) return false;
    mat3.multiply(this.#byCentre, this.#rightFromLeft, this.#derivative);
    mat3.multiply(this.#derivative, this.#byLeft, this.#derivative);
    for (let n = 0; n < 9; n++) this.#noise[n as 0] = circles.covariance[9 * i + n]!;
    mat3.multiply(this.#derivative, this.#noise, this.#noise);
    mat3.transpose(this.#derivative, this.#derivative);
    mat3.multiply(this.#noise, this.#derivative, this.#spread);
    return true;
  }

  /** Squared Mahalanobis distance of circle `j` of the right image from where the ball must be; 3 degrees of freedom. */
  squaredDistance(circles: CircleSet, j: number): number {
    const difference = this.#difference;
    const covariance = this.#covariance;
    compareCircle(circles, j, this.#expected, difference, 0);
    for (let n = 0; n < 9; n++) covariance[n] = this.#spread[n]! + circles.covariance[9 * j + n]!;
    if (cholesky.factor(covariance, 3, covariance) !== cholesky.MatrixStatus.ok) return Number.POSITIVE_INFINITY;
    cholesky.solveLower(covariance, difference, 3, difference);
    return difference[0]! * difference[0]! + difference[1]! * difference[1]! + difference[2]! * difference[2]!;
  }
}
