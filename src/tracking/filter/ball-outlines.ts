import type { CameraModel } from "../../camera/camera-model.js";
import { SphereOutline } from "../../camera/sphere-outline.js";

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
