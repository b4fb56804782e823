import { createImage } from "../camera/gray-image.js";
import { type CameraSide, Circles, Image, LostFrame } from "../messages/sensing.js";
import type { Robot } from "../robot/robot.js";
import { type CircleEye, circleEyeOf } from "../simulation/eyes/circle-eyes.js";
import { type ImageEye, imageEyeOf } from "../simulation/eyes/image-eyes.js";
import type { TrueBall } from "../simulation/eyes/stereo-rig.js";
import { FrameFates } from "../simulation/frame-fates.js";
import type { Challenges } from "../simulation/head-motion/challenges.js";
import { createRigidMotion } from "../simulation/head-motion/elastic-chain.js";
import { Room } from "../simulation/rendering/room.js";
import type { TrueScene } from "../simulation/simulated-world.js";
import { CircleSet } from "../tracking/circles/circle-set.js";
import type { Node } from "../transport/node.js";
import type { PortsOf } from "../transport/port.js";

export const simulatedCameraPorts = {
  in: {},
  out: { images: Image, circles: Circles, lost: LostFrame },
} as const;

/** A span of the run's clock, both ends included [s]. */
export interface Occlusion {
  readonly from: number;
  readonly until: number;
}

export interface SimulatedCameraOptions {
  readonly side: CameraSide;
  /** `images` are rendered; `circles` are those of a good detector, without any image. */
  readonly gives: "images" | "circles";
  readonly framePeriodNs: number;
  /** From exposure to arrival [ns], without jitter. */
  readonly cameraNs: number;
  readonly ballRadius: number;
  readonly seed: number | string;
  readonly challenges: Challenges;
  /** When something stands before the cameras. */
  readonly occlusions: readonly Occlusion[];
}

/** Of a good detector: centre and radius [px], how often it finds a ball, false circles in an image. */
const detectorNoise = { centreSigma: 0.2, radiusSigma: 0.15, detectionProbability: 0.97, clutter: 2 };

/**
 * One camera of a simulated head. Frames may be late or get lost; one in which no ball can be seen is not rendered and counts as
 * empty.
 */
export class SimulatedCameraNode implements Node {
  readonly #ports: PortsOf<typeof simulatedCameraPorts>;
  readonly #scene: TrueScene;
  readonly #options: SimulatedCameraOptions;
  readonly #fates: FrameFates;
  readonly #imageEye: ImageEye | null;
  readonly #circleEye: CircleEye | null;
  readonly #head = createRigidMotion();
  readonly #found = new CircleSet();
  #frames = 0;
  /** Of the frames taken, those lost on their way. */
  framesLost = 0;

  /** `robot` is the one that is, not the one that is believed. */
  constructor(
    ports: PortsOf<typeof simulatedCameraPorts>,
    robot: Robot,
    scene: TrueScene,
    options: SimulatedCameraOptions,
  ) {
    const { side, gives, ballRadius, seed, challenges } = options;
    this.#ports = ports;
    this.#scene = scene;
    this.#options = options;
    this.#fates = new FrameFates(robot, challenges, seed);
    this.#imageEye = gives === "images" ? imageEyeOf(robot, side, new Room(seed), { seed, ballRadius }) : null;
    this.#circleEye = gives === "circles" ? circleEyeOf(robot, side, { seed, ballRadius, ...detectorNoise }) : null;
  }

  step(nowNs: number): number {
    const { framePeriodNs } = this.#options;
    if (nowNs % framePeriodNs === 0) this.#expose(nowNs);
    return (Math.floor(nowNs / framePeriodNs) + 1) * framePeriodNs;
  }

  #expose(nowNs: number): void {
    const { isLost, delayNs } = this.#fates.next();
    const time = nowNs / 1e9;
    if (!this.#scene.headAt(time, this.#head)) return;
    const frame = this.#frames++;
    if (isLost) {
      this.framesLost++;
      this.#see(frame, time);
      this.#ports.out.lost.put({ frame, exposureNs: nowNs }, nowNs);
      return;
    }
    const { images, circles } = this.#ports.out;
    const seen = this.#see(frame, time);
    const arrivalNs = nowNs + this.#options.cameraNs + delayNs;
    const exposure = { camera: this.#options.side, frame, exposureNs: nowNs, arrivalNs };
    if ("pixels" in seen) images.put({ ...exposure, ...seen }, nowNs + delayNs);
    else circles.put({ ...exposure, ...seen }, nowNs + delayNs);
  }

  #see(frame: number, time: number): ImageContent | CircleContent {
    const balls = this.#ballsAt(time);
    if (this.#circleEye !== null) {
      this.#circleEye.see(this.#head, balls, this.#found);
      return copyOfCircles(this.#found);
    }
    if (balls.length === 0) return NOTHING_SEEN;
    const { width, height } = this.#imageEye!.rig.camera;
    const image = createImage(width, height);
    this.#imageEye!.see(this.#head, balls, frame, image);
    return { width, height, scale: 1, windows: [], pixels: image.pixels };
  }

  #ballsAt(time: number): readonly TrueBall[] {
    const isOccluded = this.#options.occlusions.some(({ from, until }) => from <= time && time <= until);
    return isOccluded ? [] : this.#scene.ballsAt(time);
  }
}

type ImageContent = Pick<Image, "width" | "height" | "scale" | "windows" | "pixels">;
type CircleContent = Pick<Circles, "u" | "v" | "r" | "covariance" | "score">;

const NOTHING_SEEN: ImageContent = { width: 0, height: 0, scale: 1, windows: [], pixels: new Uint8Array(0) };

/** The circles in use, in memory of their own. */
export function copyOfCircles({ count, u, v, r, covariance, score }: CircleSet): CircleContent {
  return {
    u: u.slice(0, count),
    v: v.slice(0, count),
    r: r.slice(0, count),
    covariance: covariance.slice(0, 9 * count),
    score: score.slice(0, count),
  };
}
