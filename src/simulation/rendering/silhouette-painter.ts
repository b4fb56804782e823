import type * as vec3 from "../../math/vec3.js";
import type { PixelRegion } from "./image-regions.js";
import type { Canvas } from "./kernel-memory.js";
import type { RenderLimb } from "./render-scene.js";

/** Nearer than this to the camera's plane a limb is not painted [m]. */
const NEAR = 0.2;
/** How much darker than its middle the border of a limb is: limbs are round. */
const ROUNDING = 0.35;
/** Where an outline ends at the latest, in its own widths of softness. */
const HALF = 0.5;

/** A limb on the image: two circles and all between them [px]. */
interface LimbOutline {
  readonly u: number;
  readonly v: number;
  readonly radius: number;
  /** To the other end, and how the radius changes to there. */
  readonly alongU: number;
  readonly alongV: number;
  readonly widening: number;
  /** Width of the border between limb and background. */
  readonly softness: number;
}

/** Paints hands and bodies over the light: each limb is what lies between two circles on the image. */
export class SilhouettePainter {
  readonly #canvas: Canvas;
  readonly #pixel = new Float64Array(2);

  constructor(canvas: Canvas) {
    this.#canvas = canvas;
  }

  /**
   * `from` and `to` are the ends in the camera's frame [m], `blur` how far the limb moves in the exposure [m]. Nothing is painted
   * outside of `within`.
   */
  paint({ radius, gray }: RenderLimb, from: vec3.Vec3, to: vec3.Vec3, blur: number, within: PixelRegion): void {
    const outline = this.#outlineOf(radius, from, to, blur);
    if (outline === null) return;
    const [leftmost, rightmost] = [within.left, within.left + within.width - 1];
    const [topmost, lowest] = [within.top, within.top + within.height - 1];
    const { u, v, alongU, alongV, softness } = outline;
    const reach = Math.max(outline.radius, outline.radius + outline.widening) + softness;
    const left = Math.max(leftmost, Math.floor(Math.min(u, u + alongU) - reach));
    const right = Math.min(rightmost, Math.ceil(Math.max(u, u + alongU) + reach));
    const top = Math.max(topmost, Math.floor(Math.min(v, v + alongV) - reach));
    const bottom = Math.min(lowest, Math.ceil(Math.max(v, v + alongV) + reach));
    for (let row = top; row <= bottom; row++) this.#paintRow(outline, gray, row, left, right);
  }

  #outlineOf(radius: readonly [number, number], from: vec3.Vec3, to: vec3.Vec3, blur: number): LimbOutline | null {
    const { camera } = this.#canvas.rays;
    const pixel = this.#pixel;
    if (from[2] < NEAR || to[2] < NEAR || !camera.project(from, pixel)) return null;
    const [u, v] = [pixel[0]!, pixel[1]!];
    if (!camera.project(to, pixel)) return null;
    const [begin, end] = [(camera.fx * radius[0]) / from[2], (camera.fx * radius[1]) / to[2]];
    return {
      ...{ u, v, radius: begin, alongU: pixel[0]! - u, alongV: pixel[1]! - v, widening: end - begin },
      softness: 1 + (camera.fx * blur) / from[2],
    };
  }

  #paintRow(outline: LimbOutline, gray: number, row: number, left: number, right: number): void {
    const { u, v, radius, alongU, alongV, widening, softness } = outline;
    const { memory, rays, light } = this.#canvas;
    const { floats } = memory;
    const squaredLength = alongU * alongU + alongV * alongV;
    const at = light / 4 + row * rays.pixelStride;
    const dv = row - v;
    for (let column = left; column <= right; column++) {
      const du = column - u;
      const along = squaredLength === 0 ? 0 : (du * alongU + dv * alongV) / squaredLength;
      const share = along < 0 ? 0 : along > 1 ? 1 : along;
      const [eu, ev] = [du - share * alongU, dv - share * alongV];
      const width = radius + share * widening;
      const distance = Math.sqrt(eu * eu + ev * ev);
      const inside = (width - distance) / softness + HALF;
      if (inside <= 0) continue;
      const part = inside >= 1 ? 1 : inside;
      const across = width <= 0 ? 0 : Math.min(1, distance / width);
      const value = gray * (1 - ROUNDING * across * across);
      floats[at + column] = (1 - part) * floats[at + column]! + part * value;
    }
  }
}
