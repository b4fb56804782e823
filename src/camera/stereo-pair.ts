import * as mat3 from "../math/mat3.js";
import * as pose from "../math/pose.js";
import * as vec3 from "../math/vec3.js";
import type { CameraModel } from "./camera-model.js";

/** Gauss–Newton ends at this step relative to the distance. */
const RELATIVE_TOLERANCE = 1e-12;
const MAX_STEPS = 20;
/** Rays are parallel where the squared sine of their angle is below this: no distance can be told. */
const PARALLEL = 1e-14;

/**
 * Two cameras on one rigid body that see the same point. Points are in the left camera's frame [m], pixels are (u, v).
 *
 * @example
 * const pair = new StereoPair(left, right, leftFromRight);
 * if (pair.epipolarDistance(a, b) < 3 && pair.triangulate(a, b, point, covariance)) …
 */
export class StereoPair {
  readonly left: CameraModel;
  readonly right: CameraModel;
  readonly leftFromRight: pose.Pose;
  readonly #leftRay = vec3.create();
  readonly #rightRay = vec3.create();
  readonly #leftRayJacobian = new Float64Array(6);
  readonly #rightRayJacobian = new Float64Array(6);
  readonly #normal = vec3.create();
  readonly #pointInRight = vec3.create();
  readonly #pixel = new Float64Array(2);
  readonly #pixelJacobian = new Float64Array(6);
  readonly #information = mat3.create();
  readonly #covariance = mat3.create();
  readonly #gradient = vec3.create();
  readonly #turned = new Float64Array(6);

  constructor(left: CameraModel, right: CameraModel, leftFromRight: pose.Pose) {
    this.left = left;
    this.right = right;
    this.leftFromRight = pose.copy(leftFromRight, pose.create());
  }

  /**
   * The middle of the shortest line between the two rays; false if they are parallel or meet behind a camera. Quick, and
   * close to `triangulate` for points at a distance of many baselines.
   */
  midpoint(leftPixel: Float64Array, rightPixel: Float64Array, out: vec3.Vec3): boolean {
    const a = this.#leftRay;
    const b = this.#rightRay;
    if (!this.left.ray(leftPixel[0]!, leftPixel[1]!, a)) return false;
    if (!this.right.ray(rightPixel[0]!, rightPixel[1]!, b)) return false;
    pose.rotateVector(this.leftFromRight, b, b);
    const tx = this.leftFromRight[9];
    const ty = this.leftFromRight[10];
    const tz = this.leftFromRight[11];
    const cosine = a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    const squaredSine = 1 - cosine * cosine;
    if (!(squaredSine > PARALLEL)) return false;
    const alongA = a[0] * tx + a[1] * ty + a[2] * tz;
    const alongB = b[0] * tx + b[1] * ty + b[2] * tz;
    const distanceA = (alongA - cosine * alongB) / squaredSine;
    const distanceB = (cosine * alongA - alongB) / squaredSine;
    out[0] = 0.5 * (distanceA * a[0] + tx + distanceB * b[0]);
    out[1] = 0.5 * (distanceA * a[1] + ty + distanceB * b[1]);
    out[2] = 0.5 * (distanceA * a[2] + tz + distanceB * b[2]);
    return distanceA > 0 && distanceB > 0;
  }

