import * as cholesky from "../../math/cholesky.js";
import type { Mat3 } from "../../math/mat3.js";
import * as pose from "../../math/pose.js";
import * as vec3 from "../../math/vec3.js";
import { addCircleNoise, type CircleSet, compareCircle } from "../circles/circle-set.js";
import { BallBelief, BELIEF_SIZE, Entry, FilterStatus } from "./ball-belief.js";
import type { BallFilter } from "./ball-filter.js";
import { BallOutlines, type CirclePrediction, StereoPrediction } from "./circle-prediction.js";
import type { CameraView } from "./scan.js";

interface BirthOptions {
  /** What is known of a ball's velocity before it has been seen twice: mean [m/s], in the world. */
  readonly velocity?: vec3.Vec3;
  /** And its standard deviation, the same in all directions [m/s]. */
  readonly velocitySigma?: number;
}

/** Balls are thrown at 5.5 to 8.5 m/s, from where is not known beforehand: 4 m/s in each direction are 7 m/s in all. */
export const DEFAULT_VELOCITY_SIGMA = 4;

/** Half the step of the difference quotients that the sigma points of a belief this sure are [m]. */
const PROBE = 1e-4;

/** Steps of Gauss–Newton; settled when one is this small against the standard deviation, squared. */
const GREATEST_STEPS = 8;
const SETTLED = 1e-12;

/** First beliefs: the position from what is seen, velocity and drag from what is known beforehand. */
export class BallBirth {
  /**
   * Squared distance of what was measured from what the belief explains. Where measurements are more than unknowns it
   * tells whether they belong together: 3 degrees of freedom for a stereo pair.
   */
  squaredDistance = Number.NaN;

  readonly #filter: BallFilter;
  readonly #outlines: BallOutlines;
  readonly #velocity = vec3.create();
  readonly #velocitySigma: number;
  readonly #place = new BallBelief();
  readonly #point = vec3.create();
  readonly #prediction = new StereoPrediction();
  readonly #noise = new Float64Array(36);
  /** Derivatives of the measurement by the position, one row for each axis, weighed by the noise's inverse factor. */
  readonly #slope = new Float64Array(18);
  readonly #residual = new Float64Array(6);
  readonly #information = new Float64Array(9);
  readonly #factor = new Float64Array(9);
  readonly #gradient = new Float64Array(3);
  readonly #step = new Float64Array(3);

