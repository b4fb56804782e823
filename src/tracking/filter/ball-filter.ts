import { type Ball, defaultBall, gravity as earthGravity } from "../../flight/ball.js";
import * as cholesky from "../../math/cholesky.js";
import type { Mat3 } from "../../math/mat3.js";
import * as vec3 from "../../math/vec3.js";
import { addCircleNoise, type CircleSet, compareCircle } from "../circles/circle-set.js";
import { BallBelief, BELIEF_SIZE, copyBelief, FilterStatus } from "./ball-belief.js";
import { type CirclePrediction, CirclePredictor, StereoPrediction } from "./circle-prediction.js";
import { type BeliefPredictor, FlightPredictor } from "./flight-predictor.js";
import { LOG_TWO_PI, PositionUpdate } from "./position-update.js";
import type { CameraView } from "./scan.js";

export interface BallFilterOptions {
  /** Its diameter makes the outline; its drag is where the estimate of the drag begins. */
  readonly ball?: Ball;
  /** [m/s²], in the world. */
  readonly gravity?: vec3.Vec3;
  /** What is not known of the drag beforehand, one standard deviation [1/m]; 0 takes it as known. */
  readonly dragSigma?: number;
  /** What is not known of the lift, one standard deviation in each axis [1/s]; 0 takes the ball as one without spin. */
  readonly liftSigma?: number;
  /**
   * Root of the spectral density of the white acceleration that stands for wind, spin and what else the model leaves out
   * [m/s²/√Hz]: after a flight of one second it makes as many m/s of velocity.
   */
  readonly accelerationNoise?: number;
  /** Factor on the pose covariances, for pose errors that last over several frames: see docs/filter.md. */
  readonly poseInflation?: number;
  /** How often an update linearises again about its own result (García-Fernández et al., 2015). */
  readonly relinearizations?: number;
}

/** The defaults of `BallFilterOptions`. */
export const filterDefaults = {
  dragSigma: 0,
  liftSigma: 0,
  accelerationNoise: 0.03,
  poseInflation: 1,
  relinearizations: 1,
} as const;

/** Greatest difference between the times of a belief and of a view that count as the same [s]. */
const TIME_TOLERANCE = 1e-7;

/**
 * Unscented Kalman filter of a flying ball, in square-root form. It is a workspace: what is believed of each ball lives
 * in a `BallBelief` of its own, any number of which share one filter. Nothing but the constructor allocates; `out` may be
 * the belief itself, and is written only where the status is `ok`.
 *
 * @example
 * filter.predict(belief, view.time, belief);
 * filter.predictCircle(belief, view, prediction);             // once for a ball and an image
 * if (filter.gateCircle(prediction, circles, i) < 16.3) {      // for each circle
 *   filter.updateCircle(belief, prediction, circles, i, belief);
 * }
 */
export class BallFilter {
  readonly ball: Ball;
  readonly gravity: vec3.Vec3;
  readonly dragSigma: number;
  readonly liftSigma: number;
  readonly accelerationNoise: number;
  /** Squared Mahalanobis distance and log-likelihood of the measurement that was gated or used last. */
  squaredDistance = Number.NaN;
  logLikelihood = Number.NaN;

  readonly #relinearizations: number;
  readonly #motion: BeliefPredictor;
  readonly #circles: CirclePredictor;
  /** Its innovation and noise are the gates' workspace, too. */
  readonly #update = new PositionUpdate();
  readonly #prior = new BallBelief();
  readonly #posterior = new BallBelief();
  readonly #again = new StereoPrediction();

