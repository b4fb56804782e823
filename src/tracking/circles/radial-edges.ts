import type { DiscSurface } from "./disc-surface.js";
import type { LevelImage } from "./level-image.js";
import type { OutlineShape } from "./outline-shape.js";

/** Most rays from a centre. */
export const MAX_RAYS = 64;
/** Most samples along a ray. */
const MAX_SAMPLES = 64;
/** Of the samples along a ray, for the sum over an edge [px]. */
const AREA_SPACING = 0.5;
/** Variance of such a sum for each pixel of its reach, relative to that of a pixel. */
const AREA_NOISE = 2;
/** Contrast, relative to what is usual around the disc, at which a ray counts a quarter. */
const FAINT = 0.7;
/** How much an edge counts that goes the wrong way. */
const WRONG_WAY = 0.02;
/** Least part of a ray's energy that is taken for the edge's. */
const LEAST_EDGE = 0.4;

/**
 * Where an outline is crossed by rays from its centre: along each ray the gray values around the expected crossing, and
 * the centroid of their squared slope, as far as it has the ray's predominant sign. Blur spreads an edge to both sides
 * alike, so the centroid stays.
 */
export class RadialEdges {
  /** Rays in use. */
  count = 0;
  readonly cos = new Float64Array(MAX_RAYS);
  readonly sin = new Float64Array(MAX_RAYS);
  /** Expected distance from the centre [px]. */
  readonly expected = new Float64Array(MAX_RAYS);
  /** How much further out the edge lies than expected [px]. */
  readonly shift = new Float64Array(MAX_RAYS);
  /** How clearly there is an edge, 0 to 1. */
  readonly weight = new Float64Array(MAX_RAYS);
  /** Gray values from the inside to the outside of the edge. */
  readonly step = new Float64Array(MAX_RAYS);
  /** Mean square distance of the edge's slope from its centroid [px²], of all rays. */
  squaredWidth = 0;
  /** Gray values from the disc's rim to the background, where the light on the disc is known. */
  readonly #contrast = new Float64Array(MAX_RAYS);
  /** Of each ray: see `squaredWidth`. */
  readonly #widths = new Float64Array(MAX_RAYS);
  readonly #profile = new Float64Array(MAX_SAMPLES);
  readonly #taper = new Float64Array(MAX_SAMPLES);

  /**
   * @param rays Divides 64.
   * @param reach How far to both sides of the outline to look [px].
   * @param spacing Of the samples along a ray [px].
   * @param noiseVariance Of the gray values.
   * @param surface The light on the disc, whose change towards the outline is taken off beforehand; null: not known.
   */
  measure(
    image: LevelImage,
    u: number,
    v: number,
    r: number,
    shape: OutlineShape,
    rays: number,
    reach: number,
    spacing: number,
    noiseVariance: number,
    surface: DiscSurface | null,
  ): void {
    const half = Math.min(Math.max(2, Math.round(reach / spacing)), (MAX_SAMPLES >> 1) - 1);
    this.#setTaper(half);
    this.count = rays;
    const turn = MAX_RAYS / rays;
    for (let k = 0; k < rays; k++) {
      const cos = cosines[k * turn]!;
      const sin = sines[k * turn]!;
      const expected = r * shape.distance(cos, sin);
      this.cos[k] = cos;
      this.sin[k] = sin;
      this.expected[k] = expected;
      this.#sample(image, u + expected * cos, v + expected * sin, cos * spacing, sin * spacing, half);
      if (surface !== null) this.#flatten(k, half, spacing, surface);
      this.#locate(k, half, spacing, noiseVariance);
    }
    if (surface !== null) this.#weighByContrast();
    this.#averageWidth();
  }

  /**
   * The same knowing how bright the disc is: where the edge must lie for the gray values around it to sum up as they do,
   * the inside being as the surface says and the outside as further out on the ray. Unlike the slope's centroid it does
   * not mistake shading near the outline for the edge; where disc and background are alike, a ray counts for nothing.
   */
  measureArea(
    image: LevelImage,
    u: number,
    v: number,
    r: number,
    shape: OutlineShape,
    surface: DiscSurface,
    rays: number,
    reach: number,
    noiseVariance: number,
  ): void {
    const half = Math.min(Math.max(2, Math.round(reach / AREA_SPACING)), (MAX_SAMPLES >> 1) - 1);
    this.count = rays;
    const turn = MAX_RAYS / rays;
    for (let k = 0; k < rays; k++) {
      const cos = cosines[k * turn]!;
      const sin = sines[k * turn]!;
      const expected = r * shape.distance(cos, sin);
      this.cos[k] = cos;
      this.sin[k] = sin;
      this.expected[k] = expected;
      this.#sample(image, u + expected * cos, v + expected * sin, cos * AREA_SPACING, sin * AREA_SPACING, half);
      this.#balance(k, half, surface, noiseVariance);
    }
  }

