import type { CameraModel } from "../../camera/camera-model.js";
import * as cholesky from "../../math/cholesky.js";
import { chiSquareQuantile } from "../../math/error-function.js";
import * as mat3 from "../../math/mat3.js";
import * as pose from "../../math/pose.js";
import * as vec3 from "../../math/vec3.js";
import { CIRCLE_SIZE, type CircleSet, compareCircle } from "../circles/circle-set.js";
import { BallBelief, BELIEF_SIZE, FilterStatus } from "../filter/ball-belief.js";
import { BallBirth } from "../filter/ball-birth.js";
import type { BallFilter } from "../filter/ball-filter.js";
import { BallOutlines } from "../filter/circle-prediction.js";
import { LOG_TWO_PI } from "../filter/position-update.js";
import type { Background } from "./background.js";
import { NO_IDENTITY, type StoredImage, type StoredScan } from "./stored-scan.js";
import type { TrackerSettings } from "./tracker-options.js";

/** Radii of one ball in two cameras of a head differ by no more than this share, however near it is, but for noise. */
const GREATEST_SIZE_DIFFERENCE = 0.15;
/** Cameras this far apart are those of a head [m]; of others one may be much nearer to the ball. */
const HEAD_BASELINE = 0.25;
/** Share by which radii may differ for each metre between them, and at most. */
const DIFFERENCE_PER_METRE = 0.6;
const GREATEST_DIFFERENCE = 0.9;
/** And by noise no more than this many standard deviations. */
const NOISE_DEVIATIONS = 5;

/** The gate of the first look is so much wider: it is of first order, the fit of both circles together decides. */
const FIRST_LOOK = 2;

/**
 * Finds the balls that may have appeared in a scan. A ball in both images gives two circles that must agree with one
 * point: on one epipolar line, at a disparity that suits the size, of one size. Few pairs of false circles do. One circle
 * alone gives no birth: its size tells the distance only roughly, and too many false circles would pass.
 *
 * How likely a new ball is against two false circles is, with b the density of new balls in the room a second and λ that of false
 * circles in (u, v, r), b·P_D²·∫ p(z_left | x)·p(z_right | x) dx / (λ_left·λ_right); with the fitted position's covariance P,
 * the circles' covariances R and the fit's squared distance d² the integral is (2π)^(−3/2)·√(|P|/(|R_left|·|R_right|))·exp(−d²/2).
 */
export class BirthFinder {
  readonly #settings: TrackerSettings;
  readonly #stereo: StereoGate;
  readonly #birth: BallBirth;
  readonly #gate: number;
  readonly #belief = new BallBelief();
  readonly #point = vec3.create();
  readonly #covariance = mat3.create();

  readonly #background: Background;

  constructor(settings: TrackerSettings, filter: BallFilter, background: Background) {
    this.#settings = settings;
    this.#background = background;
    this.#stereo = new StereoGate(filter.ball.diameter / 2);
    this.#birth = new BallBirth(filter);
    this.#gate = chiSquareQuantile(settings.gateProbability, 3);
  }

  /** Fills the scan's `births`. */
  find(scan: StoredScan): void {
    scan.births.count = 0;
    if (scan.kind === "points") this.#findPoints(scan);
    else if (scan.hasBothImages) this.#findPairs(scan);
  }

