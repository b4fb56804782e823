import type { CameraModel } from "../../camera/camera-model.js";
import {
  type BallTests,
  colourTests,
  contrastShare,
  expectedTests,
  leastVarianceOf,
  outlineEvidence,
  radiusCost,
  shapeTests,
  unevennessCost,
} from "./ball-tests.js";
import { type LightError, scaleCovariance } from "./circle-covariance.js";
import type { SearchRegion } from "./circle-search.js";
import { CIRCLE_SIZE, type FoundCircles, insertCircle, isOutdone } from "./circle-set.js";
import { DiscSurface } from "./disc-surface.js";
import { NOTHING_HIDDEN, SECTORS } from "./hidden-sector.js";
import { fromLevel, type LevelImage, levelNoise, toLevel } from "./level-image.js";
import { coarseFit, fineFit, OutlineFit } from "./outline-fit.js";
import { OutlinePurity } from "./outline-purity.js";
import { OutlineShape } from "./outline-shape.js";
import { RimFit } from "./rim-fit.js";
import { WiderCircle } from "./wider-circle.js";

/** How much of the noise's variance is added to the local variance: flat regions then have no purity to speak of. */
export const NOISE_WEIGHT = 2;

/** How far out the light on a disc is looked at to tell a ball, as a part of the radius. */
const LIGHT_REACH = 0.68;
const FINER_LEVELS = 2;

/** Radii from which the last fit is tried, relative to that of the fit before. */
const STARTS = [1, 0.9, 0.8] as const;
const WIDE_START = 1.2;

/** What is asked of a circle. */
export interface CircleDemands extends Readonly<Pick<SearchRegion, "leastPurity" | "minRadius" | "maxRadius">> {
  /** Whether a ball is expected where it is. */
  readonly place: "anywhere" | "expected";
}

/**
 * Looks closely at one candidate after the other: fits it on its level, takes its purity, fits it on a finer one,
 * and asks whether it is round, clear and smooth as a ball.
 */
export class CandidateExaminer {
  readonly #shape: OutlineShape;
  readonly #fit = new OutlineFit();
  readonly #rim = new RimFit();
  readonly #purity = new OutlinePurity();
  readonly #surface = new DiscSurface();
  readonly #wider = new WiderCircle();
  readonly #leastVariance: number;
  readonly #isBrighter: boolean;
  /** Infinite if unknown [gray]. */
  readonly #contrast: number;
  #tests: BallTests;
  readonly #inset: number;
  /** How much speaks for the circle in hand against others at its place. */
  #evidence = 0;
  /** The sector that something hides, of the circle in hand. */
  #hidden = NOTHING_HIDDEN;

  /** @param contrast See `CircleDetectorOptions`. */
  constructor(camera: CameraModel | null, contrast?: number) {
    this.#shape = new OutlineShape(camera);
    this.#leastVariance = leastVarianceOf(contrast);
    this.#isBrighter = contrast !== undefined;
    this.#contrast = contrast ?? Number.POSITIVE_INFINITY;
    this.#inset = contrast === undefined ? 0 : COLOUR_INSET;
    this.#tests = contrast === undefined ? shapeTests : colourTests;
  }

  /** Rounds that fits of outlines have taken so far; the last fit, of what is likely a ball, is not counted. */
  get work(): number {
    return this.#fit.rounds;
  }

