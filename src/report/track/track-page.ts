import { escapeText } from "../../calibration/report/svg-plots.js";
import { count, page } from "../report-page.js";
import { lineChart, type Series } from "../svg-chart.js";
import type { HorizonReport, TrackedBallReport, TrackFileReport, TrackReport } from "./track-types.js";

/** Details of so many balls are open when the page is. */
const OPEN_BALLS = 3;
/** Errors below this are not told apart in pictures [mm]. */
const LEAST_ERROR = 0.1;

/** A web page about balls that were followed, without script and without files beside it. */
export function trackPage(report: TrackReport): string {
  const { files } = report;
  const content = files.map((file) => filePart(file)).join("\n");
  return page(
    "Tracking",
    `<h1>Balls of ${count(files.length, "recording")}</h1><p class="quiet">${report.software}</p>${content}`,
  );
}

function filePart(file: TrackFileReport): string {
  const { balls, horizons, problems, warnings } = file;
  const notes = [...problems, ...warnings].map((text) => `<p class="warning">${escapeText(text)}</p>`).join("");
  return `<h2>${escapeText(file.file)}</h2>
<p class="quiet">${escapeText(describe(file))}</p>${notes}
<div class="figures">${errorFigure(horizons)}${neesFigure(horizons)}</div>
${ballTable(balls)}
${balls.map((ball, k) => ballDetails(ball, k < OPEN_BALLS)).join("\n")}`;
}

/** What it was, in a line. */
export function describe({ title, input, truth, ball, gravity, balls, born, from, until }: TrackFileReport): string {
  const down = Math.hypot(...gravity).toFixed(3);
  return [
    title,
    `${(until - from).toFixed(1)} s of ${input}`,
    `${balls.length} thrown of ${count(born, "track")}`,
    `ball of ${(1e3 * ball.diameter).toFixed(0)} mm, drag ${ball.drag.toFixed(4)} 1/m, gravity ${down} m/s²`,
    truth === "raw" ? "errors against later samples as measured" : "errors against the smoothed flight",
  ].join(" · ");
}

function errorFigure(horizons: readonly HorizonReport[]): string {
  const line = (name: string, style: string, value: "p50" | "p95"): Series => ({
    name,
    kind: "line",
    style,
    points: horizons.flatMap(({ ahead, errorMm }) =>
      errorMm === null ? [] : [[1e3 * ahead, Math.max(LEAST_ERROR, errorMm[value])] as const],
    ),
  });
  return lineChart({
    title: "Error of predictions",
    x: { label: "time ahead [ms]" },
    y: { label: "error [mm]", scale: "logarithmic" },
    series: [line("median", "a", "p50"), line("95 %", "b", "p95")],
  });
}

function neesFigure(horizons: readonly HorizonReport[]): string {
  const points = horizons.flatMap(({ ahead, nees }) => (nees === null ? [] : [[1e3 * ahead, nees] as const]));
  const ends = points.length === 0 ? [] : [points[0]![0], points.at(-1)![0]];
  return lineChart({
    title: "NEES per degree of freedom",
    x: { label: "time ahead [ms]" },
    y: { label: "1: the covariance is consistent", scale: "logarithmic" },
    series: [
      { name: "measured", kind: "line", style: "a", points },
      { name: "consistent", kind: "line", style: "c", points: ends.map((x) => [x, 1] as const) },
    ],
  });
}

function ballTable(balls: readonly TrackedBallReport[]): string {
  const rows = balls.map(({ track, bornAt, confirmedAt, until, speed, scans, chiSquare, identity }) => {
    const cells = [
      String(track),
      `${bornAt.toFixed(3)} s`,
      `${confirmedAt.toFixed(3)} s`,
      `${until.toFixed(3)} s`,
      `${speed.toFixed(1)} m/s`,
      String(scans),
      chiSquare?.toFixed(2) ?? "",
      identity === null ? "" : identityText(identity.labels, identity.switches),
    ];
    return `<tr>${cells.map((cell) => `<td>${escapeText(cell)}</td>`).join("")}</tr>`;
  });
  const heads = ["ball", "first seen", "confirmed", "until", "speed", "scans", "χ²/dof", "identity"];
  return `<div class="scroll"><table><tr>${heads.map((head) => `<th>${head}</th>`).join("")}</tr>${rows.join("")}</table></div>`;
}

/** The labels that a track had, most frequent first. */
export function identityText(labels: Readonly<Record<string, number>>, switches: number): string {
  const names = Object.entries(labels).sort(([, a], [, b]) => b - a);
  const shown = names.map(([name, scans]) => (names.length === 1 ? name : `${name} (${scans})`)).join(", ");
  return switches === 0 ? shown : `${shown}; ${switches} switches`;
}

function ballDetails(ball: TrackedBallReport, isOpen: boolean): string {
  const along = (axis: 1 | 2 | 3, name: string, style: string): Series => {
    return { name, kind: "line", style, points: ball.path.map((point) => [point[0], point[axis]] as const) };
  };
  const path = lineChart({
    title: "Position",
    x: { label: "time [s]" },
    y: { label: "[m]" },
    series: [along(1, "x", "a"), along(2, "y", "b"), along(3, "z", "c")],
  });
  const ended = ball.ended === null ? "" : `<span class="quiet">${escapeText(ball.ended)}</span>`;
  return `<details${isOpen ? " open" : ""}><summary>Ball ${ball.track}${ended}</summary>
<div class="figures">${path}${errorFigure(ball.horizons)}</div></details>`;
}
