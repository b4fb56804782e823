import { CameraModel } from "../../src/camera/camera-model.js";
import { SphereOutline } from "../../src/camera/sphere-outline.js";
import { defaultBall } from "../../src/flight/ball.js";
import type * as mat3 from "../../src/math/mat3.js";
import * as pose from "../../src/math/pose.js";
import { Random } from "../../src/math/random.js";
import * as vec3 from "../../src/math/vec3.js";
import { CircleSet } from "../../src/tracking/circles/circle-set.js";
import type { CircleScan, ScanImage } from "../../src/tracking/filter/scan.js";

type Vec3 = vec3.Vec3;

/** A round thing in the room. */
export interface RoundObject {
  /** Where it is at `time` [s] to `out`; false while it is not there. */
  position(time: number, out: Vec3): boolean;
  /** Whether something stands before it. */
  isHidden?(time: number): boolean;
}

export interface SimulatorOptions {
  readonly seed: number | string;
  /** False circles in each image. */
  readonly clutter?: number;
  readonly detectionProbability?: number;
  /** Standard deviations of a circle's centre and radius [px]. */
  readonly centreSigma?: number;
  readonly radiusSigma?: number;
  /** Of the head's pose: rotation [rad] and translation [m], new in each frame, the same for both cameras. */
  readonly rotationSigma?: number;
  readonly translationSigma?: number;
}

/** As agile-justin's: 60° wide, 0.2 m apart. */
const intrinsics = {
  width: 800,
  height: 600,
  fx: 692.8,
  fy: 692.8,
  cx: 399.5,
  cy: 299.5,
  distortion: { k1: 0, k2: 0, p1: 0, p2: 0, k3: 0 },
};
export const BASELINE = 0.2;
const HEAD_HEIGHT = 1.6;
/** Upwards [rad]: a thrown ball comes from above. */
const HEAD_PITCH = 0.12;
/** Radii of false circles [px]. */
const FALSE_RADII = [3, 50] as const;
const MAX_OBJECTS = 32;
/** [s] */
export const FRAME_PERIOD = 0.04;

/**
 * What a good detector would find in the images of a stereo head: the exact outline of every ball in view, with noise and
 * some missing, and false circles uniform in place and size. The same seed gives the same scans.
 */
export class ScanSimulator {
  readonly camera = new CameraModel(intrinsics);
  readonly #outline = new SphereOutline(this.camera, defaultBall.diameter / 2);
  readonly #random: Random;
  readonly #options: Required<SimulatorOptions>;
  readonly #worldFromCamera = [LEFT_Y, -LEFT_Y].map((y) => cameraPose(y));
  readonly #seenFrom = [pose.create(), pose.create()];
  readonly #images: readonly [SimulatedImage, SimulatedImage];
  readonly #point = vec3.create();
  readonly #circle = new Float64Array(3);
  /** u, v, r of each object in the image at hand. */
  readonly #outlines = new Float64Array(3 * MAX_OBJECTS);

