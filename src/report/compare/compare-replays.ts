import { Random } from "../../math/random.js";
import { quantile, wilsonInterval } from "../../math/statistics.js";
import { FlycatcherError } from "../../runtime/errors.js";
import { earlyError, replanCount, timingError } from "../replay-report.js";
import type { ReplayReport, ThrowReport } from "../report-types.js";

/** A number of a throw; null where it has none. */
interface Quantity {
  readonly words: string;
  readonly unit: string;
  /** From the report's unit to that of the words. */
  readonly factor: number;
  readonly of: (thrown: ThrowReport) => number | null;
}

/** What two replays are compared by; less is better for all. */
export const comparedQuantities = {
  lateral: { words: "hand off the ball's line", unit: "mm", factor: 1e3, of: ({ verdict }) => verdict.lateral },
  timing: { words: "error of the grasp time", unit: "ms", factor: 1e3, of: timingError },
  prediction: { words: "error of predictions 0.3 s ahead", unit: "mm", factor: 1e3, of: earlyError },
  reaction: { words: "from first sight to first plan", unit: "ms", factor: 1e3, of: ({ reaction }) => reaction },
  objective: { words: "objective of the last plan", unit: "", factor: 1, of: lastObjective },
  replans: { words: "replans", unit: "", factor: 1, of: replanCount },
} as const satisfies Record<string, Quantity>;
export type ComparedQuantity = keyof typeof comparedQuantities;

/** A throw in both replays. */
export interface ThrowPair {
  readonly file: string;
  readonly ball: number;
  readonly a: ThrowReport;
  readonly b: ThrowReport;
  /** Whether b did better: caught what a did not, or the other way round. */
  readonly change: "better" | "worse" | "equal";
}

/** The mean difference b − a over the throws that have it in both, with its 95 % confidence interval. */
export interface QuantityComparison {
  readonly quantity: ComparedQuantity;
  readonly pairs: number;
  readonly meanA: number;
  readonly meanB: number;
  readonly difference: number;
  readonly low: number;
  readonly high: number;
  /** By the interval: `equal` where it holds zero. */
  readonly change: "better" | "worse" | "equal";
}

export interface Comparison {
  readonly a: { readonly name: string; readonly settings: ReplayReport["settings"] };
  readonly b: { readonly name: string; readonly settings: ReplayReport["settings"] };
  readonly throws: number;
  /** Throws that only one of them has. */
  readonly onlyA: readonly string[];
  readonly onlyB: readonly string[];
  readonly caught: {
    readonly a: number;
    readonly b: number;
    /** Caught by one alone. */
    readonly gained: number;
    readonly lost: number;
    /** Share b − a, with the 95 % interval of Newcombe's method for pairs, and the exact probability of McNemar's test. */
    readonly difference: number;
    readonly low: number;
    readonly high: number;
    readonly probability: number;
  };
  readonly quantities: readonly QuantityComparison[];
  readonly pairs: readonly ThrowPair[];
}

/** Resamples of the bootstrap. */
const RESAMPLES = 4000;

/**
 * Two replays of the same recordings, throw by throw. Catches: McNemar's exact test of those that only one of them made,
 * and Newcombe's interval of the difference of paired shares. Quantities: mean difference with a percentile bootstrap over
 * throws, seeded, so that the same replays always give the same answer.
 */
export function compareReplays(a: ReplayReport, b: ReplayReport, names: readonly [string, string]): Comparison {
  const pairs = pairsOf(a, b);
  if (pairs.length === 0) {
    throw new FlycatcherError("FLY_COMPARE_INPUT", "the two replays have no throw in common", {
      expected: "replays of the same recordings",
      found: `${throwsOf(a).size} and ${throwsOf(b).size} throws`,
    });
  }
  return {
    a: { name: names[0], settings: a.settings },
    b: { name: names[1], settings: b.settings },
    throws: pairs.length,
    onlyA: missing(throwsOf(a), throwsOf(b)),
    onlyB: missing(throwsOf(b), throwsOf(a)),
    caught: compareCatches(pairs),
    quantities: (Object.keys(comparedQuantities) as ComparedQuantity[]).flatMap((quantity) =>
      compareQuantity(quantity, pairs),
    ),
    pairs,
  };
}

function throwsOf({ files }: ReplayReport): Map<string, ThrowReport> {
  return new Map(
    files.flatMap(({ file, throws }) => throws.map((thrown) => [`${file} ball ${thrown.ball}`, thrown] as const)),
  );
}

