import { quantiles, wilsonInterval } from "../math/statistics.js";
import type { Quantiles, Rate, RunSummary } from "../messages/session.js";
import type { ThrowOutcome } from "../messages/world.js";
import type { JsonOf } from "../transport/message-json.js";

/** What became of one throw, as plain data. All times in seconds from the ball's release. */
export type ThrowResult = JsonOf<typeof ThrowOutcome>;

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

function countHolds(results: readonly ThrowResult[]): Record<string, number> {
  const holds: Record<string, number> = {};
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
