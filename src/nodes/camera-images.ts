import type { GrayImage } from "../camera/gray-image.js";
import * as vec3 from "../math/vec3.js";
import type { ImageEye } from "../simulation/eyes/image-eyes.js";
import { FrameChange, type FramePace, frameQualities } from "../simulation/frame-pace.js";
import { createRigidMotion } from "../simulation/head-motion/elastic-chain.js";
import type { PixelRegion } from "../simulation/rendering/image-regions.js";
import { type SearchWindow, windowReach } from "../tracking/circles/detector-options.js";
import type { NodeCondition } from "../transport/node.js";

/** Frames of the warm-up at each scale. */
const WARM_UP = 16;
/** Images a scale: one is written while another is still looked at. */
const IMAGES = 3;
/** Looked at in the warm-up: what is in it does not matter. */
const SOME_REGION: PixelRegion = { left: 370, top: 270, width: 60, height: 60 };

/** Sizes that images may have, against the camera's own: the one that is set, or all that the pace chooses among. */
export function scalesOf(scale: number | null): readonly number[] {
  return scale === null ? Array.from(new Set(frameQualities.map((quality) => quality.scale))) : [scale];
}

/** What decides the size of images by the time that frames take. */
export interface MeasuredPace {
  readonly pace: FramePace;
  /** Wall clock [s]. */
  readonly stopwatch: () => number;
}

interface ScaledEye {
  readonly scale: number;
  readonly eye: ImageEye;
  readonly images: readonly GrayImage[];
}

/** What the next frame is rendered with. */
export interface FrameMaterial {
  readonly scale: number;
  readonly eye: ImageEye;
  readonly image: GrayImage;
}

/** The images of a simulated camera, of a fixed size or of the size and at the pace that can be kept up. */
export class CameraImages {
  readonly #eyes: readonly ScaledEye[];
  readonly #measured: MeasuredPace | null;
  /** Whether the memory of images is used again, some frames later. */
  readonly #memory: "used again" | "handed over";
  #count = 0;

  constructor(
    eyeOf: (scale: number) => ImageEye,
    scales: readonly number[],
    memory: "used again" | "handed over",
    measured: MeasuredPace | null,
  ) {
    this.#memory = memory;
    this.#measured = measured;
    this.#eyes = scales.map((scale) => {
      const eye = eyeOf(scale);
      return {
        scale,
        eye,
        images: memory === "handed over" ? [] : Array.from({ length: IMAGES }, () => eye.createImage()),
      };
    });
  }

  get #quality(): { readonly scale: number; readonly divisor: number } {
    return this.#measured?.pace.quality ?? { scale: this.#eyes[0]!.scale, divisor: 1 };
  }

  get condition(): NodeCondition {
    if (this.#measured === null) return { health: "running", detail: "" };
    const { scale, divisor } = this.#quality;
    const detail = `images of ${100 * scale} % size, every ${divisor === 1 ? "" : "second "}frame`;
    return { health: scale === 1 && divisor === 1 ? "running" : "degraded", detail };
  }

  /** Whether the frame with this number is left out. */
  isSkipped(index: number): boolean {
    return index % this.#quality.divisor !== 0;
  }

  next(): FrameMaterial {
    const { eye, images, scale } = this.#eyeOf(this.#quality.scale);
    const image = this.#memory === "handed over" ? eye.createImage() : images[this.#count++ % IMAGES]!;
    return { eye, image, scale };
  }

  #eyeOf(scale: number): ScaledEye {
    return this.#eyes.find((eye) => eye.scale === scale)!;
  }

  /** Does the work of a frame; whether the quality changes for how long it took. */
  measure(work: () => void): FrameChange {
    const begun = this.#measured?.stopwatch() ?? 0;
    work();
    if (this.#measured === null) return FrameChange.none;
    return this.#measured.pace.took(this.#measured.stopwatch() - begun);
  }

  /** Sees a ball fly towards it at each scale, and begins with what can be kept up; nothing where images have a fixed size. */
  warmUp(): void {
    if (this.#measured === null) return;
    const { pace, stopwatch } = this.#measured;
    const durations = new Map(this.#eyes.map((eye) => [eye.scale, watchFlight(eye, stopwatch)]));
    pace.begin((scale) => Math.min(...durations.get(scale)!.slice(WARM_UP / 2)));
  }
}

/** How long each frame of an imagined flight takes [s]. */
function watchFlight({ eye }: ScaledEye, stopwatch: () => number): number[] {
  const image = eye.createImage();
  const head = createRigidMotion();
  head.worldFromBody.set([1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1.6]);
  return Array.from({ length: WARM_UP }, (_, k) => {
    const share = k / WARM_UP;
    // A head that turns blurs the image, which is dearer to render.
    head.twist.set([0, 0, 0, 0, 0.5, share]);
    const position = vec3.create(4.5 - 3.7 * share, 0.2 - 0.4 * share, 1.8);
    const ball = { position, velocity: vec3.create(-6, 0, 1) };
    const begun = stopwatch();
    eye.see(head, [ball], k, image);
    const duration = stopwatch() - begun;
    eye.see(head, [ball], k, image, [SOME_REGION]);
    return duration;
  });
}

/** The pixels that the detector looks at for a window. */
export function regionOf({ u, v, halfSize, maxRadius }: SearchWindow): PixelRegion {
  const reach = windowReach(halfSize, maxRadius);
  const [left, top] = [Math.floor(u - reach), Math.floor(v - reach)];
  return { left, top, width: Math.ceil(u + reach) + 1 - left, height: Math.ceil(v + reach) + 1 - top };
}
