import { createImage, type GrayImage } from "../camera/gray-image.js";
import { Predictions } from "../messages/prediction.js";
import { Event } from "../messages/report.js";
import { type CameraSide, Circles, HeadState, Image, LostFrame } from "../messages/sensing.js";
import { TrueWorld } from "../messages/world.js";
import type { Robot } from "../robot/robot.js";
import { CircleEye } from "../simulation/eyes/circle-eyes.js";
import { ImageEye } from "../simulation/eyes/image-eyes.js";
import type { TrueBall } from "../simulation/eyes/stereo-rig.js";
import { type FrameFate, FrameFates } from "../simulation/frame-fates.js";
import { FrameChange } from "../simulation/frame-pace.js";
import type { Challenges } from "../simulation/head-motion/challenges.js";
import { createRigidMotion } from "../simulation/head-motion/elastic-chain.js";
import { Room } from "../simulation/rendering/room.js";
import type { TrueScene } from "../simulation/simulated-world.js";
import { CircleSet } from "../tracking/circles/circle-set.js";
import type { SearchWindow } from "../tracking/circles/detector-options.js";
import type { Node, NodeCondition } from "../transport/node.js";
import { type PortsOf, takeEach, takeNewest } from "../transport/port.js";
import { type LiveCamera, type LiveCameraOptions, liveCameraOf, regionOf } from "./live-camera.js";
import { shrinkWindow } from "./scaled-circles.js";
import { TrueWorldReader } from "./true-world-reader.js";

export const simulatedCameraPorts = {
  in: { world: TrueWorld, predictions: Predictions, head: HeadState },
  out: { images: Image, circles: Circles, lost: LostFrame, events: Event },
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
  /** What a camera in real time does beside that; null in lock-step. */
  readonly live?: LiveCameraOptions | null;
}

/** Of a good detector: centre and radius [px], how often it finds a ball, false circles in an image. */
const detectorNoise = { centreSigma: 0.2, radiusSigma: 0.15, detectionProbability: 0.97, clutter: 2 };
/** Time after which the world at an exposure is asked for again, if it was not known yet [ns]. */
const RETRY_NS = 1_000_000;

/**
 * One camera of a simulated head. Frames may be late or get lost; one in which no ball can be seen is not rendered and counts as
 * empty.
 */
export class SimulatedCameraNode implements Node {
  readonly #ports: PortsOf<typeof simulatedCameraPorts>;
  readonly #scene: TrueScene;
  readonly #options: SimulatedCameraOptions;
  readonly #fates: FrameFates;
  readonly #eyeOf: (scale: number) => ImageEye;
  readonly #imageEye: ImageEye | null;
  readonly #circleEye: CircleEye | null;
  readonly #world: TrueWorldReader;
  readonly #live: LiveCamera | null;
  readonly #head = createRigidMotion();
  readonly #found = new CircleSet();
  /** Frames whose fate was drawn. */
  #drawn = 0;
  #lastFrameNs = 0;
  #last: ImageContent = NOTHING_SEEN;
  /** Of the frames taken, those lost on their way. */
  framesLost = 0;

  /** `robot` is the one that is, not the one that is believed. */
  constructor(
    ports: PortsOf<typeof simulatedCameraPorts>,
    robot: Robot,
    scene: TrueScene,
    options: SimulatedCameraOptions,
  ) {
    const { side, gives, ballRadius, seed, challenges, live = null } = options;
    this.#ports = ports;
    this.#scene = scene;
    this.#options = options;
    this.#fates = new FrameFates(robot, challenges, seed);
    const room = gives === "images" ? new Room(seed) : null;
    this.#eyeOf = (scale) => new ImageEye(robot, side, room!, { seed, ballRadius, scale });
    this.#imageEye = gives === "images" ? new ImageEye(robot, side, room!, { seed, ballRadius }) : null;
    this.#circleEye = gives === "circles" ? new CircleEye(robot, side, { seed, ballRadius, ...detectorNoise }) : null;
    this.#world = new TrueWorldReader(ports.in.world, live?.stream ?? null);
    this.#live = live === null || room === null ? null : liveCameraOf(robot, side, this.#eyeOf, live, options);
  }

  get condition(): NodeCondition {
    return this.#live?.condition ?? { health: "running", detail: "" };
  }

