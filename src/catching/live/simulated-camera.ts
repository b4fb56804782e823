import { createImage, type GrayImage } from "../../camera/gray-image.js";
import { defaultBall } from "../../flight/ball.js";
import type { Robot } from "../../robot/robot.js";
import { type ImageEye, imageEyeOf } from "../../simulation/eyes/image-eyes.js";
import type { TrueBall, TrueHeadMotion } from "../../simulation/eyes/stereo-rig.js";
import type { PixelRegion } from "../../simulation/rendering/image-regions.js";
import type { Room } from "../../simulation/rendering/room.js";
import type { CircleDetector } from "../../tracking/circles/circle-detector.js";
import type { CircleSet } from "../../tracking/circles/circle-set.js";
import { detectorFor } from "../../tracking/circles/detector-for.js";
import { type SearchWindow, windowReach } from "../../tracking/circles/detector-options.js";

export type CameraSide = "left" | "right";

/**
 * One camera of a simulated head with its detector, at one scale: renders what it sees and finds the circles in it, in
 * pixels of the camera at full size.
 */
export class SimulatedCamera {
  readonly scale: number;
  readonly #eye: ImageEye;
  readonly #image: GrayImage;
  readonly #detector: CircleDetector;

  constructor(robot: Robot, side: CameraSide, room: Room, scale: number, seed: number | string) {
    const ballRadius = defaultBall.diameter / 2;
    this.scale = scale;
    this.#eye = imageEyeOf(robot, side, room, { seed, ballRadius, scale });
    const { camera } = this.#eye.rig;
    this.#image = createImage(camera.width, camera.height);
    this.#detector = detectorFor(camera, ballRadius);
  }

  /** What it saw last. */
  get image(): GrayImage {
    return this.#image;
  }

  /** Looks in windows [px at full size], and renders no more than these; or everywhere. */
  see(
    head: TrueHeadMotion,
    balls: readonly TrueBall[],
    frame: number,
    windows: readonly SearchWindow[] | null,
    out: CircleSet,
  ): void {
    if (windows === null) {
      this.#eye.see(head, balls, frame, this.#image);
      this.#detector.detect(this.#image, out);
    } else {
      const own = windows.map((window) => shrink(window, this.scale));
      this.#eye.see(head, balls, frame, this.#image, own.map(regionOf));
      this.#detector.detectIn(this.#image, own, out);
    }
    if (this.scale !== 1) enlarge(out, 1 / this.scale);
  }
}

/** The pixels that the detector looks at for a window. */
function regionOf({ u, v, halfSize, maxRadius }: SearchWindow): PixelRegion {
  const reach = windowReach(halfSize, maxRadius);
  const [left, top] = [Math.floor(u - reach), Math.floor(v - reach)];
  return { left, top, width: Math.ceil(u + reach) + 1 - left, height: Math.ceil(v + reach) + 1 - top };
}

/** A window of an image `factor` times as large. */
function shrink({ u, v, halfSize, minRadius, maxRadius }: SearchWindow, factor: number): SearchWindow {
  return {
    u: factor * (u + 0.5) - 0.5,
    v: factor * (v + 0.5) - 0.5,
    halfSize: factor * halfSize,
    minRadius: factor * minRadius,
    maxRadius: factor * maxRadius,
  };
}

/** Circles of an image `factor` times as large; it is the image's border that stays: u′ + ½ = factor·(u + ½). */
function enlarge(circles: CircleSet, factor: number): void {
  for (let n = 0; n < circles.count; n++) {
    circles.u[n] = factor * (circles.u[n]! + 0.5) - 0.5;
    circles.v[n] = factor * (circles.v[n]! + 0.5) - 0.5;
    circles.r[n] = factor * circles.r[n]!;
    for (let i = 9 * n; i < 9 * n + 9; i++) circles.covariance[i] = factor * factor * circles.covariance[i]!;
  }
}
