import type { CameraModel } from "../../camera/camera-model.js";
import * as vec3 from "../../math/vec3.js";
import { isHidden, NOTHING_HIDDEN } from "./hidden-sector.js";

/**
 * The outline that a small sphere has at a place of the image, relative to the circle of the same area: further from the
 * optical axis it is an ellipse, at 35° by 1 : 1.2. A direction δ [px] from its centre sees the angle |J δ|, J being the
 * derivative of the ray with respect to the pixel, so the outline is δᵀ JᵀJ δ = const.
 */
export class OutlineShape {
  readonly #camera: CameraModel | null;
  readonly #ray = vec3.create();
  readonly #jacobian = new Float64Array(6);
  /** JᵀJ with determinant 1: xx, xy, yy. */
  #xx = 1;
  #xy = 0;
  #yy = 1;

  /** Without a camera all outlines are circles. */
  constructor(camera: CameraModel | null) {
    this.#camera = camera;
  }

  /** Whether a camera says what the shape is. */
  get isKnown(): boolean {
    return this.#camera !== null;
  }

  /** Takes the shape of the outline about the pixel (u, v). */
  moveTo(u: number, v: number): void {
    this.#xx = 1;
    this.#xy = 0;
    this.#yy = 1;
    const camera = this.#camera;
    if (camera === null || !camera.rayWithJacobian(u, v, this.#ray, this.#jacobian)) return;
    const j = this.#jacobian;
    const xx = j[0]! * j[0]! + j[2]! * j[2]! + j[4]! * j[4]!;
    const xy = j[0]! * j[1]! + j[2]! * j[3]! + j[4]! * j[5]!;
    const yy = j[1]! * j[1]! + j[3]! * j[3]! + j[5]! * j[5]!;
    const scale = 1 / Math.sqrt(xx * yy - xy * xy);
    if (!(scale > 0 && scale < Number.POSITIVE_INFINITY)) return;
    this.#xx = xx * scale;
    this.#xy = xy * scale;
    this.#yy = yy * scale;
  }

  /**
   * Writes the symmetric M with |M δ| = 1 on the outline of mean radius 1, as xx, xy, yy; its determinant is 1. It takes
   * the outline to the unit disc.
   */
  toDisc(out: Float64Array): void {
    // The root of a symmetric 2 × 2 matrix A of determinant 1 is (A + I) / √(tr A + 2).
    const scale = 1 / Math.sqrt(this.#xx + this.#yy + 2);
    out[0] = (this.#xx + 1) * scale;
    out[1] = this.#xy * scale;
    out[2] = (this.#yy + 1) * scale;
  }

  /** Distance of the outline in the direction (cos, sin) for a mean radius of 1. */
  distance(cos: number, sin: number): number {
    return 1 / Math.sqrt(this.#xx * cos * cos + 2 * this.#xy * cos * sin + this.#yy * sin * sin);
  }
}

/** Most rays from a centre. */
export const MAX_RAYS = 64;

/** Where rays from a centre cross an outline. Each array has a place for each ray. */
export class OutlineEdges {
  /** Rays in use. */
  count = 0;
  readonly cos = new Float64Array(MAX_RAYS);
  readonly sin = new Float64Array(MAX_RAYS);
  /** Expected distance from the centre for a mean radius of 1. */
  readonly distance = new Float64Array(MAX_RAYS);
  /** How much further out the edge lies than expected [px]. */
  readonly shift = new Float64Array(MAX_RAYS);
  /** How much the ray counts. */
  readonly weight = new Float64Array(MAX_RAYS);
  /** 1 if the ray's edge lies on the image, 0 if not. */
  readonly seen = new Uint8Array(MAX_RAYS).fill(1);
  /** Scatter that the ray is expected to have, in proportion to that of the others. */
  readonly scatter = new Float64Array(MAX_RAYS);

  /** Leaves out the rays of a hidden sector. */
  hide(sector: number): void {
    if (sector === NOTHING_HIDDEN) return;
    for (let k = 0; k < this.count; k++) {
      if (!isHidden(k / this.count, sector)) continue;
      this.weight[k] = 0;
      this.seen[k] = 0;
    }
  }

  /** Takes `count` rays, which divides 64, evenly around, and where the outline is expected on them. */
  protected aim(shape: OutlineShape, count: number): void {
    this.count = count;
    const turn = MAX_RAYS / count;
    for (let k = 0; k < count; k++) {
      this.cos[k] = rayCosines[k * turn]!;
      this.sin[k] = raySines[k * turn]!;
      this.distance[k] = shape.distance(this.cos[k]!, this.sin[k]!);
    }
  }
}

/** Cosines and sines of rays, evenly around. */
const rayCosines = Float64Array.from({ length: MAX_RAYS }, (_, k) => Math.cos((2 * Math.PI * k) / MAX_RAYS));
const raySines = Float64Array.from({ length: MAX_RAYS }, (_, k) => Math.sin((2 * Math.PI * k) / MAX_RAYS));