  /**
   * Adds the candidate to `out` if it is a circle as demanded, or a larger one of which it is but a part.
   * @param levels Of a region that begins at (left, top) of the image.
   * @param u Of the candidate, in the image, like v and r.
   */
  examine(
    levels: readonly LevelImage[],
    left: number,
    top: number,
    level: number,
    u: number,
    v: number,
    r: number,
    noiseVariance: number,
    demands: CircleDemands,
    out: FoundCircles,
  ): void {
    if (!this.#isBrighter) this.#tests = demands.place === "expected" ? expectedTests : shapeTests;
    const wider = this.#wider;
    wider.isFound = false;
    this.#examineOnce(levels, left, top, level, u, v, r, noiseVariance, demands, this.#isBrighter ? null : wider, out);
    if (!wider.isFound) return;
    const widerLevel = wider.levelOf(level, levels.length);
    const widerU = fromLevel(wider.u, level) + left;
    const widerV = fromLevel(wider.v, level) + top;
    const widerR = wider.r * 2 ** level;
    this.#examineOnce(levels, left, top, widerLevel, widerU, widerV, widerR, noiseVariance, demands, null, out);
  }

  /** @param wider Where a larger circle is looked for that this one may be a part of; null: nowhere. */
  #examineOnce(
    levels: readonly LevelImage[],
    left: number,
    top: number,
    level: number,
    u: number,
    v: number,
    r: number,
    noiseVariance: number,
    demands: CircleDemands,
    wider: WiderCircle | null,
    out: FoundCircles,
  ): void {
    const fit = this.#fit;
    const shape = this.#shape;
    const scale = 2 ** level;
    const noise = levelNoise(noiseVariance, level);
    shape.moveTo(u, v);
    const coarseU = toLevel(u - left, level);
    const coarseV = toLevel(v - top, level);
    const floor = NOISE_WEIGHT * Math.max(noise, this.#leastVariance);
    if (!fit.run(levels[level]!, coarseU, coarseV, r / scale, shape, noise, coarseFit)) return;
    const purity = this.#fitVisible(levels[level]!, scale, noise, floor);
    if (!(this.#purity.visible >= this.#tests.leastVisible) || (this.#isBrighter && !(fit.rise < 0))) return;
    if (!(purity >= demands.leastPurity) || !this.#isPromising(levels[level]!, purity, noise, demands)) return;
    const fine = Math.max(0, level - FINER_LEVELS);
    const fineNoise = levelNoise(noiseVariance, fine);
    const fineU = fromLevel(fit.u, level - fine);
    const fineV = fromLevel(fit.v, level - fine);
    const fineR = fit.r * 2 ** (level - fine);
    if (!fit.run(levels[fine]!, fineU, fineV, fineR, shape, fineNoise, fineFit, this.#hidden)) return;
    const ragged = purity - this.#tests.raggedness * this.#raggedness(fineNoise);
    if (!(ragged >= demands.leastPurity)) return;
    if (wider !== null) {
      const coarser = level - fine;
      const [coarseFitU, coarseFitV] = [toLevel(fit.u, coarser), toLevel(fit.v, coarser)];
      const most = demands.maxRadius / scale;
      wider.search(levels[level]!, coarseFitU, coarseFitV, fit.r / 2 ** coarser, purity, most, shape, floor);
    }
    if (!this.#isBall(levels[fine]!, 2 ** fine, ragged, fineNoise, demands)) return;
    const score = this.#score(purity, 2 ** fine, fineNoise);
    const fullR = fit.r * 2 ** fine;
    const cost = demands.place === "expected" ? radiusCost(fullR, demands.minRadius, demands.maxRadius) : 0;
    this.#evidence = this.#isBrighter ? score : outlineEvidence(fullR, ragged - cost);
    const [foundU, foundV] = [fromLevel(fit.u, fine) + left, fromLevel(fit.v, fine) + top];
    // The rest costs most.
    if (!this.#isBrighter && isOutdone(out, foundU, foundV, fullR, this.#evidence)) return;
    const isWhole = this.#hidden === NOTHING_HIDDEN;
    if (isWhole && this.#refine(levels[fine]!, fineNoise)) {
      if (this.#isOutlinePurer(levels[fine]!, fineNoise)) this.#reportOutline(left, top, fine, fineNoise, score, out);
      else this.#report(left, top, fine, fineNoise, score, out);
    } else if (this.#isBrighter) this.#reportOutline(left, top, fine, fineNoise, score, out);
  }

  /**
   * Purity of the circle that was fitted. Where the ball's colour is known, something may hide a third of it. Then a circle about
   * what is seen is a compromise, and scatters: of the fits without one sector the best replaces it if it is clearly better.
   */
  #fitVisible(image: LevelImage, scale: number, noise: number, floor: number): number {
    const { u, v, r } = this.#fit;
    this.#hidden = NOTHING_HIDDEN;
    const whole = this.#purity.measure(image, u, v, r, this.#shape, floor);
    if (!this.#isBrighter || !(this.#purity.visible === 1) || r * scale < HIDDEN_RADIUS) return whole;
    let best = whole - HIDDEN_RAGGEDNESS * this.#raggedness(noise) + HIDDEN_COST;
    for (let sector = 0; sector < SECTORS; sector++) {
      const purity = this.#fitWithout(sector, image, u, v, r, noise, floor);
      const evidence = purity - HIDDEN_RAGGEDNESS * this.#raggedness(noise);
      if (!(evidence > best)) continue;
      best = evidence;
      this.#hidden = sector;
    }
    const purity = this.#fitWithout(this.#hidden, image, u, v, r, noise, floor);
    return this.#hidden === NOTHING_HIDDEN ? purity : purity - HIDDEN_COST;
  }

  /** Purity of the circle fitted from (u, v, r) on without one sector, which counts as clutter; 0 if there is none. */
  #fitWithout(
    sector: number,
    image: LevelImage,
    u: number,
    v: number,
    r: number,
    noise: number,
    floor: number,
  ): number {
    const fit = this.#fit;
    if (!fit.run(image, u, v, r, this.#shape, noise, coarseFit, sector)) return 0;
    return this.#purity.measure(image, fit.u, fit.v, fit.r, this.#shape, floor, sector);
  }

  /**
   * The last fit, from smaller circles again if the light in what it comes to is less that of a ball than the light well inside the
   * outline: a circle that holds on to an edge of the background beside the ball has some of the background in it. The evenest stays.
   */
  #refine(image: LevelImage, noise: number): boolean {
    const { step } = this.#fit;
    const inside = MOST_OUTER_UNEVENNESS * (this.#surface.residualVariance - noise);
    const usual = Math.max(noise, (USUAL_UNEVENNESS * step) ** 2, Number.isNaN(inside) ? 0 : inside);
    let best = 0;
    let least = Number.POSITIVE_INFINITY;
    for (let n = 0; n < STARTS.length; n++) {
      const left = this.#refineFrom(STARTS[n]!, image, noise);
      if (left <= usual) return this.#unevenness(noise) <= USUAL_UNEVENNESS || this.#widen(STARTS[n]!, image, noise);
      if (left < least) {
        least = left;
        best = STARTS[n]!;
      }
    }
    if (!(least <= Math.max(noise, (this.#tests.mostUnevenness * step) ** 2))) return false;
    this.#refineFrom(best, image, noise);
    return true;
  }

  /**
   * Of a ball with a pattern the rim may have been found where the pattern ends inside: the fit from a larger circle replaces it if its
   * outline is purer. True, as one of them is found.
   */
  #widen(start: number, image: LevelImage, noise: number): true {
    const own = this.#rimPurity(image, noise);
    const isWider = Number.isFinite(this.#refineFrom(WIDE_START, image, noise)) && this.#rimPurity(image, noise) > own;
    if (!isWider) this.#refineFrom(start, image, noise);
    return true;
  }

  #rimPurity(image: LevelImage, noise: number): number {
    const { u, v, r } = this.#rim;
    return this.#purity.measure(image, u, v, r, this.#shape, NOISE_WEIGHT * noise);
  }

  /** Variance beyond the noise that the light of a ball leaves inside what the last fit comes to; infinite if to nothing. */
  #refineFrom(start: number, image: LevelImage, noise: number): number {
    const { u, v, r } = this.#fit;
    const isFound = this.#rim.run(image, u, v, start * r, this.#shape, noise) && this.#isNearOutline();
    return isFound ? this.#rim.residualVariance - noise : Number.POSITIVE_INFINITY;
  }

  /** Whether the rim is that of the outline: not of a highlight inside and, where the border cuts a part off, the same circle. */
  #isNearOutline(): boolean {
    const { u, v, r, visible } = this.#fit;
    const rim = this.#rim;
    if (visible === 1) return rim.r >= LEAST_RIM * r;
    return Math.hypot(rim.u - u, rim.v - v) <= MOST_CUT_SHIFT * r && Math.abs(rim.r - r) <= MOST_CUT_SHIFT * r;
  }

  /** Whether the fit on the level where it was found may be that of a ball: most clutter ends here, before the dear part. */
  #isPromising(image: LevelImage, purity: number, noise: number, demands: CircleDemands): boolean {
    const cost = this.#tests.coarseRaggedness * this.#raggedness(noise);
    return purity - cost >= COARSE_PURITY * demands.leastPurity && this.#isEven(image, noise);
  }

  /** Scatter of the edge about the circle, as a part of the radius, beyond what noise makes of an edge of its height. */
  #raggedness(noise: number): number {
    const { spread, step, r } = this.#fit;
    return Math.sqrt(Math.max(0, spread * spread - (EDGE_NOISE * EDGE_NOISE * noise) / (step * step))) / r;
  }

  /** Whether the light inside is that on a ball. */
  #isEven(image: LevelImage, noise: number): boolean {
    const { step, rise } = this.#fit;
    this.#surface.fit(image, this.#fit, this.#shape, LIGHT_REACH, noise, this.#hidden);
    const { residualVariance } = this.#surface;
    // Of a ball that the border cuts there may be too little: then it must have the full contrast at its outline.
    if (Number.isNaN(residualVariance)) return rise <= -0.5 * this.#contrast;
    return residualVariance - noise <= (this.#tests.mostUnevenness * step) ** 2;
  }

  /**
   * Whether the fit, on an image whose pixels are `scale` wide, is of a radius asked for, round, clear and even.
   * @param ragged Its purity, less what scatter costs.
   */
  #isBall(image: LevelImage, scale: number, ragged: number, noise: number, demands: CircleDemands): boolean {
    const fit = this.#fit;
    const r = fit.r * scale + this.#inset;
    if (!(r >= RADIUS_TOLERANCE * demands.minRadius && r <= demands.maxRadius / RADIUS_TOLERANCE)) return false;
    if (!(fit.support >= LEAST_SUPPORT && fit.ellipticity < MOST_ELLIPTICITY)) return false;
    if (!this.#isEven(image, noise)) return false;
    const cost = unevennessCost(this.#unevenness(noise), this.#raggedness(noise), this.#tests);
    return ragged - cost >= demands.leastPurity;
  }

  /**
   * How surely a circle that passed all tests is a ball, 0 to 1: its purity, less what a ragged outline, a pattern inside and
   * the few pixels of a small outline take from it. A disc that is saturated is rather a lamp: of its light nothing is known.
   */
  #score(purity: number, scale: number, noise: number): number {
    const { r, rise } = this.#fit;
    const pattern = (this.#isBrighter ? 1 : PATTERN_COST) * this.#unevenness(noise);
    const cost = this.#tests.raggedness * this.#raggedness(noise) + pattern + CHANCE / (r * scale);
    const share = this.#isBrighter ? contrastShare(rise, this.#contrast) : 1 - LAMP_COST * this.#surface.glare;
    return Math.max(0, purity - cost) * share;
  }

  /** What the light of a ball leaves inside, relative to the step at the outline; usual where too little is seen. */
  #unevenness(noise: number): number {
    const { residualVariance } = this.#surface;
    if (Number.isNaN(residualVariance)) return USUAL_UNEVENNESS;
    return Math.sqrt(Math.max(0, residualVariance - noise)) / this.#fit.step;
  }

  /** The outline as it was fitted, where the light up to the rim could not be, or misled. */
  #reportOutline(left: number, top: number, level: number, noise: number, score: number, out: FoundCircles): void {
    const { u, v, r } = this.#fit;
    const scale = 2 ** level;
    const covariance = this.#fit.covariance(this.#rim.covariance);
    this.#scaleCovariance(covariance, scale, noise, "unbounded");
    // How far inside the outline the colour ends is uncertain.
    covariance[8] = covariance[8]! + this.#inset ** 2 / 4;
    const full = r * scale + this.#inset;
    const evidence = this.#evidence;
    insertCircle(out, fromLevel(u, level) + left, fromLevel(v, level) + top, full, score, evidence, covariance);
  }

  #report(left: number, top: number, level: number, noise: number, score: number, out: FoundCircles): void {
    const { u, v, r, covariance } = this.#rim;
    const scale = 2 ** level;
    this.#scaleCovariance(covariance, scale, noise, "bounded");
    const variance = this.#disagreement(noise) * scale * scale;
    for (let i = 0; i < covariance.length; i += CIRCLE_SIZE + 1) covariance[i] = covariance[i]! + variance;
    const evidence = this.#evidence;
    insertCircle(out, fromLevel(u, level) + left, fromLevel(v, level) + top, r * scale, score, evidence, covariance);
  }

  /**
   * Whether the rim has been drawn inside the outline by a pattern, panels of two tones above all: the light that the rim's fit knows is
   * that of one tone. Then the plain outline has the purer edge, and is larger. One that is purer but not larger may as well follow the
   * lit side of a shaded ball: the less of a pattern there is, the purer it must be.
   */
  #isOutlinePurer(image: LevelImage, noise: number): boolean {
    const unevenness = this.#unevenness(noise);
    if (this.#isBrighter || !(unevenness > PATTERNED)) return false;
    const { u, v, r } = this.#fit;
    const own = this.#rimPurity(image, noise);
    const gain = this.#purity.measure(image, u, v, r, this.#shape, NOISE_WEIGHT * noise) - own;
    return gain > PURER / unevenness || (gain > 0 && r - this.#rim.r > SHRUNK * r);
  }

  /** Variance by which rim and outline of a ball with a pattern differ: it misleads one of them [px²]. */
  #disagreement(noise: number): number {
    if (this.#isBrighter || !(this.#unevenness(noise) > PATTERNED)) return 0;
    const { u, v, r } = this.#fit;
    const rim = this.#rim;
    return ((u - rim.u) ** 2 + (v - rim.v) ** 2 + (r - rim.r) ** 2) / 4;
  }

  #scaleCovariance(covariance: Float64Array, scale: number, noise: number, limit: LightError["limit"]): void {
    const r = this.#fit.r * scale;
    const cut = (1 - this.#purity.visible) * r;
    const channel = this.#isBrighter ? "colour" : "gray";
    scaleCovariance(covariance, scale, { light: this.#unevenness(noise) * r, cut, channel, limit });
  }
}

/** Radii a little outside the range are let pass: a measured radius has an error. */
const RADIUS_TOLERANCE = 0.9;
/** Standard deviation of an edge's place [px] for a noise of a tenth of its height, times ten. */
const EDGE_NOISE = 2;
/** Part of the least purity that must be left on the level where a circle was found. */
const COARSE_PURITY = 0.85;
/** An outline that can be seen only on a coarse level is one of the wall's texture. */
const LEAST_SUPPORT = 0.22;
/** Portraits and lamps seen from the side are ovals. */
const MOST_ELLIPTICITY = 0.12;
/** Beyond this, a pattern may mislead the rim; it is then smaller than the outline by so much of the radius, or less pure by so much. */
const PATTERNED = 0.1;
const PURER = 0.01;
const SHRUNK = 0.03;
/** Beyond this, other circles are tried. */
const USUAL_UNEVENNESS = 0.03;
/** Variance that the light leaves up to the rim against that it leaves well inside: a print is all over the ball. */
const MOST_OUTER_UNEVENNESS = 2;
/** A rim far inside the outline is another one: that of a highlight. As a part of its radius. */
const LEAST_RIM = 0.75;
/** The same for a circle that the border cuts, for centre and radius. */
const MOST_CUT_SHIFT = 0.15;
/** Purity that scatter costs where a hidden sector is looked for, for each part of the radius; and that a hidden sector costs. */
const HIDDEN_RAGGEDNESS = 5;
const HIDDEN_COST = 0.1;
/** Of smaller outlines a third is too few pixels to tell [px]. */
const HIDDEN_RADIUS = 8;
/** Score that a pattern inside costs where shape alone decides, for each part of the step: of discs with a pattern few are balls. */
const PATTERN_COST = 2;
/** Part of the score that a disc loses that glares all over. */
const LAMP_COST = 0.8;
/** Evidence that an outline of one pixel's radius lacks against a large one: chance makes small circles [px]. */
const CHANCE = 0.5;
/** How far inside the outline the steepest slope of a colour lies: colours are sampled every second pixel, and smoothed [px]. */
const COLOUR_INSET = 1.25;
