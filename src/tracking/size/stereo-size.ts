import type { CameraModel } from "../../camera/camera-model.js";
import { SphereOutline } from "../../camera/sphere-outline.js";
import { StereoPair } from "../../camera/stereo-pair.js";
import * as pose from "../../math/pose.js";
import * as vec3 from "../../math/vec3.js";
import type { CircleSet } from "../circles/circle-set.js";
import type { CameraView, ScanImage } from "../filter/scan.js";

/** Centres farther from a common plane through both cameras are not of one ball [standard deviations]. */
const EPIPOLAR_GATE = 4;
/** Detectors' sigmas are of good outlines: no centre is taken for better than this [px]. */
const LEAST_CENTRE_SIGMA = 0.15;
const LEAST_RADIUS_SIGMA = 0.15;
/** Diameters by the two images may differ by so many standard deviations, and by this share beside. */
const RADIUS_GATE = 4;
const RADIUS_SLACK = 0.08;

/** A round thing that both cameras saw: where it was and how large it is. */
export interface SizedPoint {
  /** [s] */
  time: number;
  /** In the world [m]. */
  readonly position: vec3.Vec3;
  /** Standard deviation along the line of sight [m]. */
  depthSigma: number;
  /** [m] */
  diameter: number;
  sigma: number;
}

export function createSizedPoint(): SizedPoint {
  return { time: 0, position: vec3.create(), depthSigma: 0, diameter: 0, sigma: 0 };
}

/**
 * The size of a round thing in two images: the centres of its outlines tell how far it is, and that and its radii how
 * large. A tracker uses the same radii the other way round: it takes the size as known and tells the distance by it.
 */
export class StereoSize {
  readonly #told: number;
  readonly #outlines = new Map<CameraModel, SphereOutline>();
  #pair: StereoPair | null = null;
  readonly #leftPixel = new Float64Array(2);
  readonly #rightPixel = new Float64Array(2);
  readonly #point = vec3.create();
  readonly #inRight = vec3.create();
  readonly #circle = new Float64Array(3);
  readonly #pixel = new Float64Array(2);
  readonly #covariance = new Float64Array(9);

  /** `diameter` is what the balls are said to have [m]; outlines are corrected by it, to first order. */
  constructor(diameter: number) {
    this.#told = diameter;
  }

  /** Circle `i` of the left and `j` of the right image as one thing; false if they are not. */
  measure(left: ScanImage, i: number, right: ScanImage, j: number, out: SizedPoint): boolean {
    const pair = this.#pairOf(left.view, right.view);
    this.#leftPixel[0] = left.circles.u[i]!;
    this.#leftPixel[1] = left.circles.v[i]!;
    this.#rightPixel[0] = right.circles.u[j]!;
    this.#rightPixel[1] = right.circles.v[j]!;
    const centreSigma = Math.sqrt(0.5 * (centreVariance(left.circles, i) + centreVariance(right.circles, j)));
    if (!(pair.epipolarDistance(this.#leftPixel, this.#rightPixel) < EPIPOLAR_GATE * centreSigma)) return false;
    if (!pair.triangulate(this.#leftPixel, this.#rightPixel, this.#point, this.#covariance)) return false;
    this.#correctCentres(left.view.camera, right.view.camera, pair);
    if (!pair.triangulate(this.#leftPixel, this.#rightPixel, this.#point, this.#covariance)) return false;
    return this.#size(left, i, right, j, pair, centreSigma, out);
  }

  /** The centre of an outline is not the image of the ball's centre. */
  #correctCentres(left: CameraModel, right: CameraModel, pair: StereoPair): void {
    this.#correct(left, this.#point, this.#leftPixel);
    pose.transformPointInverse(pair.leftFromRight, this.#point, this.#inRight);
    this.#correct(right, this.#inRight, this.#rightPixel);
  }

  #correct(camera: CameraModel, centre: vec3.Vec3, pixel: Float64Array): void {
    if (!this.#outlineOf(camera).measure(centre, this.#circle) || !camera.project(centre, this.#pixel)) return;
    for (let n = 0; n < 2; n++) pixel[n] = pixel[n]! - this.#circle[n]! + this.#pixel[n]!;
  }

  #size(
    left: ScanImage,
    i: number,
    right: ScanImage,
    j: number,
    pair: StereoPair,
    centreSigma: number,
    out: SizedPoint,
  ): boolean {
    const range = vec3.norm(this.#point);
    const depthSigma = (centreSigma * Math.sqrt(quadratic(this.#covariance, this.#point))) / range;
    pose.transformPointInverse(pair.leftFromRight, this.#point, this.#inRight);
    const a = this.#diameterBy(left, i, this.#point);
    const b = this.#diameterBy(right, j, this.#inRight);
    const spread = Math.hypot(radiusSigma(left.circles, i), radiusSigma(right.circles, j));
    const middle = 0.5 * (a + b);
    if (!(Math.abs(a - b) < (RADIUS_GATE * spread + RADIUS_SLACK) * middle)) return false;
    out.time = left.view.time;
    out.depthSigma = depthSigma;
    out.diameter = middle;
    out.sigma = middle * Math.hypot(depthSigma / range, 0.5 * spread);
    pose.transformPoint(left.view.worldFromCamera, this.#point, out.position);
    return Number.isFinite(out.sigma) && vec3.isFinite(out.position);
  }

  /** By how much the outline is larger than that of a ball of the told size there; NaN where there is none. */
  #diameterBy({ view, circles }: ScanImage, n: number, centre: vec3.Vec3): number {
    if (!this.#outlineOf(view.camera).measure(centre, this.#circle)) return Number.NaN;
    return (this.#told * circles.r[n]!) / this.#circle[2]!;
  }

  #outlineOf(camera: CameraModel): SphereOutline {
    const known = this.#outlines.get(camera) ?? new SphereOutline(camera, this.#told / 2);
    this.#outlines.set(camera, known);
    return known;
  }

  /** Both cameras are fixed to the head: how they stand to each other does not change. */
  #pairOf(left: CameraView, right: CameraView): StereoPair {
    if (this.#pair?.left === left.camera && this.#pair.right === right.camera) return this.#pair;
    const leftFromRight = pose.composeInverse(left.worldFromCamera, right.worldFromCamera, pose.create());
    this.#pair = new StereoPair(left.camera, right.camera, leftFromRight);
    return this.#pair;
  }
}

function centreVariance({ covariance }: CircleSet, n: number): number {
  return Math.max(LEAST_CENTRE_SIGMA ** 2, 0.5 * (covariance[9 * n]! + covariance[9 * n + 4]!));
}

/** Relative to the radius. */
function radiusSigma({ covariance, r }: CircleSet, n: number): number {
  return Math.max(LEAST_RADIUS_SIGMA, Math.sqrt(covariance[9 * n + 8]!)) / r[n]!;
}

/** xᵀ·A·x of a 3 × 3 matrix. */
function quadratic(a: Float64Array, x: vec3.Vec3): number {
  let sum = 0;
  for (let r = 0; r < 3; r++) for (let c = 0; c < 3; c++) sum += x[r]! * a[3 * r + c]! * x[c]!;
  return sum;
}