  /** `motion` is how the ball moves, by default in free flight. */
  constructor(options: BallFilterOptions = {}, motion?: BeliefPredictor) {
    this.ball = options.ball ?? defaultBall;
    this.gravity = vec3.copy(options.gravity ?? earthGravity(), vec3.create());
    this.dragSigma = options.dragSigma ?? filterDefaults.dragSigma;
    this.liftSigma = options.liftSigma ?? filterDefaults.liftSigma;
    this.accelerationNoise = options.accelerationNoise ?? filterDefaults.accelerationNoise;
    this.#relinearizations = options.relinearizations ?? filterDefaults.relinearizations;
    const inflation = options.poseInflation ?? filterDefaults.poseInflation;
    for (const value of [this.dragSigma, this.liftSigma, this.accelerationNoise, this.#relinearizations, inflation]) {
      if (!(value >= 0 && value < Number.POSITIVE_INFINITY)) throw new RangeError(`expected ≥ 0, found ${value}`);
    }
    const unknowns = { drag: this.dragSigma > 0, lift: this.liftSigma > 0 };
    this.#motion = motion ?? new FlightPredictor(unknowns, this.gravity, this.accelerationNoise);
    this.#circles = new CirclePredictor(this.ball.diameter / 2, inflation);
  }

  /** Carries `belief` on to `time` [s]; `kick` is the variance of a push on the way, in each axis [m²/s²]. */
  predict(belief: BallBelief, time: number, out: BallBelief, kick = 0): FilterStatus {
    if (!Number.isFinite(time - belief.time)) return FilterStatus.invalid;
    if (time < belief.time) return FilterStatus.backwards;
    if (time > belief.time) {
      return this.#motion.predict(belief, time, out, kick) ? FilterStatus.ok : FilterStatus.diverged;
    }
    copyBelief(belief, out);
    return FilterStatus.ok;
  }

  /** Where `belief` expects the ball's outline in `view`, which is of the same time. */
  predictCircle(belief: BallBelief, view: CameraView, out: CirclePrediction): FilterStatus {
    out.status = FilterStatus.misaligned;
    return isAligned(belief, view) ? this.#circles.predict(belief, view, out) : out.status;
  }

  /** The same in both cameras of a head that expose together, with their common error of pose. */
  predictStereo(belief: BallBelief, left: CameraView, right: CameraView, out: StereoPrediction): FilterStatus {
    out.status = FilterStatus.misaligned;
    if (!(isAligned(belief, left) && isAligned(belief, right))) return out.status;
    return this.#circles.predictStereo(belief, left, right, out);
  }

  /** Squared Mahalanobis distance of circle `i` from the prediction; Infinity where there is none. 3 degrees of freedom. */
  gateCircle(prediction: CirclePrediction, circles: CircleSet, i: number): number {
    if (prediction.status !== FilterStatus.ok) return this.#failGate();
    const { innovation, noise } = this.#update;
    compareCircle(circles, i, prediction.mean, innovation, 0);
    for (let n = 0; n < 9; n++) noise[n] = prediction.covariance[n]!;
    addCircleNoise(circles, i, 3, 0, noise);
    return this.#passGate(3);
  }

  /** The same of a pair of circles, `i` in the left and `j` in the right image. 6 degrees of freedom. */
  gateStereo(prediction: StereoPrediction, left: CircleSet, i: number, right: CircleSet, j: number): number {
    if (prediction.status !== FilterStatus.ok) return this.#failGate();
    const { innovation, noise } = this.#update;
    compareCircle(left, i, prediction.left.mean, innovation, 0);
    compareCircle(right, j, prediction.right.mean, innovation, 3);
    noise.set(prediction.covariance);
    addCircleNoise(left, i, 6, 0, noise);
    addCircleNoise(right, j, 6, 3, noise);
    return this.#passGate(6);
  }

  /** Squared distance of the innovation of `size` numbers; the noise is its covariance, and is used up. */
  #passGate(size: number): number {
    const { innovation, noise } = this.#update;
    if (cholesky.factor(noise, size, noise) !== cholesky.MatrixStatus.ok) return this.#failGate();
    cholesky.solveLower(noise, innovation, size, innovation);
    let squares = 0;
    for (let n = 0; n < size; n++) squares += innovation[n]! * innovation[n]!;
    if (!(squares < Number.POSITIVE_INFINITY)) return this.#failGate();
    this.squaredDistance = squares;
    this.logLikelihood = -0.5 * (squares + size * LOG_TWO_PI + cholesky.logDeterminant(noise, size));
    return squares;
  }

