import type { CameraModel } from "../../camera/camera-model.js";
import { SphereOutline } from "../../camera/sphere-outline.js";
import * as lie from "../../math/lie.js";
import * as mat3 from "../../math/mat3.js";
import * as matrix from "../../math/matrix.js";
import * as pose from "../../math/pose.js";
import * as vec3 from "../../math/vec3.js";
import { type BallBelief, BELIEF_SIZE, FilterStatus } from "./ball-belief.js";
import type { CameraView } from "./scan.js";

/** Numbers of a circle: u, v, r. */
const M = 3;
const POSE_SIZE = 6;

/**
 * Where a belief expects its ball's outline in one view, and how surely: made once for a belief and a view, then compared
 * with every circle of the image. With x = x̄ + factor·ξ, ξ standard normal, the outline is mean + slope·(ξ₀, ξ₁, ξ₂) +
 * what is not linear + poseSlope·(error of the camera's pose).
 */
export class CirclePrediction {
  /** Whether the rest holds anything. */
  status: FilterStatus = FilterStatus.outOfView;
  /** The view it was made for: kept, not copied. */
  view: CameraView | null = null;
  /** Expected u, v, r [px]. */
  readonly mean = new Float64Array(M);
  /** By the first three ξ, 3 × 3: only they move the position. */
  readonly slope = new Float64Array(M * M);
  /** Columns whose squares sum to the covariance of what is not linear, 3 × 3. */
  readonly bend = new Float64Array(M * M);
  /** By the pose's error, translation then rotation in the camera's frame, 3 × 6. */
  readonly poseSlope = new Float64Array(M * POSE_SIZE);
  /** Of what is not linear and of the pose's error together [px²], 3 × 3. */
  readonly noise = new Float64Array(M * M);
  /** Of the outline [px²], 3 × 3: slope·slopeᵀ + noise, all but the detector's error. */
  readonly covariance = new Float64Array(M * M);
}

/** The same in two cameras on one head that expose together: one error of the head's pose moves both outlines. */
export class StereoPrediction {
  status: FilterStatus = FilterStatus.outOfView;
  readonly left = new CirclePrediction();
  readonly right = new CirclePrediction();
  /** Both slopes by the pose error of the left camera, 6 × 6. */
  readonly poseSlope = new Float64Array(POSE_SIZE * POSE_SIZE);
  /** As in `CirclePrediction`, of both outlines [px²], 6 × 6. */
  readonly noise = new Float64Array(4 * M * M);
  readonly covariance = new Float64Array(4 * M * M);
}

/** Sigma points lie √3 standard deviations out: with three of them and equal weights the fourth moments are right too. */
const SPREAD = Math.sqrt(3);

/**
 * The measurement step of the unscented filter up to the circle itself. The outline depends on the ball's position
 * alone, so that six sigma points in three dimensions do what 2n in n would.
 */
export class CirclePredictor {
  readonly #outlines: BallOutlines;
  readonly #poseInflation: number;
  readonly #point = vec3.create();
  readonly #inCamera = vec3.create();
  readonly #jacobian = mat3.create();
  readonly #skew = mat3.create();
  readonly #plus = new Float64Array(M);
  readonly #minus = new Float64Array(M);
  readonly #product = new Float64Array(POSE_SIZE * POSE_SIZE);
  readonly #adjoint = new Float64Array(POSE_SIZE * POSE_SIZE);
  readonly #rightFromLeft = pose.create();

  /** Of a ball of `radius` [m]; pose covariances are multiplied by `poseInflation`. */
  constructor(radius: number, poseInflation: number) {
    this.#outlines = new BallOutlines(radius);
    this.#poseInflation = poseInflation;
  }

  /** The outline of `belief`'s ball in `view`, whatever their times. */
  predict(belief: BallBelief, view: CameraView, out: CirclePrediction): FilterStatus {
    out.view = view;
    out.status = this.#transform(belief, view, out);
    if (out.status !== FilterStatus.ok) return out.status;
    this.#fillPoseNoise(out.poseSlope, view.covariance, M, out.noise);
    for (let r = 0, o = 0; r < M; r++) {
      for (let c = 0; c < M; c++, o++) {
        out.noise[o] = out.noise[o]! + rowProduct(out.bend, out.bend, r, c);
        out.covariance[o] = out.noise[o]! + rowProduct(out.slope, out.slope, r, c);
      }
    }
    return out.status;
  }

