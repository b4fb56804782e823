import { copyImage, createImage, type GrayImage } from "../../camera/gray-image.js";
import { Random } from "../../math/random.js";
import type { Robot } from "../../robot/robot.js";
import { CircleEyes } from "../../simulation/eyes/circle-eyes.js";
import { ImageEyes } from "../../simulation/eyes/image-eyes.js";
import type { TrueBall, TrueHeadMotion } from "../../simulation/eyes/stereo-rig.js";
import { type BallDetectors, ballDetectors } from "../../tracking/circles/detector-for.js";
import type { Frame } from "./frame.js";

/** What the simulated cameras give: points of motion capture, circles of a perfect detector, or images. */
export type SeeingKind = "points" | "circles" | "images";

export interface EyesOptions {
  readonly kind: SeeingKind;
  /** The robot as calibrated, and as it is. */
  readonly robot: Robot;
  readonly truth: Robot;
  /** [m] */
  readonly ballRadius: number;
  readonly seed: number | string;
  /** Whether frames keep their images. */
  readonly images: "kept" | "dropped";
}

/** Whoever looks at the balls for one exposure. */
export interface Eyes {
  look(head: TrueHeadMotion, balls: readonly TrueBall[], out: Frame): void;
}

/** Standard deviation of a point that motion capture measures, in each direction [m]. */
const POINT_SIGMA = 0.003;
/** Of a good detector: centre and radius [px], how often it finds a ball, false circles in an image. */
const detectorNoise = { centreSigma: 0.2, radiusSigma: 0.15, detectionProbability: 0.97, clutter: 2 };

export function simulatedEyes(options: EyesOptions): Eyes {
  const { kind, truth, ballRadius, seed } = options;
  if (kind === "points") return new PointEyes(new Random(seed).fork("points"));
  if (kind === "images") return new DetectingEyes(options);
  const eyes = new CircleEyes(truth, { seed, ballRadius, ...detectorNoise });
  return { look: (head, balls, { left, right }) => eyes.expose(head, balls, left!, right!) };
}

/** Motion capture: every ball's centre, with noise. */
class PointEyes implements Eyes {
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
  }

  look(_head: unknown, balls: readonly TrueBall[], { points }: Frame): void {
    for (const { position } of balls) {
      if (points.count >= points.capacity) return;
      const i = points.count++;
      for (let k = 0; k < 3; k++) {
        points.position[3 * i + k] = position[k]! + POINT_SIGMA * this.#random.normal();
        points.covariance[9 * i + 4 * k] = POINT_SIGMA ** 2;
      }
    }
  }
}

/** Cameras that render, and detectors that find circles in what they rendered. */
class DetectingEyes implements Eyes {
  readonly #eyes: ImageEyes;
  readonly #detectors: BallDetectors;
  readonly #left: GrayImage;
  readonly #right: GrayImage;
  readonly #keeps: boolean;

  constructor({ truth, robot, ballRadius, seed, images }: EyesOptions) {
    this.#eyes = new ImageEyes(truth, { seed, ballRadius });
    this.#detectors = ballDetectors(robot, ballRadius);
    this.#left = imageFor(this.#eyes.left.rig.camera);
    this.#right = imageFor(this.#eyes.right.rig.camera);
    this.#keeps = images === "kept";
  }

  look(head: TrueHeadMotion, balls: readonly TrueBall[], out: Frame): void {
    if (balls.length === 0) return;
    this.#eyes.left.see(head, balls, out.number, this.#left);
    this.#eyes.right.see(head, balls, out.number, this.#right);
    this.#detectors.left.detect(this.#left, out.left!);
    this.#detectors.right.detect(this.#right, out.right!);
    if (this.#keeps) out.images = { left: duplicate(this.#left), right: duplicate(this.#right) };
  }
}

function imageFor({ width, height }: { readonly width: number; readonly height: number }): GrayImage {
  return createImage(width, height);
}

function duplicate(image: GrayImage): GrayImage {
  return copyImage(image, imageFor(image));
}
