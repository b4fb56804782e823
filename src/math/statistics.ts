/**
 * The p-quantile of numbers in rising order, interpolated linearly between neighbours (type 7 of Hyndman & Fan, as
 * NumPy and R have it). NaN for no numbers or p outside [0, 1].
 * @example quantile(Float64Array.of(1, 2, 4), 0.5) // 2
 */
export function quantile(sorted: Float64Array, p: number): number {
  const last = sorted.length - 1;
  if (!(p >= 0 && p <= 1) || last < 0) return Number.NaN;
  const position = p * last;
  const below = Math.floor(position);
  const low = sorted[below]!;
  const fraction = position - below;
  // Without the guard, a neighbour at Infinity would turn an exact hit into NaN.
  return fraction === 0 ? low : low + fraction * (sorted[below + 1]! - low);
}

/** Several quantiles of numbers in any order, which are left as they are. */
export function quantiles(values: ArrayLike<number>, ps: readonly number[]): number[] {
  const sorted = Float64Array.from(values).sort();
  return ps.map((p) => quantile(sorted, p));
}

/** Two-sided 95 % of the standard normal. */
const Z_95 = 1.959963984540054;

/**
 * Confidence interval of a success rate (Wilson, 1927): honest also near 0 and 1 and for few trials.
 * @param z half width in standard deviations; 95 % by default
 */
export function wilsonInterval(successes: number, trials: number, z = Z_95): { low: number; high: number } {
  if (trials === 0) return { low: 0, high: 1 };
  const rate = successes / trials;
  const z2 = z * z;
  const centre = (successes + z2 / 2) / (trials + z2);
  const half = (z / (trials + z2)) * Math.sqrt(trials * rate * (1 - rate) + z2 / 4);
  return { low: Math.max(0, centre - half), high: Math.min(1, centre + half) };
}
