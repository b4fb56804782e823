import type { CameraModel } from "../../camera/camera-model.js";
import * as cholesky from "../../math/cholesky.js";
import * as pose from "../../math/pose.js";
import { CIRCLE_SIZE, CircleSet } from "../circles/circle-set.js";
import { type CameraView, PointSet, type Scan, type ScanImage } from "../filter/scan.js";
import { CAMERAS } from "./track-node.js";

const CIRCLE_COVARIANCE = CIRCLE_SIZE * CIRCLE_SIZE;

/** The scan's own copy of one image's circles, of those that can be true ones. */
export class StoredImage {
  /** Whether the camera gave an image. */
  isPresent = false;
  readonly circles = new CircleSet();
  readonly view = new StoredView();
  /** The same with a pose that counts as exact: for what concerns the two cameras between themselves. */
  readonly exactView = new StoredView();

  /**
   * Takes over an image of the scan of `time` [s]; returns how many circles were no circles (NaN, no size, covariance not
   * positive definite).
   */
  store({ view, circles }: ScanImage, time: number): number {
    this.isPresent = true;
    this.view.copy(view, time);
    this.exactView.copy(view, time);
    this.exactView.covariance.fill(0);
    const own = this.circles;
    own.count = 0;
    const given = Math.min(circles.count, own.capacity);
    for (let i = 0; i < given; i++) if (isSoundCircle(circles, i)) copyCircle(circles, i, own, own.count++);
    return circles.count - own.count;
  }

  clear(): void {
    this.isPresent = false;
    this.circles.count = 0;
  }
}

/** The scan's own copy of a view. */
class StoredView implements CameraView {
  /** Of the view that was copied here last. */
  camera!: CameraModel;
  time = 0;
  readonly worldFromCamera = pose.create();
  readonly covariance = new Float64Array(36);

  copy(view: CameraView, time: number): void {
    this.camera = view.camera;
    this.time = time;
    pose.copy(view.worldFromCamera, this.worldFromCamera);
    this.covariance.set(view.covariance);
  }
}

/** A scan kept to be gone through again if an older one comes late. */
export class StoredScan {
  kind: Scan["kind"] = "circles";
  /** [s] */
  time = 0;
  readonly images: readonly StoredImage[] = Array.from({ length: CAMERAS }, () => new StoredImage());
  readonly points = new PointSet();
  /** The balls that may have appeared in it. */
  readonly births = new BirthCandidates();

  /** Begins a scan with nothing in it. */
  reset(kind: Scan["kind"], time: number): void {
    this.kind = kind;
    this.time = time;
    for (const image of this.images) image.clear();
    this.points.count = 0;
    this.births.count = 0;
  }

  /** Takes over points; returns how many were none. */
  storePoints(points: PointSet): number {
    const own = this.points;
    own.count = 0;
    const given = Math.min(points.count, own.capacity);
    for (let i = 0; i < given; i++) if (isSoundPoint(points, i)) copyPoint(points, i, own, own.count++);
    return points.count - own.count;
  }

  get hasBothImages(): boolean {
    return this.images[0]!.isPresent && this.images[1]!.isPresent;
  }
}

const factor = new Float64Array(9);
const covariance = new Float64Array(9);

function isSoundCircle(circles: CircleSet, i: number): boolean {
  if (!(Number.isFinite(circles.u[i]! + circles.v[i]!) && circles.r[i]! > 0 && circles.r[i]! < 1e5)) return false;
  return isPositiveDefinite(circles.covariance, i);
}

function isSoundPoint(points: PointSet, i: number): boolean {
  const { position } = points;
  if (!Number.isFinite(position[3 * i]! + position[3 * i + 1]! + position[3 * i + 2]!)) return false;
  return isPositiveDefinite(points.covariance, i);
}

/** Of the i-th matrix, 3 × 3. */
function isPositiveDefinite(matrices: Float64Array, i: number): boolean {
  for (let n = 0; n < 9; n++) covariance[n] = matrices[9 * i + n]!;
  return cholesky.factor(covariance, 3, factor) === cholesky.MatrixStatus.ok;
}

function copyCircle(from: CircleSet, i: number, to: CircleSet, k: number): void {
  to.u[k] = from.u[i]!;
  to.v[k] = from.v[i]!;
  to.r[k] = from.r[i]!;
  to.score[k] = from.score[i]!;
  for (let n = 0; n < CIRCLE_COVARIANCE; n++) {
    to.covariance[CIRCLE_COVARIANCE * k + n] = from.covariance[CIRCLE_COVARIANCE * i + n]!;
  }
}

function copyPoint(from: PointSet, i: number, to: PointSet, k: number): void {
  for (let n = 0; n < 3; n++) to.position[3 * k + n] = from.position[3 * i + n]!;
  for (let n = 0; n < 9; n++) to.covariance[9 * k + n] = from.covariance[9 * i + n]!;
}

/** Most balls that can appear in one scan; of more pairs of circles that fit the most likely ones are kept. */
export const MAX_BIRTHS = 32;

/** Not given an identity yet. */
export const NO_IDENTITY = 0;

/**
 * The balls that may have appeared in a scan, from pairs of circles or from points alone: whatever tracks there are. So
 * they are found once, and a ball keeps its identity when the scan is gone through again.
 */
export class BirthCandidates {
  count = 0;
  /** Circle in the left and in the right image; for a point its number, twice. */
  readonly left = new Int32Array(MAX_BIRTHS);
  readonly right = new Int32Array(MAX_BIRTHS);
  /** Log-likelihood ratio of a new ball a second against two false circles, or a false point. */
  readonly logRatio = new Float64Array(MAX_BIRTHS);
  /** Identity of the ball, once it is born in some hypothesis. */
  readonly identity = new Int32Array(MAX_BIRTHS);
  /** Position in the world [m] and lower factor of its covariance. [3] and [3 × 3] of each */
  readonly position = new Float64Array(3 * MAX_BIRTHS);
  readonly factor = new Float64Array(9 * MAX_BIRTHS);

  /** Room for a candidate of this likelihood, in place of the least likely one if need be; −1 if there is none. */
  place(logRatio: number): number {
    if (this.count < MAX_BIRTHS) return this.count++;
    let least = 0;
    for (let k = 1; k < MAX_BIRTHS; k++) if (this.logRatio[k]! < this.logRatio[least]!) least = k;
    return logRatio > this.logRatio[least]! ? least : -1;
  }
}