  #findPairs(scan: StoredScan): void {
    const [left, right] = [scan.images[0]!, scan.images[1]!];
    const difference = sizeDifference(left.view.worldFromCamera, right.view.worldFromCamera);
    for (let i = 0; i < left.circles.count; i++) {
      let isPlaced = false;
      for (let j = 0; j < right.circles.count; j++) {
        if (!haveOneSize(left.circles, i, right.circles, j, difference)) continue;
        if (!isPlaced && !this.#stereo.place(left, i, right)) break;
        isPlaced = true;
        if (this.#stereo.squaredDistance(right.circles, j) < FIRST_LOOK * this.#gate) this.#tryPair(scan, i, j);
      }
    }
  }

  #tryPair(scan: StoredScan, i: number, j: number): void {
    const [left, right] = [scan.images[0]!, scan.images[1]!];
    const birth = this.#birth;
    const belief = this.#belief;
    // Between the two cameras the head's pose does not matter; for the ball's place in the world it does.
    let status = birth.fromStereo(left.exactView, left.circles, i, right.exactView, right.circles, j, belief);
    if (status !== FilterStatus.ok || !(birth.squaredDistance < this.#gate)) return;
    const logRatio = this.#pairRatio(scan, i, j);
    status = birth.fromStereo(left.view, left.circles, i, right.view, right.circles, j, belief);
    if (status === FilterStatus.ok) this.#add(scan, i, j, logRatio, belief);
  }

  #pairRatio(scan: StoredScan, i: number, j: number): number {
    const { birthRate, roomVolume, detectionProbability } = this.#settings;
    const [left, right] = [scan.images[0]!, scan.images[1]!];
    const logVolume = logPositionSpread(this.#belief) - 0.5 * (logNoise(left.circles, i) + logNoise(right.circles, j));
    return (
      Math.log(birthRate / roomVolume) +
      2 * Math.log(detectionProbability) +
      logVolume -
      1.5 * LOG_TWO_PI -
      0.5 * this.#birth.squaredDistance -
      logClutterDensity(this.#settings, left.view.camera) -
      logClutterDensity(this.#settings, right.view.camera)
    );
  }

  /** Any point may be a new ball: b·P_D against the density of false points. */
  #findPoints(scan: StoredScan): void {
    const { birthRate, clutterPerPointScan, detectionProbability } = this.#settings;
    const { points } = scan;
    const logRatio = Math.log((birthRate * detectionProbability) / clutterPerPointScan);
    for (let i = 0; i < points.count; i++) {
      for (let n = 0; n < 3; n++) this.#point[n as 0 | 1 | 2] = points.position[3 * i + n]!;
      for (let n = 0; n < 9; n++) this.#covariance[n as 0] = points.covariance[9 * i + n]!;
      const status = this.#birth.fromPoint(scan.time, this.#point, this.#covariance, this.#belief);
      if (status === FilterStatus.ok) this.#add(scan, i, i, logRatio, this.#belief);
    }
  }

  /** What is seen at a place of the background is no new ball. */
  #add(scan: StoredScan, i: number, j: number, logRatio: number, belief: BallBelief): void {
    const { births } = scan;
    if (this.#background.contains(belief)) return;
    const k = births.place(logRatio);
    if (k === -1) return;
    births.left[k] = i;
    births.right[k] = j;
    births.logRatio[k] = logRatio;
    births.identity[k] = NO_IDENTITY;
    for (let r = 0; r < 3; r++) {
      births.position[3 * k + r] = belief.mean[r]!;
      for (let c = 0; c < 3; c++) births.factor[9 * k + 3 * r + c] = belief.factor[r * BELIEF_SIZE + c]!;
    }
  }
}

/** ln of the density of false circles in (u, v, r) [1/px³]. */
export function logClutterDensity(settings: TrackerSettings, camera: CameraModel): number {
  const [least, greatest] = settings.falseRadii;
  return Math.log(settings.clutterPerImage / (camera.width * camera.height * (greatest - least)));
}

/** Share by which the radii of one ball may differ. */
function sizeDifference(one: pose.Pose, other: pose.Pose): number {
  const baseline = Math.hypot(one[9] - other[9], one[10] - other[10], one[11] - other[11]);
  if (baseline <= HEAD_BASELINE) return GREATEST_SIZE_DIFFERENCE;
  return Math.min(GREATEST_DIFFERENCE, Math.max(GREATEST_SIZE_DIFFERENCE, DIFFERENCE_PER_METRE * baseline));
}

function haveOneSize(left: CircleSet, i: number, right: CircleSet, j: number, difference: number): boolean {
  const a = left.r[i]!;
  const b = right.r[j]!;
  const size = CIRCLE_SIZE * CIRCLE_SIZE;
  const variance = left.covariance[size * i + size - 1]! + right.covariance[size * j + size - 1]!;
  return Math.abs(a - b) < difference * Math.min(a, b) + NOISE_DEVIATIONS * Math.sqrt(variance);
}

/** ½·ln|P| of the position. */
function logPositionSpread({ factor }: BallBelief): number {
  return Math.log(factor[0]! * factor[BELIEF_SIZE + 1]! * factor[2 * (BELIEF_SIZE + 1)]!);
}

/** ln|R| of a circle. */
function logNoise({ covariance }: CircleSet, i: number): number {
  const o = 9 * i;
  const determinant =
    covariance[o]! * (covariance[o + 4]! * covariance[o + 8]! - covariance[o + 5]! * covariance[o + 7]!) -
    covariance[o + 1]! * (covariance[o + 3]! * covariance[o + 8]! - covariance[o + 5]! * covariance[o + 6]!) +
    covariance[o + 2]! * (covariance[o + 3]! * covariance[o + 7]! - covariance[o + 4]! * covariance[o + 6]!);
  return Math.log(determinant);
}

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
