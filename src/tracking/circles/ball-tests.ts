import { UNSEEN_PURITY } from "./outline-purity.js";

/** What a circle must hold to be taken for a ball. */
export interface BallTests {
  /** Purity that the edge's scatter about the circle costs, for each part of the radius: chance arcs scatter. */
  readonly raggedness: number;
  /** The same on the level where a circle was found. */
  readonly coarseRaggedness: number;
  /** What a smooth surface may leave inside, relative to the step at the outline. */
  readonly mostUnevenness: number;
  /** Purity that each part of it beyond the usual costs: a pattern inside takes a purer outline. */
  readonly unevenness: number;
  /** Part of the outline that must lie on the image. */
  readonly leastVisible: number;
}

/**
 * Where nothing is known of the ball's colour, shape alone decides, and of it the outline: prints and seams leave up to 0.5 of the
 * step inside, a plain ball 0.02. The hands of a clock leave 0.2: it passes, too, and the tracker finds that it does not fly.
 */
export const shapeTests: BallTests = {
  raggedness: 3.5,
  coarseRaggedness: 2,
  mostUnevenness: 0.5,
  unevenness: 1,
  leastVisible: 0.5,
};
/** The same where a ball is expected: a clock is hardly there by chance, and a bold print costs little. */
export const expectedTests: BallTests = { ...shapeTests, mostUnevenness: 0.6, unevenness: 0.25 };
/** A bright disc in a projection learnt from the ball's colour is likely to be one: prints, highlights and a ragged rim are allowed. */
export const colourTests: BallTests = {
  raggedness: 1,
  coarseRaggedness: 1,
  mostUnevenness: 0.3,
  unevenness: 0,
  leastVisible: 0.2,
};

/** Unevenness that costs nothing: shading, noise and small highlights leave it. */
const FREE_UNEVENNESS = 0.06;

/**
 * Scatter of the edge, as a part of the radius, from which on a pattern inside costs in full: chance arcs scatter by 0.03 to 0.08, the
 * outline of a ball by 0.01 to 0.02, however much of it is to be seen.
 */
const DOUBTFUL_RAGGEDNESS = 0.03;

/** Purity that what is not a ball's light costs: the less, the less the outline scatters. */
export function unevennessCost(unevenness: number, raggedness: number, tests: BallTests): number {
  const doubt = Math.min(1, raggedness / DOUBTFUL_RAGGEDNESS);
  return doubt * tests.unevenness * Math.max(0, unevenness - FREE_UNEVENNESS);
}

/** How much speaks for an outline: the evidence of each of its pixels adds up, and that of clutter is none. */
export function outlineEvidence(radius: number, purity: number): number {
  return radius * (purity - UNSEEN_PURITY);
}

/** Where a ball is expected, purity that this deviation from the expected radius costs. */
const RADIUS_COST = 0.1;
const RADIUS_DEVIATION = 0.1;

/** Purity that a radius costs a circle that competes with others where one between these is expected: a panel is smaller than its ball. */
export function radiusCost(r: number, minRadius: number, maxRadius: number): number {
  const expected = (minRadius + maxRadius) / 2;
  return RADIUS_COST * ((r - expected) / (RADIUS_DEVIATION * expected)) ** 2;
}

/** Part of a known contrast that is compared with an outline's step as noise is. */
const CONTRAST_FLOOR = 1 / 18;

/** Variance that an outline's contrast is compared with, beside the noise's [gray²]. */
export function leastVarianceOf(contrast: number | undefined): number {
  return contrast === undefined ? 0 : (CONTRAST_FLOOR * contrast) ** 2;
}

/** Part of the known contrast at which a step counts half. */
const HALF_SHARE = 0.5;

/** How much of a known contrast a step has, 0 to 1. */
export function contrastShare(step: number, contrast: number): number {
  return (step * step) / (step * step + (HALF_SHARE * contrast) ** 2);
}