function missing(here: ReadonlyMap<string, unknown>, there: ReadonlyMap<string, unknown>): string[] {
  return Array.from(here.keys()).filter((key) => !there.has(key));
}

function pairsOf(a: ReplayReport, b: ReplayReport): ThrowPair[] {
  const others = throwsOf(b);
  return Array.from(throwsOf(a)).flatMap(([key, first]) => {
    const second = others.get(key);
    if (second === undefined) return [];
    const gain = Number(isCaught(second)) - Number(isCaught(first));
    const change = gain > 0 ? "better" : gain < 0 ? "worse" : "equal";
    return [{ file: first.file, ball: first.ball, a: first, b: second, change } as const];
  });
}

function isCaught({ verdict }: ThrowReport): boolean {
  return verdict.outcome === "caught";
}

function compareCatches(pairs: readonly ThrowPair[]): Comparison["caught"] {
  const a = pairs.filter((pair) => isCaught(pair.a)).length;
  const b = pairs.filter((pair) => isCaught(pair.b)).length;
  const gained = pairs.filter(({ change }) => change === "better").length;
  const lost = pairs.filter(({ change }) => change === "worse").length;
  return {
    a,
    b,
    gained,
    lost,
    ...pairedDifference(pairs.length, a, b, gained, lost),
    probability: mcNemar(gained, lost),
  };
}

/**
 * Difference b − a of two shares of the same n trials, with Newcombe's interval (1998, method 10): Wilson intervals of
 * both, put together with the correlation of the pairs.
 */
export function pairedDifference(n: number, a: number, b: number, gained: number, lost: number) {
  const [shareA, shareB] = [a / n, b / n];
  const [intervalA, intervalB] = [wilsonInterval(a, n), wilsonInterval(b, n)];
  const both = a - lost;
  const neither = n - both - gained - lost;
  const product = a * (n - a) * b * (n - b);
  const phi = product === 0 ? 0 : (both * neither - gained * lost) / Math.sqrt(product);
  const width = (x: number, y: number) => Math.sqrt(Math.max(0, x * x - 2 * phi * x * y + y * y));
  const difference = shareB - shareA;
  return {
    difference,
    low: difference - width(shareB - intervalB.low, intervalA.high - shareA),
    high: difference + width(intervalB.high - shareB, shareA - intervalA.low),
  };
}

/** Two-sided exact probability of so uneven a split, or a more uneven one, if both were equally good. */
export function mcNemar(gained: number, lost: number): number {
  const n = gained + lost;
  const least = Math.min(gained, lost);
  let term = 2 ** -n;
  let sum = 0;
  for (let k = 0; k <= least; k++) {
    sum += term;
    term *= (n - k) / (k + 1);
  }
  return Math.min(1, 2 * sum);
}

function lastObjective({ plans }: ThrowReport): number | null {
  return plans.findLast(({ handover }) => handover === "accepted")?.objective ?? null;
}

function compareQuantity(quantity: ComparedQuantity, pairs: readonly ThrowPair[]): QuantityComparison[] {
  const { of } = comparedQuantities[quantity];
  const values = pairs.flatMap(({ a, b }) => {
    const [first, second] = [of(a), of(b)];
    return first === null || second === null ? [] : [[first, second] as const];
  });
  if (values.length === 0) return [];
  const meanA = mean(values.map(([a]) => a));
  const meanB = mean(values.map(([, b]) => b));
  const differences = values.map(([a, b]) => b - a);
  const [low, high] = bootstrap(differences, quantity);
  const change = high < 0 ? "better" : low > 0 ? "worse" : "equal";
  return [{ quantity, pairs: values.length, meanA, meanB, difference: mean(differences), low, high, change }];
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** 95 % interval of a mean, by drawing throws anew with replacement. */
export function bootstrap(differences: readonly number[], seed: string): [low: number, high: number] {
  const random = new Random(seed).fork("bootstrap");
  const n = differences.length;
  const means = Float64Array.from({ length: RESAMPLES }, () => {
    let sum = 0;
    for (let k = 0; k < n; k++) sum += differences[Math.min(n - 1, Math.floor(n * random.uniform()))]!;
    return sum / n;
  }).sort();
  return [quantile(means, 0.025), quantile(means, 0.975)];
}
