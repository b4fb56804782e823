import type { Circle } from "./circle-set.js";
import type { LevelImage } from "./level-image.js";
import { MAX_RAYS, OutlineEdges, type OutlineShape } from "./outline-shape.js";

/** Most samples along a ray. */
const MAX_SAMPLES = 64;
/** Least part of a ray's energy that is taken for the edge's. */
const LEAST_EDGE = 0.4;

/**
 * Where an outline is crossed by rays from its centre: along each ray the gray values around the expected crossing, and
 * the centroid of their squared slope, as far as it has the ray's predominant sign. Blur spreads an edge to both sides
 * alike, so the centroid stays. A ray's weight says how clearly there is an edge, 0 to 1.
 */
export class RadialEdges extends OutlineEdges {
  /** Gray values from the inside to the outside of the edge. */
  readonly step = new Float64Array(MAX_RAYS);
  readonly #profile = new Float64Array(MAX_SAMPLES);
  readonly #taper = new Float64Array(MAX_SAMPLES);
  /** Spacing of the samples [px], variance of the noise, sum of the taper: in an array, where numbers are not boxed. */
  readonly #frame = new Float64Array(3);
  /** Where the outline is expected on each ray. */
  readonly #column = new Float64Array(MAX_RAYS);
  readonly #row = new Float64Array(MAX_RAYS);

  constructor() {
    super();
    // All rays scatter alike.
    this.scatter.fill(1);
  }

  /**
   * @param rays Divides 64.
   * @param reach How far to both sides of the outline to look [px].
   * @param spacing Of the samples along a ray [px].
   * @param noiseVariance Of the gray values.
   */
  measure(
    image: LevelImage,
    circle: Circle,
    shape: OutlineShape,
    rays: number,
    reach: number,
    spacing: number,
    noiseVariance: number,
  ): void {
    const { u, v, r } = circle;
    const half = Math.min(Math.max(2, Math.round(reach / spacing)), (MAX_SAMPLES >> 1) - 1);
    this.#setTaper(half);
    this.#frame[0] = spacing;
    this.#frame[1] = noiseVariance;
    this.aim(shape, rays);
    for (let k = 0; k < rays; k++) {
      const expected = r * this.distance[k]!;
      this.#column[k] = u + expected * this.cos[k]!;
      this.#row[k] = v + expected * this.sin[k]!;
      const isSeen = this.#sample(image, k, half);
      this.seen[k] = isSeen ? 1 : 0;
      if (isSeen) this.#locate(k, half);
      else this.#leaveOut(k);
    }
  }

  #setTaper(half: number): void {
    let room = 0;
    for (let j = 0; j < 2 * half; j++) {
      const x = (j + 0.5 - half) / half;
      this.#taper[j] = 1 - x * x;
      room += 1 - x * x;
    }
    this.#frame[2] = room;
  }

  /** Bilinear gray values along ray k. False if it leaves the image. */
  #sample(image: LevelImage, k: number, half: number): boolean {
    const { pixels, offset, stride } = image;
    const lastColumn = image.width - 1;
    const lastRow = image.height - 1;
    const du = this.#frame[0]! * this.cos[k]!;
    const dv = this.#frame[0]! * this.sin[k]!;
    let x = this.#column[k]! - half * du;
    let y = this.#row[k]! - half * dv;
    const endX = x + 2 * half * du;
    const endY = y + 2 * half * dv;
    const isBegun = x >= 0 && y >= 0 && x < lastColumn && y < lastRow;
    if (!(isBegun && endX >= 0 && endY >= 0 && endX < lastColumn && endY < lastRow)) {
      return this.#samplePart(image, k, half);
    }
    const profile = this.#profile;
    for (let j = 0; j <= 2 * half; j++) {
      const column = x | 0;
      const row = y | 0;
      const at = offset + row * stride + column;
      const a = x - column;
      const top = pixels[at]! + a * (pixels[at + 1]! - pixels[at]!);
      const bottom = pixels[at + stride]! + a * (pixels[at + stride + 1]! - pixels[at + stride]!);
      profile[j] = top + (y - row) * (bottom - top);
      x += du;
      y += dv;
    }
    return true;
  }

  /** The same for a ray that begins outside the image: there it has no slope. False if too little of it is on the image. */
  #samplePart({ pixels, offset, stride, width, height }: LevelImage, k: number, half: number): boolean {
    const profile = this.#profile;
    let first = -1;
    let last = -1;
    for (let j = 0; j <= 2 * half; j++) {
      const x = this.#column[k]! + (j - half) * this.#frame[0]! * this.cos[k]!;
      const y = this.#row[k]! + (j - half) * this.#frame[0]! * this.sin[k]!;
      if (!(x >= 0 && y >= 0 && x < width - 1 && y < height - 1)) continue;
      if (first < 0) first = j;
      last = j;
      const at = offset + Math.floor(y) * stride + Math.floor(x);
      const a = x - Math.floor(x);
      const top = pixels[at]! + a * (pixels[at + 1]! - pixels[at]!);
      const bottom = pixels[at + stride]! + a * (pixels[at + stride + 1]! - pixels[at + stride]!);
      profile[j] = top + (y - Math.floor(y)) * (bottom - top);
    }
    if (!(first >= 0 && first <= half >> 1 && last === 2 * half)) return false;
    profile.fill(profile[first]!, 0, first);
    return true;
  }

  #leaveOut(k: number): void {
    this.shift[k] = 0;
    this.weight[k] = 0;
    this.step[k] = 0;
  }

  #locate(k: number, half: number): void {
    const profile = this.#profile;
    const taper = this.#taper;
    const middle = half - 0.5;
    let step = 0;
    let all = 0;
    let rising = 0;
    let risingMoment = 0;
    let falling = 0;
    let fallingMoment = 0;
    for (let j = 0; j < 2 * half; j++) {
      const slope = profile[j + 1]! - profile[j]!;
      const tapered = taper[j]! * slope;
      const energy = tapered * slope;
      step += tapered;
      all += energy;
      if (slope > 0) {
        rising += energy;
        risingMoment += energy * (j - middle);
      } else {
        falling += energy;
        fallingMoment += energy * (j - middle);
      }
    }
    const sum = step < 0 ? falling : rising;
    const moment = step < 0 ? fallingMoment : risingMoment;
    if (!(sum > 0)) {
      this.#leaveOut(k);
      return;
    }
    const spacing = this.#frame[0]!;
    // Neighbouring bilinear samples share pixels: their difference has about the variance of one pixel times the spacing.
    const noise = this.#frame[2]! * this.#frame[1]! * Math.min(1, spacing);
    // Half the noise's energy is in slopes of the edge's sign. It lies evenly about the middle of the window and would
    // draw the centroid there.
    const edge = Math.max(sum - 0.5 * noise, LEAST_EDGE * sum);
    this.shift[k] = (moment / edge) * spacing;
    this.weight[k] = sum / (all + 2 * noise);
    this.step[k] = step;
  }
}
