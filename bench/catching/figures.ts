import type { ThrowResult } from "../../src/catching/run-summary.js";
import { quantiles } from "../../src/math/statistics.js";
import type { Metrics } from "../harness.js";

/** Of a one-sided bound of 95 %. */
const Z = 1.6448536269514722;

/** One-sided lower bound of a share at 95 % (Wilson). */
export function wilsonLow(count: number, of: number): number {
  if (of === 0) return 0;
  const p = count / of;
  const square = (Z * Z) / of;
  return (p + square / 2 - Z * Math.sqrt((p * (1 - p)) / of + square / (4 * of))) / (1 + square);
}

/** The errors at the catch, of the throws that a hand closed about. */
export function errorFigures(results: readonly ThrowResult[]): Metrics {
  const grasped = results.filter(({ verdict }) => verdict !== null && Number.isFinite(verdict.lateral));
  if (grasped.length === 0) return {};
  const of = (pick: (result: ThrowResult) => number, at: number): number => quantiles(grasped.map(pick), [at])[0]!;
  const lateral = ({ verdict }: ThrowResult) => 100 * verdict!.lateral;
  const timing = ({ verdict }: ThrowResult) => 1e3 * Math.abs(verdict!.timing);
  return {
    hand_error_cm_p50: of(lateral, 0.5),
    hand_error_cm_p95: of(lateral, 0.95),
    grasp_time_error_ms_p50: of(timing, 0.5),
    grasp_time_error_ms_p95: of(timing, 0.95),
    prediction_mm_p50: of(({ errors }) => 1e3 * (errors?.prediction ?? Number.NaN), 0.5),
    servo_mm_p50: of(({ errors }) => 1e3 * (errors?.servo ?? Number.NaN), 0.5),
    calibration_mm_p50: of(({ errors }) => 1e3 * (errors?.calibration ?? Number.NaN), 0.5),
    timing_ms_p50: of(timing, 0.5),
  };
}

/** How often each cause made a miss. */
export function missCauses(results: readonly ThrowResult[]): Metrics {
  const counts: Record<string, number> = {};
  for (const result of results) {
    if (result.outcome === "caught") continue;
    const name = `miss_cause_${causeOf(result)}`;
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

/** What went wrong first, in a word. */
function causeOf({ outcome, reason, hold, verdict }: ThrowResult): string {
  if (outcome === "no-plan") return reason === "never seen" ? "never_seen" : planCause(reason ?? "");
  if (reason?.includes("monitor")) return "braked";
  if (verdict !== null && !verdict.caught) return verdict.misses[0]?.replaceAll(" ", "_") ?? "gate";
  return (hold ?? "unknown").replaceAll(" ", "_");
}

function planCause(reason: string): string {
  if (reason.startsWith("too fast")) return "too_late";
  if (reason.startsWith("out of reach")) return "out_of_reach";
  if (reason.includes("touch")) return "in_the_way";
  if (reason.includes("monitor")) return "braked";
  return "no_plan";
}
