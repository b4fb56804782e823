import type { Circle } from "./circle-set.js";
import { type DiscSurface, SATURATION } from "./disc-surface.js";
import { type EdgeWidth, riseAt, rootAt, slopeAt } from "./edge-width.js";
import type { LevelImage } from "./level-image.js";
import { MAX_RAYS, OutlineEdges, type OutlineShape } from "./outline-shape.js";

/** Samples along a ray [px]. */
const SPACING = 0.5;
const MAX_SAMPLES = 128;
/** How far a ray goes beyond the blurred edge: inwards [px], outwards as a part of the radius and at least [px]. */
const INNER_REACH = 2;
const OUTER_REACH = 0.1;
const LEAST_OUTER_REACH = 2;
const MOST_OUTER_REACH = 6;
/** The blurred edge is taken for no wider than this part of the radius to each side. */
const MOST_HALF = 0.6;
/** A ray must show so many samples of the background. */
const LEAST_OUTSIDE = 3;
/** Standard deviation of an edge's place that no ray goes below [px]; and as a part of the edge's half-width. */
const PLACE_ERROR = 0.04;
const WIDTH_ERROR = 0.02;
/** What the background's texture and the model's misfit cost: (variance / contrast²) × half-width² times this. */
const TEXTURE = 4;
/** Relative error of a half-width that no ray goes below. */
const GROWTH_ERROR = 0.2;
/** The same for light that is not known: it may rise or fall along the ray as an edge does. For place and width. */
const SHIFT_LIGHT = 1;
const GROWTH_LIGHT = 4;
/** Keeps divisions finite where disc and background are exactly alike [gray²]. */
const LEAST_SQUARED_CONTRAST = 1e-6;
const BRIGHTEST = 255;
/** Light beyond what a camera can show is extrapolated from the rest of the ball: no further than this, and by so much it may err. */
const MOST_LIGHT = 1.6 * BRIGHTEST;
const CLIPPED_LIGHT_ERROR = 0.15;

/**
 * The edge of a ball whose light is known, along rays from its centre. Each ray's gray values are taken for
 *
 *   (1 − rise) · light of the ball + rise · background,
 *
 * the rise being that of a blurred edge, and by least squares come the background's gray value, how far the edge lies from
 * where it was expected and how much wider it is: each with a variance, so that rays where ball and background are alike
 * count for nothing and those before a busy background for little. So the contrast may change its sign around the outline. A
 * print, a seam or a highlight changes the ball's light at the rim: each ray has an offset of its own from the light that is known,
 * as large as that light is uncertain. Samples that are clipped at white, as they should be, count nothing. A ray's weight is the inverse of the shift's
 * variance [1/px²], 0 where the edge is not to be seen; its scatter is the standard deviation of the shift [px].
 */
export class RimEdges extends OutlineEdges {
  /** Half-width that the edge was taken to have, by how much more it has [px], and how much that counts. */
  readonly half = new Float64Array(MAX_RAYS);
  readonly growth = new Float64Array(MAX_RAYS);
  readonly growthWeight = new Float64Array(MAX_RAYS);
  /** See `OutlineShape.toDisc`. */
  readonly #toDisc = new Float64Array(3);
  /** Of the samples of one ray: gray value less what the model has without a background, rise, slope, slope × place. Its share of the ball is 1 − rise. */
  readonly #rest = new Float64Array(MAX_SAMPLES);
  readonly #rise = new Float64Array(MAX_SAMPLES);
  readonly #slope = new Float64Array(MAX_SAMPLES);
  readonly #spread = new Float64Array(MAX_SAMPLES);
  #samples = 0;
  /** Where the edge's middle is expected on each ray [px]. */
  readonly #expected = new Float64Array(MAX_RAYS);
  /**
   * Pixels that a sample stands for, variance of the noise, centre, outer reach, variance of the light about what is known of it, the
   * same at the rim on the ray in hand, 1 if that ray's light is clipped: in an array, where numbers are not boxed.
   */
  readonly #frame = new Float64Array(8);
  /**
   * Of the ray in hand: contrast, shift, growth, information of shift and growth (for a contrast, a noise and a sample's area of 1),
   * mean square of what the least squares left [gray²].
   */
  readonly #found = new Float64Array(6);
  /** Place on the unit disc where the ray in hand passes the rim, and the variance of the light extrapolated to it [gray²]. */
  readonly #rimPlace = new Float64Array(3);

