import { escapeText } from "../calibration/report/svg-plots.js";
import type { Quantiles, Rate } from "../messages/session.js";
import { misfitSentence } from "./flight-misfit.js";
import { replanCount } from "./replay-report.js";
import { reportStyle } from "./report-style.js";
import type { FileReport, ReplayReport, ReportedOutcome, ThrowReport } from "./report-types.js";
import { throwFigures } from "./throw-figures.js";

/** Details of so many throws are open when the page is. */
const OPEN_THROWS = 3;

/** A web page about a replay that needs nothing else: no script, no file beside it. */
export function reportPage(report: ReplayReport): string {
  const throws = report.files.flatMap((file) => file.throws.map((thrown) => ({ file, thrown })));
  return page(
    "Replay",
    `<h1>Replay of ${count(report.files.length, "recording")}</h1>
<p class="quiet">${escapeText(describeSettings(report))}</p>
${report.failures.map(({ file, code, message }) => `<p class="warning">${escapeText(`${file}: ${code}: ${message}`)}</p>`).join("")}
${report.files.flatMap(({ file, problems }) => problems.map((text) => `<p class="warning">${escapeText(`${file}: ${text}`)}</p>`)).join("")}
${tiles(report)}
<h2>Throws</h2>
${throwTable(throws)}
<h2>One by one</h2>
${throws.map(({ file, thrown }, k) => throwDetails(file, thrown, k < OPEN_THROWS)).join("\n")}`,
  );
}

/** The frame of all our report pages. */
export function page(title: string, content: string): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>${escapeText(title)} · Flycatcher</title><style>${reportStyle}</style></head>
<body><main>
${content}
</main></body></html>
`;
}

export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

function describeSettings({ software, settings, wallClock }: ReplayReport): string {
  const { robot, monitor, changes } = settings;
  const changed = Object.entries(changes).map(([name, value]) => `${name} ${JSON.stringify(value)}`);
  const parts = [
    software,
    changed.length === 0 ? "nothing changed" : `changed: ${changed.join(", ")}`,
    ...(robot === null ? [] : [`caught by ${robot}`]),
    monitor === "full" ? "every command monitored" : "each plan checked as a whole",
    ...(wallClock === null ? [] : [`${wallClock.realTimeFactor.toFixed(1)} times real time`]),
  ];
  return parts.join(" · ");
}

function tiles({ summary }: ReplayReport): string {
  const entries = [
    [percent(summary.caught), `caught of all, ${interval(summary.caught)}`],
    [percent(summary.caughtOfReachable), `caught of the reachable, ${interval(summary.caughtOfReachable)}`],
    [quantile(summary.lateralMm, "mm"), "hand off the ball's line, median"],
    [quantile(summary.timingMs, "ms"), "error of the grasp time, median"],
    [quantile(summary.predictionMm, "mm"), "error of predictions 0.3 s ahead, median"],
    ...(summary.identical === null ? [] : [[String(summary.identical), "recordings came out bit by bit as recorded"]]),
  ];
  return `<div class="tiles">${entries.map(([value, words]) => `<div class="tile"><b>${value}</b><span>${escapeText(words!)}</span></div>`).join("")}</div>`;
}

function percent({ rate }: Rate): string {
  return rate === null ? "–" : `${(100 * rate).toFixed(0)} %`;
}

function interval({ count: of, of: all, low, high }: Rate): string {
  return `${of} of ${all}, 95 %: ${(100 * low).toFixed(0)} to ${(100 * high).toFixed(0)} %`;
}

function quantile(values: Quantiles | null, unit: string): string {
  return values === null ? "–" : `${values.p50.toFixed(1)} ${unit}`;
}

const outcomeClasses: Readonly<Record<ReportedOutcome, string>> = {
  caught: "caught",
  missed: "missed",
  "not reachable": "unreachable",
  "not seen": "unseen",
};

export function pill(outcome: ReportedOutcome): string {
  return `<span class="pill ${outcomeClasses[outcome]}">${outcome}</span>`;
}

function throwTable(throws: readonly { file: FileReport; thrown: ThrowReport }[]): string {
  const rows = throws.map(({ file, thrown }) => {
    const { lateral, timing, outcome, reason } = thrown.verdict;
    const cells = [
      `<td>${escapeText(file.file)}</td><td>${thrown.ball}</td><td>${pill(outcome)}</td>`,
      `<td>${lateral === null ? "" : `${(1e3 * lateral).toFixed(1)} mm`}</td>`,
      `<td>${timing === null ? "" : `${(1e3 * timing).toFixed(1)} ms`}</td>`,
      `<td>${thrown.arm ?? ""}</td><td>${replanCount(thrown) ?? ""}</td>`,
      `<td>${asRecorded(file)}</td><td class="text">${escapeText(reason ?? "")}</td>`,
    ];
    return `<tr>${cells.join("")}</tr>`;
  });
  return `<div class="scroll"><table><tr><th>recording</th><th>ball</th><th>outcome</th><th>off</th><th>timing</th><th>arm</th><th>replans</th><th>as recorded</th><th class="text">why</th></tr>
${rows.join("\n")}</table></div>`;
}

function asRecorded({ identity, realTime }: FileReport): string {
  if (realTime !== null) return "a run in real time";
  if (identity === null) return "changed";
  return identity.isIdentical ? "same bits" : `differs from ${identity.first?.time.toFixed(3)} s`;
}

function misfitPart({ ball, smoothed }: ThrowReport): string {
  const sentence = misfitSentence(`ball ${ball}`, smoothed);
  return sentence === null ? "" : `<p class="warning">${escapeText(sentence)}</p>`;
}

function throwDetails(file: FileReport, thrown: ThrowReport, isOpen: boolean): string {
  const { verdict, ball } = thrown;
  const words = verdict.reason ?? caughtWords(thrown);
  return `<details${isOpen ? " open" : ""}><summary>${escapeText(file.file)}, ball ${ball} ${pill(verdict.outcome)}<span class="quiet">${escapeText(words)}</span></summary>
${misfitPart(thrown)}<div class="figures">${throwFigures(file, thrown)
    .map((figure) => `<figure>${figure}</figure>`)
    .join("\n")}</div></details>`;
}

function caughtWords({ verdict, arm, reaction }: ThrowReport): string {
  const { lateral, timing, judgedBy } = verdict;
  if (lateral === null || timing === null) return "";
  const reacted = reaction === null ? "" : `, ${(1e3 * reaction).toFixed(0)} ms after it was first seen`;
  const by = judgedBy === "truth" ? "by the true flight" : "by the smoothed flight";
  return `${(1e3 * lateral).toFixed(1)} mm and ${(1e3 * timing).toFixed(1)} ms off ${by}, ${arm ?? ""}${reacted}`;
}
