import type { Quantiles } from "../messages/session.js";
import { misfitSentence } from "../report/flight-misfit.js";
import type { FileReport, ReplayReport, ThrowReport } from "../report/report-types.js";
import { colourOutcome, formatQuantiles, formatRate, formatRows, formatTable } from "./terminal.js";

/** A replay for people: a line a throw, and what it comes to. */
export function formatReplay(report: ReplayReport): string {
  const rows = report.files.flatMap((file) => file.throws.map((thrown) => throwRow(file, thrown)));
  const table = formatTable(["recording", "ball", "outcome", "off", "timing", "replans", "as recorded"], rows);
  const failures = report.failures.map(({ file, code, message }) => `${file}: ${code}: ${message}`);
  const problems = report.files.flatMap(({ file, problems }) => problems.map((problem) => `${file}: ${problem}`));
  const realTime = report.files.flatMap(realTimeLines);
  const misfits = report.files.flatMap(({ file, throws }) =>
    throws.flatMap(({ ball, smoothed }) => misfitSentence(`${file}: ball ${ball}`, smoothed) ?? []),
  );
  const reasons = report.files.flatMap((file) => file.throws.flatMap((thrown) => reasonLine(file, thrown)));
  return [
    table,
    ...section(reasons),
    ...section(realTime),
    ...section([...failures, ...problems, ...misfits]),
    "",
    summaryLines(report),
  ].join("\n");
}

function section(lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ["", ...lines];
}

/** How far a run in real time came out as it was. */
function realTimeLines({ file, realTime }: FileReport): string[] {
  if (realTime === null) return [];
  const { predictions, plans } = realTime;
  const { recorded, made, paired, apartMm } = predictions;
  return [
    `${file}: recorded in real time, replayed in lock-step with the times that were configured`,
    `  predictions: ${recorded} then, ${made} now, ${paired} of the same images: ${spread(apartMm, "mm")} apart`,
    `  answers of the planner: ${plans.recorded} then, after ${spread(plans.tookMs, "ms")}`,
    `                          ${plans.made} now, after ${spread(plans.modelledMs, "ms")}`,
  ];
}

function asRecorded({ identity, realTime }: FileReport, { recordedOutcome }: ThrowReport): string {
  if (realTime !== null) return `real time: ${recordedOutcome ?? "not judged"}`;
  if (identity === null) return recordedOutcome === null ? "" : "changed";
  return identity.isIdentical ? "same bits" : `differs from ${identity.first?.time} s on`;
}

function throwRow(report: FileReport, thrown: ThrowReport): string[] {
  const { ball, verdict, plans } = thrown;
  const { lateral, timing, outcome } = verdict;
  const taken = plans.filter(({ handover }) => handover === "accepted").length;
  return [
    report.file,
    String(ball),
    colourOutcome(outcome),
    lateral === null ? "" : `${(1e3 * lateral).toFixed(1)} mm`,
    timing === null ? "" : `${(1e3 * timing).toFixed(1)} ms`,
    String(Math.max(0, taken - 1)),
    asRecorded(report, thrown),
  ];
}

function reasonLine({ file }: FileReport, { ball, verdict }: ThrowReport): string[] {
  return verdict.reason === null ? [] : [`${file} ball ${ball}: ${verdict.outcome}: ${verdict.reason}`];
}

function summaryLines({ summary, wallClock }: ReplayReport): string {
  const rows: (readonly [string, string])[] = [
    ["throws", String(summary.throws)],
    ["caught", formatRate(summary.caught)],
    ["reachable", formatRate(summary.reachable)],
    ["caught of the reachable", formatRate(summary.caughtOfReachable)],
    ["hand off the ball's line", spread(summary.lateralMm, "mm")],
    ["error of the grasp time", spread(summary.timingMs, "ms")],
    ["prediction 0.3 s ahead", spread(summary.predictionMm, "mm")],
  ];
  if (summary.identical !== null) rows.push(["recordings with the same bits", String(summary.identical)]);
  if (wallClock !== null) {
    const { seconds, realTimeFactor } = wallClock;
    rows.push(["wall clock", `${seconds.toFixed(1)} s, ${realTimeFactor.toFixed(1)} times real time`]);
  }
  return formatRows(rows);
}

function spread(values: Quantiles | null, unit: string): string {
  return formatQuantiles(values, unit, 1);
}