  measure(
    image: LevelImage,
    circle: Circle,
    shape: OutlineShape,
    surface: DiscSurface,
    width: EdgeWidth,
    noiseVariance: number,
  ): void {
    const { u, v, r } = circle;
    shape.toDisc(this.#toDisc);
    this.aim(shape, r < FEW_RAYS_RADIUS ? MAX_RAYS / 2 : MAX_RAYS);
    this.#frame[0] = SPACING * Math.min(1, (2 * Math.PI * r) / this.count);
    this.#frame[1] = noiseVariance;
    this.#frame[2] = u;
    this.#frame[3] = v;
    this.#frame[4] = Math.max(LEAST_OUTER_REACH, Math.min(MOST_OUTER_REACH, OUTER_REACH * r));
    this.#frame[5] = Math.max(0, surface.residualVariance - noiseVariance);
    for (let k = 0; k < this.count; k++) {
      const cos = this.cos[k]!;
      const sin = this.sin[k]!;
      this.half[k] = Math.min(width.halfAt(cos, sin), MOST_HALF * r);
      this.#expected[k] = r * this.distance[k]! - width.sagAt(cos, sin, r);
      this.#sample(image, k, surface);
      this.#locate(k);
    }
  }

  /** Fills the arrays of one ray; samples outside the image are left out. */
  #sample({ pixels, offset, stride, width, height }: LevelImage, k: number, surface: DiscSurface): void {
    const u = this.#frame[2]!;
    const v = this.#frame[3]!;
    const outer = this.#frame[4]!;
    const expected = this.#expected[k]!;
    const cos = this.cos[k]!;
    const sin = this.sin[k]!;
    const half = this.half[k]!;
    const discX = (this.#toDisc[0]! * cos + this.#toDisc[1]! * sin) * this.distance[k]!;
    const discY = (this.#toDisc[1]! * cos + this.#toDisc[2]! * sin) * this.distance[k]!;
    const rim = Math.max(0, Math.min(MOST_LIGHT, surface.flatAt(discX, discY)));
    const isClipped = rim > SATURATION;
    this.#rimPlace[0] = discX;
    this.#rimPlace[1] = discY;
    surface.putFlatVariance(this.#rimPlace);
    const known = this.#frame[5]! + this.#rimPlace[2]!;
    this.#frame[6] = known + (isClipped ? (CLIPPED_LIGHT_ERROR * rim) ** 2 : 0);
    this.#frame[7] = isClipped ? 1 : 0;
    const count = Math.min(MAX_SAMPLES, 1 + Math.ceil((2 * half + INNER_REACH + outer) / SPACING));
    let n = 0;
    let clipped = 0;
    let background = 0;
    let beyond = 0;
    // From the outside inwards: first the background is seen.
    for (let j = count - 1; j >= 0; j--) {
      const place = j * SPACING - half - INNER_REACH;
      const x = u + (expected + place) * cos;
      const y = v + (expected + place) * sin;
      const column = Math.floor(x);
      const row = Math.floor(y);
      if (!(column >= 0 && row >= 0 && column < width - 1 && row < height - 1)) continue;
      const at = offset + row * stride + column;
      const a = x - column;
      const top = pixels[at]! + a * (pixels[at + 1]! - pixels[at]!);
      const bottom = pixels[at + stride]! + a * (pixels[at + stride + 1]! - pixels[at + stride]!);
      const value = top + (y - row) * (bottom - top);
      const rise = riseAt(place / half);
      const slope = slopeAt(place / half) / half;
      const inner = rise < 1 ? innerLight(surface, discX, discY, place, half, expected, 1 - rise) : 0;
      if (rise === 1) {
        background += value;
        beyond++;
      } else if (isClipped && value >= SATURATION && inner + (rise * background) / beyond >= SATURATION) {
        clipped++;
        continue;
      }
      this.#rest[n] = value - inner - rim * rise;
      this.#rise[n] = rise;
      this.#slope[n] = slope;
      this.#spread[n] = (slope * place) / half;
      n++;
    }
    this.#samples = n;
    this.seen[k] = n + clipped === count ? 1 : 0;
  }

  /** Least squares of the rest by offset · (1 − rise) + contrast · rise − contrast · shift · slope − contrast · growth · spread. */
  #locate(k: number): void {
    // An offset of the ball's light from what is known; none where that is certain.
    let ii = this.#frame[1]! / (this.#frame[0]! * this.#frame[6]!);
    let ir = 0;
    let is = 0;
    let ip = 0;
    let iy = 0;
    let rr = 0;
    let rs = 0;
    let rp = 0;
    let ss = 0;
    let sp = 0;
    let pp = SPREAD_PRIOR * this.#frame[1]!;
    let ry = 0;
    let sy = 0;
    let py = 0;
    let yy = 0;
    for (let j = 0; j < this.#samples; j++) {
      const rise = this.#rise[j]!;
      const slope = this.#slope[j]!;
      const spread = this.#spread[j]!;
      const rest = this.#rest[j]!;
      const inner = 1 - rise;
      ii += inner * inner;
      ir += inner * rise;
      is += inner * slope;
      ip += inner * spread;
      iy += inner * rest;
      rr += rise * rise;
      rs += rise * slope;
      rp += rise * spread;
      ss += slope * slope;
      sp += slope * spread;
      pp += spread * spread;
      ry += rise * rest;
      sy += slope * rest;
      py += spread * rest;
      yy += rest * rest;
    }
    // Offset and background, which are of no interest, are eliminated first.
    const rOwn = ir / ii;
    const sOwn = is / ii;
    const pOwn = ip / ii;
    rr -= ir * rOwn;
    rs -= is * rOwn;
    rp -= ip * rOwn;
    ss -= is * sOwn;
    sp -= ip * sOwn;
    pp -= ip * pOwn;
    ry -= iy * rOwn;
    sy -= iy * sOwn;
    py -= iy * pOwn;
    yy -= (iy * iy) / ii;
    ss -= (rs * rs) / rr;
    sp -= (rs * rp) / rr;
    pp -= (rp * rp) / rr;
    const sFree = sy - (rs * ry) / rr;
    const pFree = py - (rp * ry) / rr;
    const determinant = ss * pp - sp * sp;
    const shifted = (sFree * pp - pFree * sp) / determinant;
    const spreadBy = (pFree * ss - sFree * sp) / determinant;
    const outside = (ry - shifted * rs - spreadBy * rp) / rr;
    const left = Math.max(0, yy - outside * ry - shifted * sy - spreadBy * py) / this.#samples;
    const contrast = outside - (iy / ii - outside * rOwn - shifted * sOwn - spreadBy * pOwn);
    const found = this.#found;
    found[0] = contrast;
    found[1] = -shifted / contrast;
    found[2] = -spreadBy / contrast;
    found[3] = determinant / pp;
    found[4] = determinant / ss;
    found[5] = left;
    this.#setRay(k);
  }

  /** From what was found of a ray. */
  #setRay(k: number): void {
    const contrast = this.#found[0]!;
    const shift = this.#found[1]!;
    const growth = this.#found[2]!;
    const shiftInformation = this.#found[3]!;
    const growthInformation = this.#found[4]!;
    const left = this.#found[5]!;
    const half = this.half[k]!;
    const squaredContrast = contrast * contrast + LEAST_SQUARED_CONTRAST;
    const texture = this.#texture() + Math.max(0, left - this.#frame[1]!);
    const noise = this.#frame[1]! / (squaredContrast * this.#frame[0]!);
    const busyness = texture / squaredContrast;
    const light = this.#frame[6]! / squaredContrast;
    const shiftError = WIDTH_ERROR ** 2 + TEXTURE * busyness + SHIFT_LIGHT * light;
    const variance = noise / shiftInformation + PLACE_ERROR ** 2 + shiftError * half * half;
    const growthError = GROWTH_ERROR ** 2 + busyness + GROWTH_LIGHT * light;
    const growthVariance = noise / growthInformation + growthError * half * half;
    const isSeen = variance > 0 && variance < Number.POSITIVE_INFINITY && growthVariance > 0;
    this.shift[k] = isSeen ? Math.max(-half, Math.min(half, shift)) : 0;
    this.weight[k] = isSeen ? 1 / variance : 0;
    this.scatter[k] = isSeen ? Math.sqrt(variance) : 1;
    this.growth[k] = isSeen ? growth : 0;
    // How wide an edge is cannot be told where its upper end is clipped.
    this.growthWeight[k] = isSeen && this.#frame[7] === 0 ? 1 / (growthVariance * half * half) : 0;
  }

  /** Variance of the background beyond the noise [gray²]; NaN if too little of it is to be seen. */
  #texture(): number {
    let sum = 0;
    let squares = 0;
    let count = 0;
    for (let j = 0; j < this.#samples && this.#rise[j]! === 1; j++) {
      sum += this.#rest[j]!;
      squares += this.#rest[j]! * this.#rest[j]!;
      count++;
    }
    if (count < LEAST_OUTSIDE) return Number.NaN;
    return Math.max(0, squares / count - (sum / count) ** 2 - this.#frame[1]!);
  }
}

/** Outlines below this radius have a ray for each pixel with half the rays [px]. */
const FEW_RAYS_RADIUS = 8;
/** The width of an edge of a contrast like the noise is hardly told from one sample to the next. */
const SPREAD_PRIOR = 0.01;

/** Light of the ball at a place across its edge, as much as `share` of it is there. */
function innerLight(
  surface: DiscSurface,
  discX: number,
  discY: number,
  place: number,
  half: number,
  expected: number,
  share: number,
): number {
  const part = place < 0 ? 1 + place / expected : 1;
  const root = Math.sqrt((half / expected) * (1 + part)) * rootAt(place / half);
  const light = surface.flatAt(part * discX, part * discY) * share + surface.coefficients[3]! * root;
  return Math.max(0, Math.min(MOST_LIGHT * share, light));
}