  constructor(options: SimulatorOptions) {
    this.#options = {
      clutter: 10,
      detectionProbability: 0.98,
      centreSigma: 0.25,
      radiusSigma: 0.2,
      rotationSigma: 2e-4,
      translationSigma: 3e-4,
      ...options,
    };
    this.#random = new Random(options.seed).fork("scans");
    const { rotationSigma, translationSigma } = this.#options;
    this.#images = [0, 1].map((camera) => ({
      view: {
        camera: this.camera,
        time: 0,
        worldFromCamera: this.#worldFromCamera[camera]!,
        covariance: poseCovariance(translationSigma, rotationSigma),
      },
      circles: new CircleSet(),
    })) as unknown as readonly [SimulatedImage, SimulatedImage];
  }

  /** The scan of both cameras at `time` [s]; it holds until the next one. */
  expose(time: number, objects: readonly RoundObject[]): CircleScan {
    this.#shakeHead();
    for (let camera = 0; camera < 2; camera++) {
      const image = this.#images[camera]!;
      image.view.time = time;
      image.circles.count = 0;
      this.#project(objects, time, camera);
      for (let n = 0; n < objects.length; n++) this.#see(n, objects.length, image.circles);
      for (let n = 0; n < this.#options.clutter; n++) this.#addFalse(image.circles);
      shuffle(image.circles, this.#random);
    }
    return { kind: "circles", left: this.#images[0], right: this.#images[1] };
  }

  /** The head is where the tracker is told, but for an error of its pose. */
  #shakeHead(): void {
    const { rotationSigma, translationSigma } = this.#options;
    const error = pose.create();
    const random = this.#random;
    const [rx, ry, rz] = [random.normal(), random.normal(), random.normal()].map((x) => x * rotationSigma);
    const [x, y, z] = [random.normal(), random.normal(), random.normal()].map((s) => s * translationSigma);
    pose.fromRpyTranslation(rx!, ry!, rz!, x!, y!, z!, error);
    const leftFromRight = pose.composeInverse(this.#worldFromCamera[0]!, this.#worldFromCamera[1]!, pose.create());
    pose.compose(this.#worldFromCamera[0]!, error, this.#seenFrom[0]!);
    pose.compose(this.#seenFrom[0]!, leftFromRight, this.#seenFrom[1]!);
  }

  /** The exact outlines of all objects in one image; a radius of zero where there is none. */
  #project(objects: readonly RoundObject[], time: number, camera: number): void {
    const [point, circle] = [this.#point, this.#circle];
    for (const [n, object] of objects.entries()) {
      this.#outlines.fill(0, 3 * n, 3 * n + 3);
      if (!object.position(time, point) || object.isHidden?.(time) === true) continue;
      pose.transformPointInverse(this.#seenFrom[camera]!, point, point);
      if (this.#outline.measure(point, circle)) this.#outlines.set(circle, 3 * n);
    }
  }

  /** Adds the circle of object `n` of `count`, if it is in the image, not behind a nearer one, and found. */
  #see(n: number, count: number, circles: CircleSet): void {
    const { detectionProbability, centreSigma, radiusSigma } = this.#options;
    const random = this.#random;
    const [a, b, c, d] = [random.uniform(), random.normal(), random.normal(), random.normal()];
    const [u, v, r] = [this.#outlines[3 * n]!, this.#outlines[3 * n + 1]!, this.#outlines[3 * n + 2]!];
    if (a >= detectionProbability || r === 0 || !this.camera.isInside(u, v, r) || this.#isBehind(n, count)) return;
    addCircle(circles, u + centreSigma * b, v + centreSigma * c, r + radiusSigma * d, centreSigma, radiusSigma);
  }

  /** Whether a larger, that is nearer outline covers the centre of this one. */
  #isBehind(n: number, count: number): boolean {
    const outlines = this.#outlines;
    for (let m = 0; m < count; m++) {
      if (outlines[3 * m + 2]! <= outlines[3 * n + 2]!) continue;
      const away = Math.hypot(outlines[3 * m]! - outlines[3 * n]!, outlines[3 * m + 1]! - outlines[3 * n + 1]!);
      if (away < outlines[3 * m + 2]!) return true;
    }
    return false;
  }

  #addFalse(circles: CircleSet): void {
    const random = this.#random;
    const { centreSigma, radiusSigma } = this.#options;
    const u = random.uniformIn(0, intrinsics.width);
    const v = random.uniformIn(0, intrinsics.height);
    addCircle(circles, u, v, random.uniformIn(...FALSE_RADII), centreSigma, radiusSigma);
  }
}

const LEFT_Y = BASELINE / 2;

type SimulatedImage = ScanImage & { readonly view: { time: number } };

/** Optical frame at (0, y, head), looking along x and a little up. */
function cameraPose(y: number): pose.Pose {
  const [c, s] = [Math.cos(HEAD_PITCH), Math.sin(HEAD_PITCH)];
  // Columns: right = −y, down, forward.
  const rotation = Float64Array.of(0, s, c, -1, 0, 0, 0, -c, s) as mat3.Mat3;
  return pose.fromMat3Translation(rotation, vec3.create(0, y, HEAD_HEIGHT), pose.create());
}

function poseCovariance(translationSigma: number, rotationSigma: number): Float64Array {
  const covariance = new Float64Array(36);
  for (let n = 0; n < 6; n++) covariance[7 * n] = (n < 3 ? translationSigma : rotationSigma) ** 2;
  return covariance;
}

export function addCircle(
  circles: CircleSet,
  u: number,
  v: number,
  r: number,
  centreSigma: number,
  radiusSigma: number,
): void {
  const i = circles.count++;
  circles.u[i] = u;
  circles.v[i] = v;
  circles.r[i] = r;
  circles.score[i] = 0.5;
  circles.covariance.fill(0, 9 * i, 9 * i + 9);
  circles.covariance[9 * i] = centreSigma * centreSigma;
  circles.covariance[9 * i + 4] = centreSigma * centreSigma;
  circles.covariance[9 * i + 8] = radiusSigma * radiusSigma;
}

/** True circles are not always first. All covariances are alike, so they may stay. */
function shuffle(circles: CircleSet, random: Random): void {
  for (let i = circles.count - 1; i > 0; i--) {
    const j = random.integer(i + 1);
    for (const list of [circles.u, circles.v, circles.r]) {
      const kept = list[i]!;
      list[i] = list[j]!;
      list[j] = kept;
    }
  }
}
