import { createImage, type GrayImage } from "../camera/gray-image.js";
import * as vec3 from "../math/vec3.js";
import type { CameraSide } from "../messages/sensing.js";
import type { Robot } from "../robot/robot.js";
import type { ImageEye } from "../simulation/eyes/image-eyes.js";
import { stereoRig } from "../simulation/eyes/stereo-rig.js";
import { type FrameChange, FramePace, frameQualities } from "../simulation/frame-pace.js";
import { createRigidMotion } from "../simulation/head-motion/elastic-chain.js";
import type { PixelRegion } from "../simulation/rendering/image-regions.js";
import type { StreamedScene } from "../simulation/streamed-scene.js";
import { type SearchWindow, windowReach } from "../tracking/circles/detector-options.js";
import { BallAttention, type MovingHead } from "../tracking/prediction/ball-attention.js";
import type { NodeCondition } from "../transport/node.js";

/** What a simulated camera in real time has beside one in lock-step. */
export interface LiveCameraOptions {
  /** The world as it comes over the wire. */
  readonly stream: StreamedScene;
  /** Share of a frame's period that rendering may take. */
  readonly share: number;
  /** Wall clock [s]. */
  readonly stopwatch: () => number;
  /** Whether a fault lets the picture stand still at a time [s]. */
  readonly isFrozen: (time: number) => boolean;
}

/** Frames of the warm-up at each scale. */
const WARM_UP = 16;
/** Images a scale: one is written while another is still looked at. */
const IMAGES = 3;
/** Looked at in the warm-up: what is in it does not matter. */
const SOME_REGION: PixelRegion = { left: 370, top: 270, width: 60, height: 60 };

interface ScaledEye {
  readonly scale: number;
  readonly eye: ImageEye;
  readonly images: readonly GrayImage[];
}

/** Which size and pace of images can be kept up, and where in them balls are to be looked for. */
export class LiveCamera {
  readonly attention: BallAttention;
  readonly isFrozen: (time: number) => boolean;
  /** The head as it was known last. */
  head: MovingHead | null = null;
  readonly #pace: FramePace;
  readonly #eyes: readonly ScaledEye[];
  readonly #stopwatch: () => number;
  #images = 0;

  constructor(attention: BallAttention, pace: FramePace, eyes: readonly ScaledEye[], options: LiveCameraOptions) {
    this.attention = attention;
    this.isFrozen = options.isFrozen;
    this.#pace = pace;
    this.#eyes = eyes;
    this.#stopwatch = options.stopwatch;
  }

  get condition(): NodeCondition {
    const { scale, divisor } = this.#pace.quality;
    const detail = `images of ${100 * scale} % size, every ${divisor === 1 ? "" : "second "}frame`;
    return { health: scale === 1 && divisor === 1 ? "running" : "degraded", detail };
  }

  /** Whether the frame with this number is left out. */
  isSkipped(index: number): boolean {
    return index % this.#pace.quality.divisor !== 0;
  }

  /** What the next frame is rendered with. */
  next(): { readonly eye: ImageEye; readonly image: GrayImage; readonly scale: number } {
    const { eye, images, scale } = this.#eyeOf(this.#pace.quality.scale);
    return { eye, image: images[this.#images++ % IMAGES]!, scale };
  }

  #eyeOf(scale: number): ScaledEye {
    return this.#eyes.find((eye) => eye.scale === scale)!;
  }

  /** Does the work of a frame; whether the quality changes for how long it took. */
  measure(work: () => void): FrameChange {
    const begun = this.#stopwatch();
    work();
    return this.#pace.took(this.#stopwatch() - begun);
  }

  /** Sees a ball fly towards it at each scale, and begins with what can be kept up. */
  warmUp(): void {
    for (const eye of this.#eyes) this.#watchFlight(eye);
    this.#pace.begin((scale) => Math.min(...this.#watchFlight(this.#eyeOf(scale)).slice(WARM_UP / 2)));
  }

  /** How long each frame of an imagined flight takes [s]. */
  #watchFlight({ eye, images }: ScaledEye): number[] {
    const head = createRigidMotion();
    head.worldFromBody.set([1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1.6]);
    return Array.from({ length: WARM_UP }, (_, k) => {
      const share = k / WARM_UP;
      // A head that turns blurs the image, which is dearer to render.
      head.twist.set([0, 0, 0, 0, 0.5, share]);
      const position = vec3.create(4.5 - 3.7 * share, 0.2 - 0.4 * share, 1.8);
      const ball = { position, velocity: vec3.create(-6, 0, 1) };
      const begun = this.#stopwatch();
      eye.see(head, [ball], k, images[0]!);
      const duration = this.#stopwatch() - begun;
      eye.see(head, [ball], k, images[0]!, [SOME_REGION]);
      return duration;
    });
  }
}

export function liveCameraOf(
  robot: Robot,
  side: CameraSide,
  eyeOf: (scale: number) => ImageEye,
  options: LiveCameraOptions,
  { framePeriodNs, ballRadius }: { readonly framePeriodNs: number; readonly ballRadius: number },
): LiveCamera {
  const { camera, headFromCamera } = stereoRig(robot)[side];
  const scales = Array.from(new Set(frameQualities.map(({ scale }) => scale)));
  const eyes = scales.map((scale) => {
    const eye = eyeOf(scale);
    const { width, height } = eye.rig.camera;
    return { scale, eye, images: Array.from({ length: IMAGES }, () => createImage(width, height)) };
  });
  const attention = new BallAttention(camera, headFromCamera, ballRadius);
  return new LiveCamera(attention, new FramePace(framePeriodNs / 1e9, options.share), eyes, options);
}

/** The pixels that the detector looks at for a window. */
export function regionOf({ u, v, halfSize, maxRadius }: SearchWindow): PixelRegion {
  const reach = windowReach(halfSize, maxRadius);
  const [left, top] = [Math.floor(u - reach), Math.floor(v - reach)];
  return { left, top, width: Math.ceil(u + reach) + 1 - left, height: Math.ceil(v + reach) + 1 - top };
}