  /** A useless prediction or circle. */
  #failGate(): number {
    this.squaredDistance = Number.POSITIVE_INFINITY;
    this.logLikelihood = Number.NEGATIVE_INFINITY;
    return this.squaredDistance;
  }

  /** Improves `belief` with circle `i`; `prediction` is that of `predictCircle` for this belief. */
  updateCircle(
    belief: BallBelief,
    prediction: CirclePrediction,
    circles: CircleSet,
    i: number,
    out: BallBelief,
  ): FilterStatus {
    if (prediction.status !== FilterStatus.ok) return prediction.status;
    this.#loadCircle(prediction, circles, i);
    let status = this.#solveFirst(belief);
    for (let n = 0; n < this.#relinearizations && status === FilterStatus.ok; n++) {
      const again = this.#again.left;
      if (this.#circles.predict(this.#posterior, prediction.view!, again) !== FilterStatus.ok) break;
      this.#loadCircle(again, circles, i);
      status = this.#solveAgain();
    }
    return this.#finish(status, out);
  }

  /** Improves `belief` with a pair of circles of the same ball; `prediction` is that of `predictStereo`. */
  updateStereo(
    belief: BallBelief,
    prediction: StereoPrediction,
    left: CircleSet,
    i: number,
    right: CircleSet,
    j: number,
    out: BallBelief,
  ): FilterStatus {
    if (prediction.status !== FilterStatus.ok) return prediction.status;
    this.#loadStereo(prediction, left, i, right, j);
    let status = this.#solveFirst(belief);
    for (let n = 0; n < this.#relinearizations && status === FilterStatus.ok; n++) {
      if (!this.#predictAgain(prediction)) break;
      this.#loadStereo(this.#again, left, i, right, j);
      status = this.#solveAgain();
    }
    return this.#finish(status, out);
  }

  /** Improves `belief` with a measured position of the same time [m], as motion capture gives it. */
  updatePoint(belief: BallBelief, position: vec3.Vec3, covariance: Mat3, out: BallBelief): FilterStatus {
    const update = this.#update;
    update.rows = 3;
    for (let r = 0; r < 3; r++) {
      update.innovation[r] = position[r]! - belief.mean[r]!;
      for (let c = 0; c < 3; c++) {
        update.slope[3 * r + c] = belief.factor[r * BELIEF_SIZE + c]!;
        update.noise[3 * r + c] = covariance[3 * r + c]!;
      }
    }
    return this.#finish(this.#solveFirst(belief), out);
  }

  #predictAgain({ left, right }: StereoPrediction): boolean {
    return this.#circles.predictStereo(this.#posterior, left.view!, right.view!, this.#again) === FilterStatus.ok;
  }

  #loadCircle(prediction: CirclePrediction, circles: CircleSet, i: number): void {
    this.#update.rows = 3;
    this.#loadRows(prediction, circles, i, 0);
    for (let n = 0; n < 9; n++) this.#update.noise[n] = prediction.noise[n]!;
    addCircleNoise(circles, i, 3, 0, this.#update.noise);
  }

  #loadStereo(prediction: StereoPrediction, left: CircleSet, i: number, right: CircleSet, j: number): void {
    this.#update.rows = 6;
    this.#loadRows(prediction.left, left, i, 0);
    this.#loadRows(prediction.right, right, j, 3);
    this.#update.noise.set(prediction.noise);
    addCircleNoise(left, i, 6, 0, this.#update.noise);
    addCircleNoise(right, j, 6, 3, this.#update.noise);
  }

  /** Innovation and slope of one camera, from row `at` on. */
  #loadRows(prediction: CirclePrediction, circles: CircleSet, i: number, at: number): void {
    const { innovation, slope } = this.#update;
    compareCircle(circles, i, prediction.mean, innovation, at);
    for (let n = 0; n < 9; n++) slope[3 * at + n] = prediction.slope[n]!;
  }

  /** The update with the measurement as it is loaded, from `belief` to the posterior. */
  #solveFirst(belief: BallBelief): FilterStatus {
    const update = this.#update;
    const status = update.solve();
    this.squaredDistance = update.squaredDistance;
    this.logLikelihood = update.logLikelihood;
    if (status !== FilterStatus.ok) return status;
    copyBelief(belief, this.#prior);
    update.apply(this.#prior, this.#posterior);
    return status;
  }

  /**
   * The update once more from the prior, with the measurement now loaded as seen from the posterior. Its slope is by the
   * posterior's η, where ξ = shift + shrink·η; so by ξ it is slope·shrink⁻¹, and the innovation is against what the
   * linear model gives at the prior's mean, ξ = 0.
   */
  #solveAgain(): FilterStatus {
    const update = this.#update;
    const { shift, shrink, slope, innovation } = update;
    for (let r = 0; r < update.rows; r++) {
      const o = 3 * r;
      const c = slope[o + 2]! / shrink[8]!;
      const b = (slope[o + 1]! - c * shrink[7]!) / shrink[4]!;
      const a = (slope[o]! - b * shrink[3]! - c * shrink[6]!) / shrink[0]!;
      slope[o] = a;
      slope[o + 1] = b;
      slope[o + 2] = c;
      innovation[r] = innovation[r]! + a * shift[0]! + b * shift[1]! + c * shift[2]!;
    }
    const status = update.solve();
    if (status === FilterStatus.ok) update.apply(this.#prior, this.#posterior);
    return status;
  }

  #finish(status: FilterStatus, out: BallBelief): FilterStatus {
    if (status === FilterStatus.ok) copyBelief(this.#posterior, out);
    return status;
  }
}

function isAligned(belief: BallBelief, view: CameraView): boolean {
  return Math.abs(belief.time - view.time) <= TIME_TOLERANCE;
}
