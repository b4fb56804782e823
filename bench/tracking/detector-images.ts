import type { CameraModel } from "../../src/camera/camera-model.js";
import type { GrayImage } from "../../src/camera/gray-image.js";
import * as cholesky from "../../src/math/cholesky.js";
import { CIRCLE_SIZE, type CircleSet } from "../../src/tracking/circles/circle-set.js";
import type { CircleDetectorOptions } from "../../src/tracking/circles/detector-options.js";
import { DetectorScenes, type TrueBall } from "./detector-scenes.js";

/** Contrast from which a ball must be found, by the suite's statement. */
const LEAST_CONTRAST = 0.1;
/** A found circle is a ball if its centre is this near, as a part of the ball's radius and at least [px] … */
const CENTRE_TOLERANCE = 0.25;
const LEAST_TOLERANCE = 2;
/** … and its radius within this factor. */
const RADIUS_FACTOR = 1.25;

/** Rendered images with what is on them. */
export interface DetectorImages {
  readonly camera: CameraModel;
  readonly images: readonly GrayImage[];
  readonly balls: readonly (readonly TrueBall[])[];
}

/** Renders `count` images of `width` × ¾ width. */
export function renderImages(seed: number, width: number, count: number): DetectorImages {
  const height = (width * 3) / 4;
  const scenes = new DetectorScenes(seed, { width, height, roomCount: 8 });
  const images = Array.from({ length: count }, () => {
    const pixels = new Uint8Array(new SharedArrayBuffer(width * height));
    return { width, height, pixels };
  });
  const balls = images.map((image, index) => scenes.render(index, image).balls);
  return { camera: scenes.camera, images, balls };
}

/** Radii for which the suite asks: from 6 px at 1600 × 1200 and 4 px at 800 × 600 on, up to a ball at 0.7 m. */
export function detectorOptions(camera: CameraModel): CircleDetectorOptions {
  const minRadius = camera.width >= 1600 ? 6 : 4;
  return { minRadius, maxRadius: (camera.fx * 0.0425 * 1.15) / 0.7, camera };
}

/** What a detector found against what there was, summed over images. */
export class DetectionTally {
  images = 0;
  /** Balls that count, and those of them found. */
  asked = 0;
  found = 0;
  /** Circles that are no ball at all, whatever its contrast. */
  false = 0;
  /** Of each ball found: the squared error of (u, v, r) by the circle's own covariance; 3 on average if that is honest. */
  readonly squaredErrors: number[] = [];
  readonly #errors: number[] = [];
  readonly #factor = new Float64Array(CIRCLE_SIZE * CIRCLE_SIZE);
  readonly #error = new Float64Array(CIRCLE_SIZE);
  readonly #weighted = new Float64Array(CIRCLE_SIZE);

  add(circles: CircleSet, balls: readonly TrueBall[], minRadius: number): void {
    this.images++;
    const matched = new Set<number>();
    for (const ball of balls) {
      const n = findMatch(circles, ball);
      if (n >= 0) matched.add(n);
      if (!(ball.contrast >= LEAST_CONTRAST && ball.r >= minRadius)) continue;
      this.asked++;
      if (n < 0) continue;
      this.found++;
      this.#errors.push(Math.hypot(circles.u[n]! - ball.u, circles.v[n]! - ball.v));
      this.squaredErrors.push(this.#squaredError(circles, n, ball));
    }
    this.false += circles.count - matched.size;
  }

  #squaredError(circles: CircleSet, n: number, { u, v, r }: TrueBall): number {
    const covariance = circles.covariance.subarray(n * CIRCLE_SIZE ** 2, (n + 1) * CIRCLE_SIZE ** 2);
    this.#error.set([circles.u[n]! - u, circles.v[n]! - v, circles.r[n]! - r]);
    if (cholesky.factor(covariance, CIRCLE_SIZE, this.#factor) !== cholesky.MatrixStatus.ok) return Number.NaN;
    cholesky.solve(this.#factor, this.#error, CIRCLE_SIZE, this.#weighted);
    return this.#error.reduce((sum, error, i) => sum + error * this.#weighted[i]!, 0);
  }

  get recall(): number {
    return this.found / this.asked;
  }

  get falsePerImage(): number {
    return this.false / this.images;
  }

  /** Root mean square distance of the centres [px]. */
  get centreRms(): number {
    return Math.sqrt(this.#errors.reduce((sum, error) => sum + error * error, 0) / this.found);
  }

  /** Distance of the centres that half of them keep [px]: a few faint balls make most of the root mean square. */
  get centreMedian(): number {
    return [...this.#errors].sort((a, b) => a - b)[this.#errors.length >> 1] ?? Number.NaN;
  }
}

function findMatch(circles: CircleSet, ball: TrueBall): number {
  const tolerance = Math.max(LEAST_TOLERANCE, CENTRE_TOLERANCE * ball.r);
  for (let n = 0; n < circles.count; n++) {
    const isThere = Math.hypot(circles.u[n]! - ball.u, circles.v[n]! - ball.v) < tolerance;
    if (isThere && Math.abs(Math.log(circles.r[n]! / ball.r)) < Math.log(RADIUS_FACTOR)) return n;
  }
  return -1;
}
