import type { CameraModel } from "../../camera/camera-model.js";
import * as cholesky from "../../math/cholesky.js";
import type { Mat3 } from "../../math/mat3.js";
import * as mat3 from "../../math/mat3.js";
import * as pose from "../../math/pose.js";
import type { Vec3 } from "../../math/vec3.js";
import * as vec3 from "../../math/vec3.js";
import type { CameraView } from "../camera-view.js";
import { CIRCLE_SIZE, CircleSet } from "../circles/circle-set.js";
import { createBelief } from "./ball-belief.js";

export const MeasurementKind = { circle: 0, stereo: 1, point: 2 } as const;
export type MeasurementKind = (typeof MeasurementKind)[keyof typeof MeasurementKind];

/** One circle and the view it was seen from, copied. */
export class StoredSight {
  readonly circles = new CircleSet(1);
  readonly #view = {
    camera: null as CameraModel | null,
    time: 0,
    worldFromCamera: pose.create(),
    covariance: new Float64Array(36),
  };

  /** Only after `store`. */
  get view(): CameraView {
    return this.#view as CameraView;
  }

  store(view: CameraView, circles: CircleSet, i: number): void {
    this.#view.camera = view.camera;
    this.#view.time = view.time;
    pose.copy(view.worldFromCamera, this.#view.worldFromCamera);
    this.#view.covariance.set(view.covariance);
    this.circles.u[0] = circles.u[i]!;
    this.circles.v[0] = circles.v[i]!;
    this.circles.r[0] = circles.r[i]!;
    this.circles.count = 1;
    const first = i * CIRCLE_SIZE * CIRCLE_SIZE;
    for (let n = 0; n < CIRCLE_SIZE * CIRCLE_SIZE; n++) this.circles.covariance[n] = circles.covariance[first + n]!;
  }
}

/** A measurement as the history keeps it, with the belief it found. */
export class StoredMeasurement {
  kind: MeasurementKind = MeasurementKind.point;
  /** [s] */
  time = 0;
  /** Which sensor it came from; orders measurements of the same time. */
  source = 0;
  /** The belief after everything that comes before it. */
  readonly before = createBelief();
  /** Of a circle, or of the left circle of a pair. */
  readonly left = new StoredSight();
  readonly right = new StoredSight();
  /** Of a point [m, m²]. */
  readonly position: Vec3 = vec3.create();
  readonly covariance: Mat3 = mat3.create();
}

const scratch = new Float64Array(36);

/** Whether a circle and its view hold numbers that a filter can use. */
export function isUsableSight(view: CameraView, circles: CircleSet, i: number): boolean {
  let sum = view.time + circles.u[i]! + circles.v[i]! + circles.r[i]!;
  for (let n = 0; n < 12; n++) sum += view.worldFromCamera[n]!;
  for (let n = 0; n < 36; n++) sum += view.covariance[n]!;
  const first = i * CIRCLE_SIZE * CIRCLE_SIZE;
  for (let n = 0; n < CIRCLE_SIZE * CIRCLE_SIZE; n++) scratch[n] = circles.covariance[first + n]!;
  return Number.isFinite(sum) && cholesky.factor(scratch, CIRCLE_SIZE, scratch) === cholesky.MatrixStatus.ok;
}

export function isUsablePoint(time: number, position: Vec3, covariance: Mat3): boolean {
  if (!(Number.isFinite(time) && vec3.isFinite(position))) return false;
  return cholesky.factor(covariance, 3, scratch) === cholesky.MatrixStatus.ok;
}