  constructor(filter: BallFilter, options: BirthOptions = {}) {
    this.#filter = filter;
    this.#outlines = new BallOutlines(filter.ball.diameter / 2);
    this.#velocitySigma = options.velocitySigma ?? DEFAULT_VELOCITY_SIGMA;
    if (options.velocity !== undefined) vec3.copy(options.velocity, this.#velocity);
    if (!(this.#velocitySigma > 0)) throw new RangeError(`velocitySigma: expected > 0, found ${this.#velocitySigma}`);
    for (let n = 0; n < 3; n++) this.#place.factor[n * (BELIEF_SIZE + 1)] = PROBE;
  }

  /** From one circle: its size tells the distance. */
  fromCircle(view: CameraView, circles: CircleSet, i: number, out: BallBelief): FilterStatus {
    if (!this.#start(view, circles, i)) return FilterStatus.invalid;
    for (let n = 0; n < GREATEST_STEPS; n++) {
      const { left } = this.#prediction;
      const status = this.#filter.predictCircle(this.#place, view, left);
      if (status !== FilterStatus.ok) return status;
      this.#noise.set(left.noise);
      addCircleNoise(circles, i, 3, 0, this.#noise);
      this.#load(left, circles, i, 0, 3);
      if (!this.#improve(3)) return FilterStatus.invalid;
      if (this.#isSettled()) break;
    }
    return this.#finish(out);
  }

  /** From a circle in each camera of a head that expose together. */
  fromStereo(
    leftView: CameraView,
    left: CircleSet,
    i: number,
    rightView: CameraView,
    right: CircleSet,
    j: number,
    out: BallBelief,
  ): FilterStatus {
    if (!this.#start(leftView, left, i)) return FilterStatus.invalid;
    for (let n = 0; n < GREATEST_STEPS; n++) {
      const prediction = this.#prediction;
      const status = this.#filter.predictStereo(this.#place, leftView, rightView, prediction);
      if (status !== FilterStatus.ok) return status;
      this.#noise.set(prediction.noise);
      addCircleNoise(left, i, 6, 0, this.#noise);
      addCircleNoise(right, j, 6, 3, this.#noise);
      this.#load(prediction.left, left, i, 0, 6);
      this.#load(prediction.right, right, j, 3, 6);
      if (!this.#improve(6)) return FilterStatus.invalid;
      if (this.#isSettled()) break;
    }
    return this.#finish(out);
  }

  /** From a measured position [m]. */
  fromPoint(time: number, position: vec3.Vec3, covariance: Mat3, out: BallBelief): FilterStatus {
    if (!(Number.isFinite(time) && vec3.isFinite(position))) return FilterStatus.invalid;
    if (cholesky.factor(covariance, 3, this.#factor) !== cholesky.MatrixStatus.ok) return FilterStatus.invalid;
    this.#place.time = time;
    this.#place.mean.set(position);
    this.squaredDistance = 0;
    this.#write(out);
    return FilterStatus.ok;
  }

  /** Puts the ball where the circle's size says. */
  #start(view: CameraView, circles: CircleSet, i: number): boolean {
    const outline = this.#outlines.of(view.camera);
    const point = this.#point;
    if (!outline.backProject(circles.u[i]!, circles.v[i]!, circles.r[i]!, point)) return false;
    pose.transformPoint(view.worldFromCamera, point, point);
    if (!vec3.isFinite(point)) return false;
    this.#place.time = view.time;
    this.#place.mean.set(point);
    return true;
  }

  /** Residual and slopes of one camera's circle, of `rows` in all. */
  #load(prediction: CirclePrediction, circles: CircleSet, i: number, at: number, rows: number): void {
    compareCircle(circles, i, prediction.mean, this.#residual, at);
    for (let r = 0; r < 3; r++) {
      for (let axis = 0; axis < 3; axis++) {
        this.#slope[axis * rows + at + r] = prediction.slope[3 * r + axis]! / PROBE;
      }
    }
  }

  /** One step of Gauss–Newton; `factor` becomes that of the position's information. */
  #improve(rows: number): boolean {
    const { ok } = cholesky.MatrixStatus;
    if (cholesky.factor(this.#noise, rows, this.#noise) !== ok) return false;
    whiten(this.#noise, this.#residual, 0, rows);
    for (let axis = 0; axis < 3; axis++) whiten(this.#noise, this.#slope, axis * rows, rows);
    for (let a = 0; a < 3; a++) {
      this.#gradient[a] = dot(this.#slope, a * rows, this.#residual, 0, rows);
      for (let b = 0; b < 3; b++)
        this.#information[3 * a + b] = dot(this.#slope, a * rows, this.#slope, b * rows, rows);
    }
    if (cholesky.factor(this.#information, 3, this.#factor) !== ok) return false;
    cholesky.solve(this.#factor, this.#gradient, 3, this.#step);
    for (let n = 0; n < 3; n++) this.#place.mean[n] = this.#place.mean[n]! + this.#step[n]!;
    this.squaredDistance = dot(this.#residual, 0, this.#residual, 0, rows) - dot(this.#step, 0, this.#gradient, 0, 3);
    return Number.isFinite(this.squaredDistance);
  }

  #isSettled(): boolean {
    return dot(this.#step, 0, this.#gradient, 0, 3) < SETTLED;
  }

  /** Turns the factor of the information into that of the covariance, and that into a belief. */
  #finish(out: BallBelief): FilterStatus {
    cholesky.invert(this.#factor, 3, this.#information);
    const status = cholesky.factor(this.#information, 3, this.#factor);
    if (status !== cholesky.MatrixStatus.ok) return FilterStatus.invalid;
    this.#write(out);
    return FilterStatus.ok;
  }

  #write(out: BallBelief): void {
    out.time = this.#place.time;
    out.factor.fill(0);
    for (let n = 0; n < 3; n++) {
      out.mean[n] = this.#place.mean[n]!;
      out.mean[3 + n] = this.#velocity[n]!;
      for (let c = 0; c <= n; c++) out.factor[n * BELIEF_SIZE + c] = this.#factor[3 * n + c]!;
      out.factor[(3 + n) * (BELIEF_SIZE + 1)] = this.#velocitySigma;
    }
    letFly(this.#filter, out);
  }
}

/** Drag and lift of a ball whose flight begins: what is known of them beforehand. */
export function letFly({ ball, dragSigma, liftSigma }: BallFilter, belief: BallBelief): void {
  belief.mean[Entry.drag] = ball.drag;
  belief.factor.fill(0, Entry.drag * BELIEF_SIZE);
  belief.factor[Entry.drag * (BELIEF_SIZE + 1)] = dragSigma;
  for (let n = Entry.lift; n < BELIEF_SIZE; n++) {
    belief.mean[n] = 0;
    belief.factor[n * (BELIEF_SIZE + 1)] = liftSigma;
  }
}

/** L⁻¹·x in place, of the `size` numbers of x from `start` on. */
function whiten(l: Float64Array, x: Float64Array, start: number, size: number): void {
  for (let r = 0; r < size; r++) {
    let sum = x[start + r]!;
    for (let c = 0; c < r; c++) sum -= l[r * size + c]! * x[start + c]!;
    x[start + r] = sum / l[r * size + r]!;
  }
}

function dot(a: Float64Array, i: number, b: Float64Array, j: number, size: number): number {
  let sum = 0;
  for (let n = 0; n < size; n++) sum += a[i + n]! * b[j + n]!;
  return sum;
}
