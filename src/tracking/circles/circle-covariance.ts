import { CIRCLE_SIZE } from "./circle-set.js";

/**
 * Light that is not a ball's, a part of the step at the outline, moves the outline by about that part of the radius, and by this
 * [px]: so large the error may be, and in a colour it is, because colours are sampled coarsely and shading is stronger in them.
 */
const SHAPE_ERROR = 0.5;
const COLOUR_ERROR = 1;
/** A circle that the border cuts may as well be a larger one of which more is cut: error for each part of the outline. */
const CUT_ERROR = 0.3;

/** What the light inside a circle says about its error. */
export interface LightError {
  /** What the light of a ball leaves, as a part of the step, times the radius [px]. */
  readonly light: number;
  /** Part of the outline that is not on the image, times the radius [px]. */
  readonly cut: number;
  /** What the circle was found in. */
  readonly channel: "gray" | "colour";
  /** Whether a fit's covariance may be larger than such an error: that of an outline without its light may, and errs by some of it anyway. */
  readonly limit: "bounded" | "unbounded";
}

/** Scales a covariance of (u, v, r) to pixels `scale` times as small, with the error that light which is not a ball's can make. */
export function scaleCovariance(covariance: Float64Array, scale: number, error: LightError): void {
  const { light, cut, channel, limit } = error;
  const bound = light * light + (channel === "colour" ? COLOUR_ERROR : SHAPE_ERROR) ** 2;
  const variance = 0.5 * (covariance[0]! + covariance[4]!) * scale * scale;
  const factor = scale * scale * (limit === "bounded" && variance > bound ? bound / variance : 1);
  for (let i = 0; i < covariance.length; i++) covariance[i] = factor * covariance[i]!;
  const own = limit === "unbounded" ? SHAPE_ERROR ** 2 : 0;
  const added = (channel === "colour" ? bound : own) + (CUT_ERROR * cut) ** 2;
  for (let i = 0; i < covariance.length; i += CIRCLE_SIZE + 1) covariance[i] = covariance[i]! + added;
}