  /**
   * The point whose images are nearest to the two pixels in the least-squares sense, and its 3 × 3 covariance [m²] for
   * pixels of unit variance in u and v: times σ² for others. False if there is none before both cameras.
   */
  triangulate(leftPixel: Float64Array, rightPixel: Float64Array, out: vec3.Vec3, covariance: Float64Array): boolean {
    if (!this.midpoint(leftPixel, rightPixel, out)) return false;
    for (let step = 0; step < MAX_STEPS; step++) {
      this.#information.fill(0);
      this.#gradient.fill(0);
      if (!this.#addLeft(leftPixel, out) || !this.#addRight(rightPixel, out)) return false;
      if (!(mat3.invert(this.#information, this.#covariance) > 0)) return false;
      mat3.transform(this.#covariance, this.#gradient, this.#gradient);
      vec3.add(out, this.#gradient, out);
      if (!(vec3.norm(this.#gradient) > RELATIVE_TOLERANCE * vec3.norm(out))) {
        covariance.set(this.#covariance);
        return vec3.isFinite(out);
      }
    }
    return false;
  }

  /**
   * How far two pixels are from being images of one point: Sampson's first-order distance of (u, v, u′, v′) to the
   * nearest pair that is [px]. With independent pixels of variance σ² it has the variance σ². Infinity without a ray.
   */
  epipolarDistance(leftPixel: Float64Array, rightPixel: Float64Array): number {
    const a = this.#leftRay;
    const b = this.#rightRay;
    const ja = this.#leftRayJacobian;
    const jb = this.#rightRayJacobian;
    const hasRays =
      this.left.rayWithJacobian(leftPixel[0]!, leftPixel[1]!, a, ja) &&
      this.right.rayWithJacobian(rightPixel[0]!, rightPixel[1]!, b, jb);
    if (!hasRays) return Number.POSITIVE_INFINITY;
    // The three vectors a, t and b (turned to the left frame) lie in one plane: a·(t × b) = b·(a × t) = 0.
    const t = pose.getTranslation(this.leftFromRight, this.#pointInRight);
    pose.rotateVector(this.leftFromRight, b, b);
    const normal = vec3.cross(t, b, this.#normal);
    const error = vec3.dot(a, normal);
    let squaredSlope = squaredProduct(normal, ja);
    vec3.cross(a, t, normal);
    pose.rotateVectorInverse(this.leftFromRight, normal, normal);
    squaredSlope += squaredProduct(normal, jb);
    return squaredSlope > 0 ? Math.abs(error) / Math.sqrt(squaredSlope) : Number.POSITIVE_INFINITY;
  }

  #addLeft(measured: Float64Array, point: vec3.Vec3): boolean {
    if (!this.left.projectWithJacobian(point, this.#pixel, this.#pixelJacobian)) return false;
    this.#accumulate(measured, this.#pixelJacobian);
    return true;
  }

  #addRight(measured: Float64Array, point: vec3.Vec3): boolean {
    const inRight = pose.transformPointInverse(this.leftFromRight, point, this.#pointInRight);
    const jacobian = this.#pixelJacobian;
    if (!this.right.projectWithJacobian(inRight, this.#pixel, jacobian)) return false;
    const turned = this.#turned;
    const r = this.leftFromRight;
    for (let row = 0; row < 6; row += 3) {
      for (let k = 0; k < 3; k++) {
        turned[row + k] =
          jacobian[row]! * r[3 * k]! + jacobian[row + 1]! * r[3 * k + 1]! + jacobian[row + 2]! * r[3 * k + 2]!;
      }
    }
    this.#accumulate(measured, turned);
    return true;
  }

  /** Adds JᵀJ to the information and Jᵀ·(measured − pixel) to the gradient. */
  #accumulate(measured: Float64Array, jacobian: Float64Array): void {
    const du = measured[0]! - this.#pixel[0]!;
    const dv = measured[1]! - this.#pixel[1]!;
    for (let i = 0; i < 3; i++) {
      const a = jacobian[i]!;
      const b = jacobian[i + 3]!;
      this.#gradient[i] = this.#gradient[i]! + a * du + b * dv;
      for (let k = 0; k < 3; k++) {
        this.#information[3 * i + k] = this.#information[3 * i + k]! + a * jacobian[k]! + b * jacobian[k + 3]!;
      }
    }
  }
}

/** |nᵀ·J|² of a 3 × 2 matrix. */
function squaredProduct(n: vec3.Vec3, j: Float64Array): number {
  const a = n[0] * j[0]! + n[1] * j[2]! + n[2] * j[4]!;
  const b = n[0] * j[1]! + n[1] * j[3]! + n[2] * j[5]!;
  return a * a + b * b;
}
