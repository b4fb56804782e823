/** How regularly a robot reports its state [ms]. */
export interface StateTiming {
  readonly states: number;
  /** States per second, by the robot's own stamps. */
  readonly rateHz: number;
  /** Between two stamps: median, and how far one lies from it. */
  readonly periodMs: number;
  readonly jitterMs: { readonly p50: number; readonly p99: number; readonly max: number };
  /** Longest time between two arrivals. */
  readonly longestGapMs: number;
  /** Of all periods: without a state. */
  readonly lostShare: number;
}

/** Fewer states say nothing. */
const LEAST_STATES = 20;

/** Timing of states by when they were measured, and when they came [s]; null for too few. */
export function stateTiming(stamps: readonly number[], arrivals: readonly number[]): StateTiming | null {
  if (stamps.length < LEAST_STATES) return null;
  const periods = differences(stamps);
  const gaps = differences(arrivals).sort(ascending);
  const period = quantile([...periods].sort(ascending), 0.5);
  const jitter = differences(arrivals)
    .map((gap) => Math.abs(gap - period))
    .sort(ascending);
  const duration = stamps.at(-1)! - stamps[0]!;
  const expected = Math.round(duration / period) + 1;
  return {
    states: stamps.length,
    rateHz: (stamps.length - 1) / duration,
    periodMs: 1e3 * period,
    jitterMs: { p50: 1e3 * quantile(jitter, 0.5), p99: 1e3 * quantile(jitter, 0.99), max: 1e3 * jitter.at(-1)! },
    longestGapMs: 1e3 * gaps.at(-1)!,
    lostShare: Math.max(0, 1 - stamps.length / expected),
  };
}

function differences(values: readonly number[]): number[] {
  return values.slice(1).map((value, k) => value - values[k]!);
}

function ascending(a: number, b: number): number {
  return a - b;
}

/** By nearest rank. */
function quantile(sorted: readonly number[], p: number): number {
  return sorted[Math.max(0, Math.ceil(p * sorted.length) - 1)] ?? Number.NaN;
}
