/**
 * How much a residual counts: plain squares; Huber's, which grows linearly beyond `scale` standard deviations; or Cauchy's,
 * which hardly grows at all and so ignores what is far off.
 */
export interface RobustLoss {
  readonly kind: "squares" | "huber" | "cauchy";
  /** Where it leaves the parabola, in standard deviations; without meaning for `squares`. */
  readonly scale: number;
}

export const squares: RobustLoss = { kind: "squares", scale: 1 };

/** Loss of a squared whitened residual s: s itself for plain squares. */
export function lossOf({ kind, scale }: RobustLoss, s: number): number {
  const limit = scale * scale;
  if (kind === "huber") return s <= limit ? s : 2 * scale * Math.sqrt(s) - limit;
  return kind === "cauchy" ? limit * Math.log1p(s / limit) : s;
}

/** Derivative of the loss by s: the weight of the residual in reweighted least squares. */
export function weightOf({ kind, scale }: RobustLoss, s: number): number {
  const limit = scale * scale;
  if (kind === "huber") return s <= limit ? 1 : scale / Math.sqrt(s);
  return kind === "cauchy" ? limit / (limit + s) : 1;
}
