import { readFileSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { basename } from "node:path";
import type { Command } from "commander";
import {
  type Comparison,
  comparedQuantities,
  compareReplays,
  type QuantityComparison,
} from "../report/compare/compare-replays.js";
import { comparisonPage } from "../report/compare/comparison-page.js";
import { findRecordings, replayFiles } from "../report/jobs/replay-files.js";
import { REPORT_VERSION, type ReplayReport } from "../report/report-types.js";
import { colour } from "../runtime/colours.js";
import { FlycatcherError } from "../runtime/errors.js";
import { formatTable, print, withProgress } from "./terminal.js";

interface CompareOptions {
  readonly report?: string;
  readonly json?: true;
}

const examples = `
Examples:
  flycatcher replay data/throws --json > soft.json
  flycatcher replay data/throws --mode latest --json > latest.json
  flycatcher compare soft.json latest.json --report comparison.html`;

/** `flycatcher compare`: two replays side by side. */
export function registerCompareCommand(program: Command): void {
  program
    .command("compare <fileA> <fileB>")
    .description("Compare two replays: what is better, what is worse, with confidence intervals over the throws.")
    .option("--report <file>", "write a web page about it")
    .option("--json", "print one JSON object")
    .addHelpText(
      "after",
      `${examples}\nA and B are what \`replay --json\` printed, or recordings, which are replayed first.`,
    )
    .action(compare);
}

async function compare(a: string, b: string, options: CompareOptions): Promise<void> {
  const comparison = compareReplays(await replayOf(a), await replayOf(b), [basename(a), basename(b)]);
  if (options.report !== undefined) writeFileSync(options.report, comparisonPage(comparison));
  print(options.json ? JSON.stringify(comparison, null, 1) : formatComparison(comparison));
}

/** A replay's JSON as it is; a recording, or a folder of them, is replayed, its throws named by where they are in it. */
async function replayOf(path: string): Promise<ReplayReport> {
  if (path.endsWith(".json")) return readReport(path);
  const nameOf = (file: string): string =>
    file === path ? "recording" : file.slice(path.length).replace(/^[\\/]+/, "");
  const orderings = { changes: {}, monitor: "motion", detail: "brief" } as const;
  return withProgress(`replaying ${basename(path)}`, (onProgress) =>
    replayFiles(findRecordings([path]), orderings, { workers: availableParallelism(), onProgress }, nameOf),
  );
}

function readReport(path: string): ReplayReport {
  const report = parse(path);
  if (report?.version === REPORT_VERSION && Array.isArray(report.files)) return report;
  throw new FlycatcherError("FLY_COMPARE_INPUT", "this is not the JSON of a replay", {
    path,
    expected: `an object with version ${REPORT_VERSION} and files`,
    found: report === null ? "no JSON" : `version ${report.version}`,
  });
}

function parse(path: string): ReplayReport | null {
  try {
    return JSON.parse(readFileSync(path, "utf8")) as ReplayReport;
  } catch {
    return null;
  }
}

/** The comparison as a table. */
function formatComparison({ a, b, throws, caught, quantities, pairs, onlyA, onlyB }: Comparison): string {
  const share = (value: number) => `${value < 0 ? "−" : "+"}${Math.abs(100 * value).toFixed(1)}`;
  const interval = `${share(caught.low)} to ${share(caught.high)} points`;
  const changed = pairs.filter(({ change }) => change !== "equal");
  return [
    `A: ${a.name}`,
    `B: ${b.name}`,
    `${throws} throws in both, ${onlyA.length} only in A, ${onlyB.length} only in B`,
    "",
    `caught  A ${caught.a}, B ${caught.b}: ${share(caught.difference)} points (95 %: ${interval}); ${caught.gained} gained, ${caught.lost} lost, p = ${caught.probability.toPrecision(2)}`,
    "",
    formatTable(["mean over throws", "A", "B", "B − A", "95 %", ""], quantities.map(quantityRow)),
    ...(changed.length === 0 ? [] : ["", ...changed.map(changeLine)]),
  ].join("\n");
}

function quantityRow({ quantity, meanA, meanB, difference, low, high, change }: QuantityComparison): string[] {
  const { words, unit, factor } = comparedQuantities[quantity];
  const format = (value: number) => (factor * value).toFixed(2);
  const name = unit === "" ? words : `${words} [${unit}]`;
  const word = change === "equal" ? "" : colourChange(change);
  return [name, format(meanA), format(meanB), format(difference), `${format(low)} to ${format(high)}`, word];
}

function colourChange(change: QuantityComparison["change"]): string {
  return colour(change === "better" ? "good" : "bad", change);
}

function changeLine({ file, ball, a, b, change }: Comparison["pairs"][number]): string {
  return `${colourChange(change)}: ${file} ball ${ball}: ${a.verdict.outcome} → ${b.verdict.outcome}`;
}
