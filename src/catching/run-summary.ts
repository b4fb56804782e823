import { quantiles, wilsonInterval } from "../math/statistics.js";
import type { HoldOutcome } from "../simulation/catch-world.js";
import type { ErrorSplit } from "../simulation/grasp-evaluator.js";
import type { GeometricVerdict } from "../simulation/verdict.js";

/** What became of one throw. All times in seconds from the ball's release. */
export interface ThrowResult {
  readonly id: number;
  /** Where it was aimed, in the world [m]; when it would have been there; how fast it left [m/s]. */
  readonly aim: readonly number[];
  readonly flightTime: number;
  readonly speed: number;
  /** Group of the arm that closed its hand about it; null if none did. */
  readonly arm: string | null;
  /** `no-plan`: no motion of the arm was found, or taken over, that would catch it. */
  readonly outcome: "caught" | "missed" | "no-plan";
  /** Why, unless it was caught. */
  readonly reason: string | null;
  /** When the first motion began and when the hand closed about the ball; null without a plan. */
  readonly reactionTime: number | null;
  readonly catchTime: number | null;
  /** The geometric gate, and what physics says, which then decides; null without a grasp, or in a world without forces. */
  readonly verdict: GeometricVerdict | null;
  readonly hold: HoldOutcome | null;
  /** Where the hand's error comes from; null without a grasp. */
  readonly errors: ErrorSplit | null;
  /** Objective of the first plan and of the one that was executed to its end; null without one. */
  readonly firstObjective: number | null;
  readonly objective: number | null;
  /** Global searches, plans taken over after the first, replans without a solution, plans that control refused. */
  readonly searches: number;
  readonly replans: number;
  readonly unsolved: number;
  readonly refused: number;
}

/** A share with its 95 % confidence interval (Wilson). */
export interface Rate {
  readonly count: number;
  readonly of: number;
  /** null of nothing. */
  readonly rate: number | null;
  readonly low: number;
  readonly high: number;
}

export interface RunSummary {
  readonly throws: number;
  /** Throws for which a plan was found, of all; throws caught, of those and of all. */
  readonly reachable: Rate;
  readonly caughtOfReachable: Rate;
  readonly caughtOfAll: Rate;
  /** Throws that passed the geometric gate, of the reachable. */
  readonly gateOfReachable: Rate;
  /** How many throws ended how, by physics; empty without it. */
  readonly holds: Readonly<Partial<Record<HoldOutcome, number>>>;
  /**
   * Distance from hand to the ball's line and magnitude of the timing error, over all grasps; null if there was none.
   */
  readonly lateralMm: Quantiles | null;
  readonly timingMs: Quantiles | null;
  readonly replans: number;
  readonly unsolved: number;
  readonly refused: number;
}

export interface Quantiles {
  readonly p50: number;
  readonly p95: number;
  readonly max: number;
}

export function summarize(results: readonly ThrowResult[]): RunSummary {
  const planned = results.filter(({ outcome }) => outcome !== "no-plan");
  const caught = results.filter(({ outcome }) => outcome === "caught").length;
  const verdicts = planned.flatMap(({ verdict }) => (verdict === null ? [] : [verdict]));
  const sum = (pick: (result: ThrowResult) => number): number =>
    results.reduce((total, result) => total + pick(result), 0);
  return {
    throws: results.length,
    reachable: rateOf(planned.length, results.length),
    caughtOfReachable: rateOf(caught, planned.length),
    caughtOfAll: rateOf(caught, results.length),
    gateOfReachable: rateOf(verdicts.filter((verdict) => verdict.caught).length, planned.length),
    holds: countHolds(planned),
    lateralMm: spread(verdicts.map(({ lateral }) => 1e3 * lateral)),
    timingMs: spread(verdicts.map(({ timing }) => 1e3 * Math.abs(timing))),
    replans: sum(({ replans }) => replans),
    unsolved: sum(({ unsolved }) => unsolved),
    refused: sum(({ refused }) => refused),
  };
}

function countHolds(results: readonly ThrowResult[]): Partial<Record<HoldOutcome, number>> {
  const holds: Partial<Record<HoldOutcome, number>> = {};
  for (const { hold } of results) if (hold !== null) holds[hold] = (holds[hold] ?? 0) + 1;
  return holds;
}

export function rateOf(count: number, of: number): Rate {
  return { count, of, rate: of === 0 ? null : count / of, ...wilsonInterval(count, of) };
}

export function spread(values: readonly number[]): Quantiles | null {
  if (values.length === 0) return null;
  const [p50, p95, max] = quantiles(values, [0.5, 0.95, 1]) as [number, number, number];
  return { p50, p95, max };
}