  warmUp(): void {
    this.#live?.warmUp();
    if (this.#live?.condition.health === "degraded") this.#reportQuality(this.#live, FrameChange.lowered, 0);
  }

  step(nowNs: number): number {
    const { framePeriodNs } = this.#options;
    this.#world.take(nowNs);
    const frameNs = Math.floor(nowNs / framePeriodNs) * framePeriodNs;
    if (frameNs > this.#lastFrameNs && !this.#expose(frameNs, nowNs)) return nowNs + RETRY_NS;
    return frameNs + framePeriodNs;
  }

  /** Takes the frame of `frameNs`; false if the world at that time is not known yet. */
  #expose(frameNs: number, nowNs: number): boolean {
    const { framePeriodNs, cameraNs, side, live } = this.#options;
    const index = Math.round(frameNs / framePeriodNs);
    const time = frameNs / 1e9;
    if (this.#live?.isSkipped(index) !== true && !this.#scene.headAt(time, this.#head)) return false;
    this.#lastFrameNs = frameNs;
    const { isLost, delayNs } = this.#fateOf(index);
    if (this.#live?.isSkipped(index) === true) return true;
    const frame = index - 1;
    const seen = this.#see(frame, time, nowNs);
    if (isLost) {
      this.framesLost++;
      this.#ports.out.lost.put({ frame, exposureNs: frameNs }, frameNs);
      return true;
    }
    const { images, circles } = this.#ports.out;
    const arrivalNs = frameNs + cameraNs + delayNs;
    const exposure = { camera: side, frame, exposureNs: frameNs, arrivalNs };
    // In lock-step the edge has the camera's latency. In real time a detector may begin before, and holds back what it finds.
    const isLive = live !== undefined && live !== null;
    if ("pixels" in seen) images.put({ ...exposure, ...seen }, isLive ? nowNs : frameNs + delayNs);
    else circles.put({ ...exposure, ...seen }, isLive ? arrivalNs : frameNs + delayNs);
    return true;
  }

  /** Both cameras draw the same for a frame, whether they take it or not. */
  #fateOf(index: number): FrameFate {
    let fate = this.#fates.next();
    while (++this.#drawn < index) fate = this.#fates.next();
    return fate;
  }

  #see(frame: number, time: number, nowNs: number): ImageContent | CircleContent {
    const balls = this.#ballsAt(time);
    if (this.#circleEye !== null) {
      this.#circleEye.see(this.#head, balls, this.#found);
      return copyOfCircles(this.#found);
    }
    if (this.#live !== null) return this.#seeLive(this.#live, balls, frame, time, nowNs);
    if (balls.length === 0) return NOTHING_SEEN;
    const { width, height } = this.#imageEye!.rig.camera;
    const image = createImage(width, height);
    this.#imageEye!.see(this.#head, balls, frame, image);
    return { width, height, scale: 1, windows: [], pixels: image.pixels };
  }

  /** In real time: only where balls are expected, at the size that can be kept up. */
  #seeLive(live: LiveCamera, balls: readonly TrueBall[], frame: number, time: number, nowNs: number): ImageContent {
    takeEach(this.#ports.in.predictions, nowNs, (predictions) => {
      for (const ball of predictions.balls) live.attention.hear(ball);
    });
    const head = takeNewest(this.#ports.in.head, nowNs);
    if (head !== null) live.head = head;
    if (live.isFrozen(time)) return this.#last;
    this.#last = NOTHING_SEEN;
    if (balls.length === 0) return NOTHING_SEEN;
    const windows = live.attention.look(time, live.head);
    const { eye, image, scale } = live.next();
    const change = live.measure(() => this.#render(eye, balls, frame, image, windows, scale));
    const { width, height, pixels } = image;
    this.#last = { width, height, scale, windows: windows ?? [], pixels };
    if (change !== FrameChange.none) this.#reportQuality(live, change, nowNs);
    return this.#last;
  }

  #render(
    eye: ImageEye,
    balls: readonly TrueBall[],
    frame: number,
    image: GrayImage,
    windows: readonly SearchWindow[] | null,
    scale: number,
  ): void {
    const regions = windows?.map((window) => regionOf(shrinkWindow(window, scale)));
    eye.see(this.#head, balls, frame, image, regions);
  }

  #reportQuality(live: LiveCamera, change: FrameChange, nowNs: number): void {
    const why = change === FrameChange.lowered ? "frames take too long" : "frames take less time again";
    const text = `${why}: from now on ${live.condition.detail}`;
    const source = `camera ${this.#options.side}`;
    this.#ports.out.events.put({ severity: "warning", source, code: "quality-changed", track: -1, text }, nowNs);
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
