import type { CameraModel } from "../../camera/camera-model.js";
import { createImage, type GrayImage } from "../../camera/gray-image.js";
import { clipRegion, type PixelRegion } from "./image-regions.js";
import type { RenderBall, RenderScene } from "./render-scene.js";
import { Renderer } from "./renderer.js";
import { Room, type RoomOptions } from "./room.js";
import { type ColourChannel, channels, type Tint } from "./tint.js";

/** A ball's highlight is at most so many times as bright as the ball. */
const BRIGHTEST_GLOSS = 20;
const WHITE = 255;

/** The same room as red, green and blue light show it. Its brightness is that of the gray room of the same seed. */
export class ColourRoom {
  readonly channels: readonly Room[];

  constructor(seed: number | string, options: Omit<RoomOptions, "channel"> = {}) {
    this.channels = channels.map((channel) => new Room(seed, { ...options, channel }));
  }
}

/**
 * Renders colour images: a camera with three sensors, each behind a filter of its own, with noise of its own. There is no mosaic of
 * colours on one sensor, and so none of its artefacts. It takes three times as long as a gray image.
 */
export class ColourRenderer {
  readonly #renderers: readonly Renderer[];
  readonly #planes: readonly GrayImage[];

  constructor(camera: CameraModel, room: ColourRoom, { seed = 0 }: { readonly seed?: number | string } = {}) {
    this.#renderers = room.channels.map((own, k) => new Renderer(camera, own, { seed: `${seed} channel ${k}` }));
    this.#planes = channels.map(() => createImage(camera.width, camera.height));
  }

  /** As `Renderer.render`; three bytes a pixel. */
  render(scene: RenderScene, frame: number | string, out: GrayImage, regions?: readonly PixelRegion[]): void {
    for (const channel of channels) {
      this.#renderers[channel]!.render(sceneIn(channel, scene), frame, this.#planes[channel]!, regions);
    }
    const { width, height } = this.#planes[0]!;
    const seen = regions?.flatMap((region) => clipRegion(region, width, height) ?? []);
    for (const region of seen ?? [{ left: 0, top: 0, width, height }]) this.#interleave(region, out.pixels);
  }

  #interleave({ left, top, width, height }: PixelRegion, out: Uint8Array): void {
    const [red, green, blue] = this.#planes.map(({ pixels }) => pixels) as [Uint8Array, Uint8Array, Uint8Array];
    const stride = this.#planes[0]!.width;
    for (let row = top; row < top + height; row++) {
      for (let from = row * stride + left, to = 3 * from, end = from + width; from < end; from++, to += 3) {
        out[to] = red[from]!;
        out[to + 1] = green[from]!;
        out[to + 2] = blue[from]!;
      }
    }
  }
}

/** The scene as one channel sees it. */
function sceneIn(channel: ColourChannel, scene: RenderScene): RenderScene {
  return {
    ...scene,
    balls: scene.balls.map((ball) => (ball.tint === undefined ? ball : dyed(ball, ball.tint, channel))),
    ...(scene.limbs && {
      limbs: scene.limbs.map((limb) => ({ ...limb, gray: Math.min(WHITE, limb.gray * (limb.tint?.[channel] ?? 1)) })),
    }),
  };
}

/** Balls reflect light in their colour, and highlights in the light's own. */
function dyed(ball: RenderBall, tint: Tint, channel: ColourChannel): RenderBall {
  const { tone, surface } = ball;
  if (tone.kind !== "gray") return ball;
  const share = Math.max(tint[channel], 1 / BRIGHTEST_GLOSS);
  return {
    ...ball,
    tone: { kind: "gray", gray: Math.min(WHITE, tone.gray * tint[channel]) },
    ...(surface && { surface: { ...surface, gloss: Math.min(BRIGHTEST_GLOSS, surface.gloss / share) } }),
  };
}
