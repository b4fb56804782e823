import { Predictions } from "../messages/prediction.js";
import { Event } from "../messages/report.js";
import { type CameraSide, Circles, HeadState, Image, LostFrame } from "../messages/sensing.js";
import { TrueWorld } from "../messages/world.js";
import type { Robot } from "../robot/robot.js";
import { CircleEye } from "../simulation/eyes/circle-eyes.js";
import { ImageEye, type SeenRoom } from "../simulation/eyes/image-eyes.js";
import type { TrueBall } from "../simulation/eyes/stereo-rig.js";
import { type FrameFate, FrameFates } from "../simulation/frame-fates.js";
import { FrameChange } from "../simulation/frame-pace.js";
import type { Challenges } from "../simulation/head-motion/challenges.js";
import { createRigidMotion } from "../simulation/head-motion/elastic-chain.js";
import type { TrueScene } from "../simulation/simulated-world.js";
import type { StreamedScene } from "../simulation/streamed-scene.js";
import { CircleSet } from "../tracking/circles/circle-set.js";
import type { BallAttention, MovingHead } from "../tracking/prediction/ball-attention.js";
import type { Node, NodeCondition } from "../transport/node.js";
import { type PortsOf, takeEach, takeNewest } from "../transport/port.js";
import { CameraImages, type MeasuredPace, regionOf, scalesOf } from "./camera-images.js";
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

/** What a camera has in real time beside what it has in lock-step. */
export interface LiveCameraOptions {
  /** The world as it comes over the wire. */
  readonly stream: StreamedScene;
  /** Whether a fault lets the picture stand still at a time [s]. */
  readonly isFrozen: (time: number) => boolean;
  /** What chooses the size of images by the time that frames take. */
  readonly measured: MeasuredPace;
}

export interface SimulatedCameraOptions {
  readonly side: CameraSide;
  /** The room in which images are rendered; null: circles are those of a good detector, without any image. */
  readonly room: SeenRoom | null;
  /** Where in images balls are looked for, and so rendered; null: everywhere. */
  readonly attention: BallAttention | null;
  /** Size of images against the camera's own; null: the size that can be kept up in real time, the camera's own in lock-step. */
  readonly scale: number | null;
  readonly framePeriodNs: number;
  /** From exposure to arrival [ns], without jitter. */
  readonly cameraNs: number;
  readonly ballRadius: number;
  /** `#rrggbb`; left out: light gray. */
  readonly ballColour?: string | undefined;
  readonly seed: number | string;
  readonly challenges: Challenges;
  /** When something stands before the cameras. */
  readonly occlusions: readonly Occlusion[];
  /** null in lock-step. */
  readonly live: LiveCameraOptions | null;
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
  readonly #images: CameraImages | null;
  readonly #circleEye: CircleEye | null;
  readonly #world: TrueWorldReader;
  readonly #head = createRigidMotion();
  readonly #found = new CircleSet();
  /** Frames whose fate was drawn. */
  #drawn = 0;
  #lastFrameNs = 0;
  #last: ImageContent = NOTHING_SEEN;
  /** The robot's own head as it was known last. */
  #knownHead: MovingHead | null = null;
  /** Of the frames taken, those lost on their way. */
  framesLost = 0;

  /** `robot` is the one that is, not the one that is believed. */
  constructor(
    ports: PortsOf<typeof simulatedCameraPorts>,
    robot: Robot,
    scene: TrueScene,
    options: SimulatedCameraOptions,
  ) {
    const { side, room, scale, ballRadius, ballColour, seed, challenges, live } = options;
    this.#ports = ports;
    this.#scene = scene;
    this.#options = options;
    this.#fates = new FrameFates(robot, challenges, seed);
    this.#world = new TrueWorldReader(ports.in.world, live?.stream ?? null);
    this.#circleEye = room === null ? new CircleEye(robot, side, { seed, ballRadius, ...detectorNoise }) : null;
    const eyeOf = (size: number) =>
      new ImageEye(robot, side, room!, { seed, ballRadius, ballColour, scale: size, challenges });
    const measured = scale === null ? (live?.measured ?? null) : null;
    const scales = measured === null ? [scale ?? 1] : scalesOf(null);
    // In real time the detector looks at an image before the next but one is taken; in lock-step a recorder may keep it.
    const memory = live === null ? "handed over" : "used again";
    this.#images = room === null ? null : new CameraImages(eyeOf, scales, memory, measured);
  }

  get condition(): NodeCondition {
    return this.#images?.condition ?? { health: "running", detail: "" };
  }

  warmUp(): void {
    this.#images?.warmUp();
    if (this.condition.health === "degraded") this.#reportQuality(FrameChange.lowered, 0);
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
    const isSkipped = this.#images?.isSkipped(index) === true;
    if (!isSkipped && !this.#scene.headAt(time, this.#head)) return false;
    this.#lastFrameNs = frameNs;
    const { isLost, delayNs } = this.#fateOf(index);
    if (isSkipped) return true;
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
    if ("pixels" in seen) images.put({ ...exposure, ...seen }, live === null ? frameNs + delayNs : nowNs);
    else circles.put({ ...exposure, ...seen }, live === null ? frameNs + delayNs : arrivalNs);
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
    this.#listen(nowNs);
    if (this.#options.live?.isFrozen(time) === true) return this.#last;
    this.#last = balls.length === 0 ? NOTHING_SEEN : this.#render(this.#images!, balls, frame, time, nowNs);
    return this.#last;
  }

  /** What is known of balls and head by now, if it decides where to look. */
  #listen(nowNs: number): void {
    const { attention } = this.#options;
    if (attention === null) return;
    takeEach(this.#ports.in.predictions, nowNs, (predictions) => {
      for (const ball of predictions.balls) attention.hear(ball);
    });
    this.#knownHead = takeNewest(this.#ports.in.head, nowNs) ?? this.#knownHead;
  }

  #render(images: CameraImages, balls: readonly TrueBall[], frame: number, time: number, nowNs: number): ImageContent {
    const windows = this.#options.attention?.look(time, this.#knownHead) ?? null;
    const { eye, image, scale } = images.next();
    const change = images.measure(() => {
      const regions = windows?.map((window) => regionOf(shrinkWindow(window, scale)));
      eye.see(this.#head, balls, frame, image, regions);
    });
    if (change !== FrameChange.none) this.#reportQuality(change, nowNs);
    const { width, height, pixels } = image;
    const content = { width, height, scale, windows: windows ?? [], pixels };
    return eye.encoding === "mono8" ? content : { ...content, encoding: eye.encoding };
  }

  #reportQuality(change: FrameChange, nowNs: number): void {
    const why = change === FrameChange.lowered ? "frames take too long" : "frames take less time again";
    const text = `${why}: from now on ${this.condition.detail}`;
    const source = `camera ${this.#options.side}`;
    this.#ports.out.events.put({ severity: "warning", source, code: "quality-changed", track: -1, text }, nowNs);
  }

  #ballsAt(time: number): readonly TrueBall[] {
    const isOccluded = this.#options.occlusions.some(({ from, until }) => from <= time && time <= until);
    return isOccluded ? [] : this.#scene.ballsAt(time);
  }
}

type ImageContent = Pick<Image, "width" | "height" | "scale" | "windows" | "encoding" | "pixels">;
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
