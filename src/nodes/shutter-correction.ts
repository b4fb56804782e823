import type { CameraModel } from "../camera/camera-model.js";
import { type MovingBall, type MovingCamera, ShutterOutline } from "../camera/rolling-shutter.js";
import type { CircleSet } from "../tracking/circles/circle-set.js";

/** A circle nearer than so many of its radii, and so many pixels, to where a known ball is seen is that ball's. */
const NEAR_RADII = 2;
const NEAR_PIXELS = 8;
/** Speed that a ball of which nothing is known may have, one standard deviation [m/s]. */
const UNKNOWN_SPEED = 3;

/**
 * Moves circles of a rolling shutter to where a global one would have seen them in the middle of the exposure. A ball that is known
 * is moved by its velocity and by the camera's own motion. Of others the velocity is not known: their circles stay where they are,
 * with a covariance that allows for it.
 */
export class ShutterCorrection {
  readonly #outline: ShutterOutline;
  readonly #ballRadius: number;
  readonly #seen = new Float64Array(3);
  readonly #meant = new Float64Array(3);

  constructor(camera: CameraModel, ballRadius: number, rowTime: number) {
    this.#outline = new ShutterOutline(camera, ballRadius, rowTime);
    this.#ballRadius = ballRadius;
  }

  /** The corrected circles, in memory of their own; the same ones for a global shutter. `balls` as they are at the exposure's time. */
  apply(circles: CircleSet, camera: MovingCamera, balls: readonly MovingBall[]): CircleSet {
    if (this.#outline.rowTime === 0) return circles;
    const { capacity, count, score } = circles;
    const [u, v, r] = [circles.u.slice(), circles.v.slice(), circles.r.slice()];
    const corrected = { capacity, count, u, v, r, covariance: circles.covariance.slice(), score };
    for (let i = 0; i < count; i++) {
      const shift = this.#shiftOf(u[i]!, v[i]!, r[i]!, camera, balls);
      if (shift === null) this.#widen(corrected, i);
      else {
        u[i] = u[i]! + shift[0];
        v[i] = v[i]! + shift[1];
        r[i] = r[i]! + shift[2];
      }
    }
    return corrected;
  }

  /** From where the nearest known ball is seen to where it would be; null if none is near. */
  #shiftOf(
    u: number,
    v: number,
    r: number,
    camera: MovingCamera,
    balls: readonly MovingBall[],
  ): readonly [number, number, number] | null {
    let nearest = NEAR_RADII * r + NEAR_PIXELS;
    let shift: readonly [number, number, number] | null = null;
    const [seen, meant] = [this.#seen, this.#meant];
    for (const ball of balls) {
      if (!this.#outline.measure(camera, ball, seen)) continue;
      const away = Math.hypot(seen[0]! - u, seen[1]! - v);
      if (!(away < nearest) || !this.#outline.measureAtOnce(camera, ball, meant)) continue;
      nearest = away;
      shift = [meant[0]! - seen[0]!, meant[1]! - seen[1]!, meant[2]! - seen[2]!];
    }
    return shift;
  }

  /** A ball of radius R that looks r large moves by r/R pixels a metre; as it moves down its outline is stretched. */
  #widen({ v, r, covariance }: CircleSet, i: number): void {
    const speed = (r[i]! / this.#ballRadius) * UNKNOWN_SPEED;
    const shift = speed * this.#outline.delayAt(v[i]!);
    const stretch = 0.5 * r[i]! * speed * this.#outline.rowTime;
    covariance[9 * i] = covariance[9 * i]! + shift * shift;
    covariance[9 * i + 4] = covariance[9 * i + 4]! + shift * shift;
    covariance[9 * i + 8] = covariance[9 * i + 8]! + stretch * stretch;
  }
}
