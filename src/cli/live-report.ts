import type { ThrowResult } from "../catching/run-summary.js";
import { quantiles } from "../math/statistics.js";
import type { RunSummary } from "../messages/session.js";
import type { PlannerTimings } from "../planning/arm/timed-planner.js";
import type { FalseAlarm } from "../run/throw-record.js";
import { colour } from "../runtime/colours.js";
import { colourOutcome, formatQuantiles, formatRate, formatRows } from "./terminal.js";

/** How long planning took on this machine [ms]: for information, different in every run. */
export interface WallClock {
  readonly coldMs: PlanningTimes | null;
  readonly fruitlessMs: PlanningTimes | null;
  readonly warmMs: PlanningTimes | null;
}

interface PlanningTimes {
  readonly p50: number;
  readonly p99: number;
}

export function wallClockOf({ coldMs, fruitlessMs, warmMs }: PlannerTimings): WallClock {
  return {
    coldMs: planningTimes(coldMs),
    fruitlessMs: planningTimes(fruitlessMs),
    warmMs: planningTimes(warmMs),
  };
}

function planningTimes(values: readonly number[]): PlanningTimes | null {
  if (values.length === 0) return null;
  const [p50, p99] = quantiles(values, [0.5, 0.99]) as [number, number];
  return { p50, p99 };
}

/** One line a throw. */
export function formatThrow(result: ThrowResult): string {
  const name = `throw ${String(result.id).padStart(3)}`;
  const { verdict, catchTime, objective } = result;
  if (verdict === null || catchTime === null) return `${name}  ${colourOutcome("no plan")}  ${result.reason}`;
  const error = result.outcome === "caught" ? millimetres(verdict.lateral) : centimetres(verdict.lateral);
  const parts = [
    name,
    colourOutcome(result.outcome.padEnd(7)),
    ...(result.hold === null ? [] : [`gate ${verdict.caught ? "passed" : "missed"}`]),
    `off by ${error} ${signed(1e3 * verdict.timing)} ms`,
    `at ${catchTime.toFixed(3)} s`,
    ...(result.arm === null ? [] : [result.arm]),
    `${String(result.replans).padStart(2)} replans`,
    // A hand that came near enough, though there was no catch any more that keeps all limits.
    objective === null ? "no catch planned" : `objective ${objective.toFixed(3)}`,
  ];
  return result.reason === null
    ? parts.join("  ")
    : `${parts.join("  ")}  ${colour("secondary", `(${result.reason})`)}`;
}

function millimetres(metres: number): string {
  return `${(1e3 * metres).toFixed(2).padStart(5)} mm`;
}

function centimetres(metres: number): string {
  return `${(1e2 * metres).toFixed(1).padStart(5)} cm`;
}

function signed(value: number): string {
  return `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(2)}`;
}

/** A line about motions towards balls that were still in a hand; none if there were none. */
export function formatFalseAlarms(alarms: readonly FalseAlarm[]): string[] {
  if (alarms.length === 0) return [];
  const earliest = Math.max(...alarms.map(({ before }) => before));
  return formatRows([["false alarms", `${alarms.length}, up to ${earliest.toFixed(2)} s before the release`]]).split(
    "\n",
  );
}

/** The table at the end; without how long planning took where that was not measured. */
export function formatSummary(summary: RunSummary, wallClock: WallClock | null): string {
  return formatRows([
    ["throws", String(summary.throws)],
    ["reachable", formatRate(summary.reachable)],
    ["caught of the reachable", formatRate(summary.caughtOfReachable)],
    ["caught of all", formatRate(summary.caughtOfAll)],
    ["through the gate", formatRate(summary.gateOfReachable)],
    ...holdRows(summary),
    ["error at the catch", formatQuantiles(summary.lateralMm, "mm")],
    ["error of the grasp time", formatQuantiles(summary.timingMs, "ms")],
    ["replans", `${summary.replans}, ${summary.unsolved} without a solution`],
    ["refused plans", String(summary.refused)],
    ...(wallClock === null ? [] : planningRows(wallClock)),
  ]);
}

function planningRows({ coldMs, fruitlessMs, warmMs }: WallClock): (readonly [string, string])[] {
  return [
    ["planning, cold", formatTimes(coldMs)],
    ["planning, no catch", formatTimes(fruitlessMs)],
    ["planning, warm", formatTimes(warmMs)],
  ];
}

/** How throws ended by physics, the most frequent first. */
function holdRows({ holds }: RunSummary): (readonly [string, string])[] {
  const counts = Object.entries(holds).sort(([, a], [, b]) => b - a);
  return counts.length === 0 ? [] : [["in the hand", counts.map(([hold, n]) => `${n} ${hold}`).join(", ")]];
}

function formatTimes(times: PlanningTimes | null): string {
  if (times === null) return "none";
  return `p50 ${times.p50.toFixed(2)} ms, p99 ${times.p99.toFixed(2)} ms by the wall clock`;
}
