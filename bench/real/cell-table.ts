import { type Cell, confirmedRatio, falseThrows, horizonFigures, lostCount, medianDelay } from "./cell-figures.js";

/** At most so many losses are told in full. */
const MOST_TOLD = 3;

/** A row for each cell: what was confirmed, and for each horizon error, ratio, and both NEES. */
export function cellTable(title: string, cells: readonly Cell[], horizons: readonly number[]): string {
  const heads = horizons.map((horizon) => `${horizon.toFixed(1)} s: mm batch ratio NEES batch`.padEnd(36));
  const rows = cells.map(
    (cell) => `${cell.name.padEnd(16)}${wholeOf(cell)}${horizons.map((h) => partOf(cell, h)).join("")}`,
  );
  const head = `${"".padEnd(16)}${"confirmed  delay lost false".padEnd(32)}${heads.join("")}`;
  return [title, head, ...rows].join("\n");
}

function wholeOf({ results }: Cell): string {
  const confirmed = `${Math.round(confirmedRatio(results) * results.length)}/${results.length}`;
  const delay = `${(1e3 * medianDelay(results)).toFixed(0)} ms`;
  return `${confirmed.padEnd(9)} ${delay.padStart(7)} ${String(lostCount(results)).padStart(4)} ${String(falseThrows(results)).padStart(4)}`.padEnd(
    32,
  );
}

function partOf({ results }: Cell, horizon: number): string {
  const { error, batchError, ratio, nees, batchNees } = horizonFigures(results, horizon);
  const parts = [
    (1e3 * error).toFixed(1),
    (1e3 * batchError).toFixed(1),
    ratio.toFixed(2),
    nees.toFixed(2),
    batchNees.toFixed(2),
  ];
  return parts
    .map((part) => part.padStart(7))
    .join("")
    .padEnd(36);
}

/** Why throws of these cells were not confirmed, or were lost: counts by outcome, and the events of the first few. */
export function lossTable(cells: readonly Cell[]): string {
  const lines: string[] = [];
  for (const { name, results } of cells) {
    const losses = results.filter(({ outcome, isLost }) => outcome !== "confirmed" || isLost);
    if (losses.length === 0) continue;
    const count = (wanted: string): number => results.filter(({ outcome }) => outcome === wanted).length;
    lines.push(`${name}: never ${count("never")}, too late ${count("too-late")}, lost in flight ${lostCount(results)}`);
    for (const loss of losses.slice(0, MOST_TOLD)) {
      lines.push(
        `  ${loss.name}: ${loss.outcome}${loss.isLost ? ", lost" : ""}`,
        ...loss.events.map((event) => `    ${event}`),
      );
    }
  }
  return lines.join("\n");
}
