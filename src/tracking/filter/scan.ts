import type { CameraModel } from "../../camera/camera-model.js";
import type { Pose } from "../../math/pose.js";
import { MAX_POINTS } from "../../messages/sensing.js";
import type { CircleSet } from "../circles/circle-set.js";

/** From where and when a camera looked as it took an image. */
export interface CameraView {
  readonly camera: CameraModel;
  /** Middle of the exposure [s]. */
  readonly time: number;
  readonly worldFromCamera: Pose;
  /** Of the pose's error, translation [m] then rotation [rad], both in the camera's frame. [6 × 6] */
  readonly covariance: Float64Array;
}

/** What one camera saw: circles found in an image, and from where it was taken. A black image has none. */
export interface ScanImage {
  readonly view: CameraView;
  readonly circles: CircleSet;
}

/**
 * What the cameras of the head saw at one time: an image each, exposed together, or of one camera alone, where the other
 * gave none.
 */
export interface CircleScan {
  readonly kind: "circles";
  readonly left: ScanImage | null;
  readonly right: ScanImage | null;
}

/** Points that motion capture measured at one time; not labelled, some may be false. */
export interface PointScan {
  readonly kind: "points";
  /** [s] */
  readonly time: number;
  readonly points: PointSet;
}

export type Scan = CircleScan | PointScan;

/** Measured positions in the world, in preallocated arrays. */
export class PointSet {
  readonly capacity: number;
  /** Points in use. */
  count = 0;
  /** [m]. [capacity × 3] */
  readonly position: Float64Array;
  /** Of each position, 3 × 3 row-major [m²]. [capacity × 9] */
  readonly covariance: Float64Array;

  constructor(capacity = MAX_POINTS) {
    this.capacity = capacity;
    this.position = new Float64Array(3 * capacity);
    this.covariance = new Float64Array(9 * capacity);
  }
}

/** Time of a scan [s]; NaN if it holds no image. */
export function scanTime(scan: Scan): number {
  if (scan.kind === "points") return scan.time;
  return (scan.left ?? scan.right)?.view.time ?? Number.NaN;
}