  /** Compares the profile of ray k with that of an edge right in its middle. */
  #balance(k: number, half: number, surface: DiscSurface, noiseVariance: number): void {
    const profile = this.#profile;
    const cos = this.cos[k]!;
    const sin = this.sin[k]!;
    const expected = this.expected[k]!;
    const outside = this.#outside(half);
    let spread = 0;
    for (let j = half + 1; j <= 2 * half; j++) spread = Math.max(spread, Math.abs(profile[j]! - outside));
    let excess = 0.5 * (profile[half]! - outside) + 0.5 * (profile[half]! - surface.at(cos, sin));
    for (let j = 0; j < half; j++) {
      const distance = 1 + ((j - half) * AREA_SPACING) / expected;
      excess += profile[j]! - surface.at(distance * cos, distance * sin);
    }
    for (let j = half + 1; j <= 2 * half; j++) excess += profile[j]! - outside;
    const step = surface.at(cos, sin) - outside;
    const reach = half * AREA_SPACING;
    const shift = (excess * AREA_SPACING) / step;
    const isEdge = shift > -reach && shift < reach;
    this.shift[k] = isEdge ? shift : 0;
    this.weight[k] = isEdge
      ? (step * step) / (step * step + AREA_NOISE * noiseVariance * reach + 0.1 * spread * spread)
      : 0;
    this.step[k] = isEdge ? -step : 0;
  }

  /** Takes the shading of the disc off the inner half of a profile, leaving the value at the outline. */
  #flatten(k: number, half: number, spacing: number, surface: DiscSurface): void {
    const cos = this.cos[k]!;
    const sin = this.sin[k]!;
    const rim = surface.at(cos, sin);
    for (let j = 0; j < half; j++) {
      const distance = 1 + ((j - half) * spacing) / this.expected[k]!;
      this.#profile[j] = this.#profile[j]! - surface.at(distance * cos, distance * sin) + rim;
    }
    this.#contrast[k] = this.#outside(half) - rim;
  }

  /** Mean gray value of the outermost quarter of a profile. */
  #outside(half: number): number {
    const first = half + Math.ceil(0.5 * half);
    let sum = 0;
    for (let j = first; j <= 2 * half; j++) sum += this.#profile[j]!;
    return sum / (2 * half - first + 1);
  }

  /** Where disc and background are nearly alike, or the edge goes the wrong way, it is hardly the disc's. */
  #weighByContrast(): void {
    const { count, weight, step } = this;
    const contrast = this.#contrast;
    let squares = 0;
    for (let k = 0; k < count; k++) if (weight[k]! > 0) squares += contrast[k]! * contrast[k]!;
    const usual = (FAINT * FAINT * squares) / count;
    for (let k = 0; k < count; k++) {
      if (!(weight[k]! > 0)) continue;
      const square = contrast[k]! * contrast[k]!;
      const belief = contrast[k]! * step[k]! > 0 ? 1 : WRONG_WAY;
      weight[k] = weight[k]! * belief * (square / (square + usual)) ** 2;
    }
  }

  #averageWidth(): void {
    let sum = 0;
    let weights = 0;
    for (let k = 0; k < this.count; k++) {
      sum += this.weight[k]! * this.#widths[k]!;
      weights += this.weight[k]!;
    }
    this.squaredWidth = weights > 0 ? sum / weights : 0;
  }

  #setTaper(half: number): void {
    for (let j = 0; j < 2 * half; j++) {
      const x = (j + 0.5 - half) / half;
      this.#taper[j] = 1 - x * x;
    }
  }

  /** Bilinear gray values; NaN outside the image. */
  #sample(image: LevelImage, u: number, v: number, du: number, dv: number, half: number): void {
    const { pixels, offset, stride } = image;
    const lastColumn = image.width - 1;
    const lastRow = image.height - 1;
    for (let j = 0; j <= 2 * half; j++) {
      const x = u + (j - half) * du;
      const y = v + (j - half) * dv;
      if (!(x >= 0 && y >= 0 && x < lastColumn && y < lastRow)) {
        this.#profile[j] = Number.NaN;
        continue;
      }
      const column = Math.floor(x);
      const row = Math.floor(y);
      const at = offset + row * stride + column;
      const a = x - column;
      const b = y - row;
      const top = pixels[at]! + a * (pixels[at + 1]! - pixels[at]!);
      const bottom = pixels[at + stride]! + a * (pixels[at + stride + 1]! - pixels[at + stride]!);
      this.#profile[j] = top + b * (bottom - top);
    }
  }

  #locate(k: number, half: number, spacing: number, noiseVariance: number): void {
    const profile = this.#profile;
    const taper = this.#taper;
    let step = 0;
    for (let j = 0; j < 2 * half; j++) step += taper[j]! * (profile[j + 1]! - profile[j]!);
    const sign = step < 0 ? -1 : 1;
    let sum = 0;
    let moment = 0;
    let second = 0;
    let all = 0;
    let room = 0;
    for (let j = 0; j < 2 * half; j++) {
      const slope = sign * (profile[j + 1]! - profile[j]!);
      const energy = taper[j]! * slope * slope;
      all += energy;
      room += taper[j]!;
      if (slope <= 0) continue;
      sum += energy;
      const x = j + 0.5 - half;
      moment += energy * x;
      second += energy * x * x;
    }
    // Neighbouring bilinear samples share pixels: their difference has about the variance of one pixel times the spacing.
    const noise = room * noiseVariance * Math.min(1, spacing);
    const isEdge = sum > 0;
    // Half the noise's energy is in slopes of the edge's sign. It lies evenly about the middle of the window and would
    // draw the centroid there.
    const edge = Math.max(sum - 0.5 * noise, LEAST_EDGE * sum);
    this.shift[k] = isEdge ? (moment / edge) * spacing : 0;
    this.#widths[k] = isEdge ? (second / sum - (moment / sum) ** 2) * spacing * spacing : 0;
    this.weight[k] = isEdge ? sum / (all + 2 * noise) : 0;
    this.step[k] = isEdge ? step : 0;
  }
}

const cosines = Float64Array.from({ length: MAX_RAYS }, (_, k) => Math.cos((2 * Math.PI * k) / MAX_RAYS));
const sines = Float64Array.from({ length: MAX_RAYS }, (_, k) => Math.sin((2 * Math.PI * k) / MAX_RAYS));