  /** inflation · slope · covariance · slopeᵀ of the pose, for `rows` numbers of the measurement. */
  #fillPoseNoise(poseSlope: Float64Array, covariance: Float64Array, rows: number, out: Float64Array): void {
    matrix.multiply(poseSlope, covariance, rows, POSE_SIZE, POSE_SIZE, this.#product);
    matrix.multiplyTransposeRight(this.#product, poseSlope, rows, POSE_SIZE, rows, out);
    for (let n = 0; n < rows * rows; n++) out[n] = this.#poseInflation * out[n]!;
  }

  /** Both outlines. The pose's covariance is taken from the left view and carried to the right one. */
  predictStereo(belief: BallBelief, left: CameraView, right: CameraView, out: StereoPrediction): FilterStatus {
    out.left.view = left;
    out.right.view = right;
    out.left.status = this.#transform(belief, left, out.left);
    out.right.status = this.#transform(belief, right, out.right);
    out.status = out.left.status === FilterStatus.ok ? out.right.status : out.left.status;
    if (out.status !== FilterStatus.ok) {
      // Where one camera does not see the ball, the other's prediction shall be whole all the same.
      this.predict(belief, left, out.left);
      this.predict(belief, right, out.right);
      return out.status;
    }
    this.#joinPoses(left, right, out);
    this.#joinCovariances(left, out);
    copyBlock(out, 0, out.left);
    copyBlock(out, M, out.right);
    return FilterStatus.ok;
  }

  /** ε_right = Ad(rightFromLeft)·ε_left, the two cameras being one rigid body. */
  #joinPoses(left: CameraView, right: CameraView, out: StereoPrediction): void {
    pose.composeInverse(right.worldFromCamera, left.worldFromCamera, this.#rightFromLeft);
    lie.adjoint(this.#rightFromLeft, this.#adjoint);
    matrix.multiply(out.right.poseSlope, this.#adjoint, M, POSE_SIZE, POSE_SIZE, this.#product);
    for (let n = 0; n < M * POSE_SIZE; n++) {
      out.poseSlope[n] = out.left.poseSlope[n]!;
      out.poseSlope[M * POSE_SIZE + n] = this.#product[n]!;
    }
  }

  #joinCovariances(left: CameraView, out: StereoPrediction): void {
    const { noise, covariance } = out;
    const size = 2 * M;
    this.#fillPoseNoise(out.poseSlope, left.covariance, size, noise);
    for (let r = 0, o = 0; r < size; r++) {
      const a = r < M ? out.left : out.right;
      for (let c = 0; c < size; c++, o++) {
        const b = c < M ? out.left : out.right;
        noise[o] = noise[o]! + rowProduct(a.bend, b.bend, r % M, c % M);
        covariance[o] = noise[o]! + rowProduct(a.slope, b.slope, r % M, c % M);
      }
    }
  }

  /** Mean, slope, bend and slope by the pose. */
  #transform(belief: BallBelief, view: CameraView, out: CirclePrediction): FilterStatus {
    for (let n = 0; n < 3; n++) this.#point[n as 0 | 1 | 2] = belief.mean[n]!;
    pose.transformPointInverse(view.worldFromCamera, this.#point, this.#inCamera);
    const outline = this.#outlines.of(view.camera);
    if (!outline.measureWithJacobian(this.#inCamera, out.mean, this.#jacobian)) return FilterStatus.outOfView;
    this.#fillPoseSlope(out);
    if (!this.#scatter(belief, view, outline, out)) this.#linearize(belief, view, out);
    return Number.isFinite(out.mean[0]! + out.mean[1]! + out.mean[2]!) ? FilterStatus.ok : FilterStatus.invalid;
  }

  /** A point p of the camera's frame moves by −δt − δθ × p if the true pose is the given one times (δt, δθ). */
  #fillPoseSlope(out: CirclePrediction): void {
    mat3.multiply(this.#jacobian, mat3.skew(this.#inCamera, this.#skew), this.#skew);
    for (let r = 0; r < M; r++) {
      for (let c = 0; c < M; c++) {
        out.poseSlope[POSE_SIZE * r + c] = -this.#jacobian[M * r + c]!;
        out.poseSlope[POSE_SIZE * r + M + c] = this.#skew[M * r + c]!;
      }
    }
  }

  /** Sends the sigma points through the camera; false if one of them has no image. */
  #scatter(belief: BallBelief, view: CameraView, outline: SphereOutline, out: CirclePrediction): boolean {
    const { slope, bend } = out;
    for (let j = 0; j < 3; j++) {
      if (!outline.measure(this.#sigmaPoint(belief, view, j, SPREAD), this.#plus)) return false;
      if (!outline.measure(this.#sigmaPoint(belief, view, j, -SPREAD), this.#minus)) return false;
      for (let r = 0; r < M; r++) {
        slope[M * r + j] = (this.#plus[r]! - this.#minus[r]!) / (2 * SPREAD);
        bend[M * r + j] = 0.5 * (this.#plus[r]! + this.#minus[r]!);
      }
    }
    for (let r = 0; r < M; r++) {
      const row = M * r;
      const mean = (bend[row]! + bend[row + 1]! + bend[row + 2]!) / 3;
      out.mean[r] = mean;
      for (let j = 0; j < 3; j++) bend[row + j] = (bend[row + j]! - mean) / SPREAD;
    }
    return true;
  }

  /** The point `distance` standard deviations along column `j`, in the camera's frame. */
  #sigmaPoint(belief: BallBelief, view: CameraView, j: number, distance: number): vec3.Vec3 {
    for (let n = 0; n < 3; n++) {
      this.#point[n as 0 | 1 | 2] = belief.mean[n]! + distance * belief.factor[n * BELIEF_SIZE + j]!;
    }
    return pose.transformPointInverse(view.worldFromCamera, this.#point, this.#point);
  }

  /** Where the sigma points reach behind the camera: the tangent at the mean instead. */
  #linearize(belief: BallBelief, view: CameraView, out: CirclePrediction): void {
    const { worldFromCamera } = view;
    for (let j = 0; j < 3; j++) {
      for (let n = 0; n < 3; n++) this.#point[n as 0 | 1 | 2] = belief.factor[n * BELIEF_SIZE + j]!;
      pose.rotateVectorInverse(worldFromCamera, this.#point, this.#point);
      mat3.transform(this.#jacobian, this.#point, this.#point);
      for (let r = 0; r < M; r++) {
        out.slope[M * r + j] = this.#point[r]!;
        out.bend[M * r + j] = 0;
      }
    }
  }
}

/** The block of a stereo prediction that begins at row `at`, to that camera's own prediction. */
function copyBlock(from: StereoPrediction, at: number, out: CirclePrediction): void {
  for (let r = 0; r < M; r++) {
    for (let c = 0; c < M; c++) {
      out.noise[M * r + c] = from.noise[2 * M * (at + r) + at + c]!;
      out.covariance[M * r + c] = from.covariance[2 * M * (at + r) + at + c]!;
    }
  }
}

/** Row r of a times row c of b, both 3 × 3. */
function rowProduct(a: Float64Array, b: Float64Array, r: number, c: number): number {
  const i = M * r;
  const j = M * c;
  return a[i]! * b[j]! + a[i + 1]! * b[j + 1]! + a[i + 2]! * b[j + 2]!;
}

/** The outlines of one ball in whatever cameras look at it, each made at its camera's first use. */
export class BallOutlines {
  /** [m] */
  readonly ballRadius: number;
  readonly #ofCamera = new WeakMap<CameraModel, SphereOutline>();

  constructor(ballRadius: number) {
    this.ballRadius = ballRadius;
  }

  of(camera: CameraModel): SphereOutline {
    const known = this.#ofCamera.get(camera);
    if (known !== undefined) return known;
    const outline = new SphereOutline(camera, this.ballRadius);
    this.#ofCamera.set(camera, outline);
    return outline;
  }
}
