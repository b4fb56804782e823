import { escapeText } from "../calibration/report/svg-plots.js";

/** A line, or points, in a chart. The class gives its colour: see `report-style.ts`. */
export interface Series {
  readonly name: string;
  readonly kind: "line" | "dots" | "band" | "steps";
  readonly style: string;
  readonly points: readonly (readonly [x: number, y: number])[];
}

export interface Chart {
  readonly title: string;
  readonly x: { readonly label: string; readonly range?: readonly [number, number] };
  readonly y: {
    readonly label: string;
    readonly range?: readonly [number, number];
    readonly scale?: "linear" | "logarithmic";
  };
  readonly series: readonly Series[];
  /** Upright lines, with a word each. */
  readonly marks?: readonly { readonly x: number; readonly label: string }[];
  readonly width?: number;
  readonly height?: number;
}

const MARGIN = { left: 52, right: 14, top: 30, bottom: 38 } as const;
/** Height of the line with the names of the series [px]. */
const LEGEND = 16;
/** Axis labels, roughly. */
const TICKS = 5;

interface Axis {
  readonly low: number;
  readonly high: number;
  readonly ticks: readonly number[];
  place(value: number): number;
}

/** A chart as SVG: needs no script, and takes its colours from the page. */
export function lineChart(chart: Chart): string {
  const { title, series, marks = [], width = 460, height = 250 } = chart;
  const below = series.some(({ name }) => name !== "") ? LEGEND : 0;
  const bottom = height - MARGIN.bottom - below;
  const inside = { left: MARGIN.left, right: width - MARGIN.right, top: MARGIN.top, bottom };
  const points = series.flatMap((line) => line.points).filter(([x, y]) => Number.isFinite(x) && Number.isFinite(y));
  if (points.length === 0) return emptyChart(title, width, height);
  const xs = [...points.map(([x]) => x), ...marks.map((mark) => mark.x)];
  const x = linearAxis(chart.x.range ?? extent(xs), inside.left, inside.right);
  const yRange = chart.y.range ?? extent(points.map(([, value]) => value));
  const y =
    chart.y.scale === "logarithmic"
      ? logarithmicAxis(yRange, inside.bottom, inside.top)
      : linearAxis(padded(yRange), inside.bottom, inside.top);
  const parts = [
    `<text class="title" x="${inside.left}" y="18">${escapeText(title)}</text>`,
    grid(x, y, inside),
    axisLabels(chart, inside),
    ...marks.map((mark) => upright(x.place(mark.x), mark.label, inside)),
    ...series.map((line) => drawSeries(line, x, y, inside.bottom)),
    legend(series, height),
  ];
  return `<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${escapeText(title)}">${parts.join("\n")}</svg>`;
}

function emptyChart(title: string, width: number, height: number): string {
  return `<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${escapeText(title)}">
<text class="title" x="${MARGIN.left}" y="18">${escapeText(title)}</text>
<text class="quiet" x="${width / 2}" y="${height / 2}" text-anchor="middle">nothing to show</text></svg>`;
}

function extent(values: readonly number[]): [number, number] {
  return [Math.min(...values), Math.max(...values)];
}

function padded([low, high]: readonly [number, number]): [number, number] {
  const pad = 0.06 * (high - low) || Math.abs(high) * 0.1 || 1;
  return [low === 0 ? 0 : low - pad, high + pad];
}

function linearAxis([low, high]: readonly [number, number], from: number, to: number): Axis {
  const span = high - low || 1;
  const step = niceStep(span / TICKS);
  const first = Math.ceil(low / step - 1e-9);
  const count = Math.floor((low + span) / step + 1e-9) - first + 1;
  const ticks = Array.from({ length: Math.max(0, count) }, (_, k) => (first + k) * step);
  return { low, high: low + span, ticks, place: (value) => from + ((value - low) / span) * (to - from) };
}

function logarithmicAxis([least, most]: readonly [number, number], from: number, to: number): Axis {
  const low = Math.floor(Math.log10(Math.max(least, 1e-9)));
  const high = Math.max(low + 1, Math.ceil(Math.log10(Math.max(most, 1e-9))));
  const ticks = Array.from({ length: high - low + 1 }, (_, k) => 10 ** (low + k));
  const place = (value: number) => from + ((Math.log10(Math.max(value, 10 ** low)) - low) / (high - low)) * (to - from);
  return { low: 10 ** low, high: 10 ** high, ticks, place };
}

/** 1, 2 or 5 times a power of ten. */
function niceStep(rough: number): number {
  const power = 10 ** Math.floor(Math.log10(rough));
  const share = rough / power;
  return power * (share < 1.5 ? 1 : share < 3.5 ? 2 : share < 7.5 ? 5 : 10);
}

interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

function grid(x: Axis, y: Axis, { left, right, top, bottom }: Box): string {
  const across = y.ticks.map((value) => {
    const at = y.place(value).toFixed(1);
    return `<path class="grid" d="M${left} ${at}H${right}"/><text class="tick" x="${left - 6}" y="${at}" dy="0.32em" text-anchor="end">${label(value)}</text>`;
  });
  const up = x.ticks.map((value) => {
    const at = x.place(value).toFixed(1);
    return `<text class="tick" x="${at}" y="${bottom + 15}" text-anchor="middle">${label(value)}</text>`;
  });
  return `${across.join("")}${up.join("")}<path class="axis" d="M${left} ${top}V${bottom}H${right}"/>`;
}

function label(value: number): string {
  const short = Number(value.toPrecision(6));
  return (Object.is(short, -0) ? "0" : String(short)).replace("-", "−");
}

function axisLabels({ x, y }: Chart, { right, top, bottom }: Box): string {
  const middle = (top + bottom) / 2;
  return `<text class="quiet" x="${right}" y="${bottom + 32}" text-anchor="end">${escapeText(x.label)}</text>
<text class="quiet" transform="rotate(-90 12 ${middle})" x="12" y="${middle}" text-anchor="middle">${escapeText(y.label)}</text>`;
}

function upright(at: number, word: string, { top, bottom }: Box): string {
  const x = at.toFixed(1);
  return `<path class="mark" d="M${x} ${top}V${bottom}"/><text class="tick" x="${x}" y="${top - 3}" text-anchor="middle">${escapeText(word)}</text>`;
}

function drawSeries({ kind, style, points }: Series, x: Axis, y: Axis, bottom: number): string {
  const placed = points
    .filter(([a, b]) => Number.isFinite(a) && Number.isFinite(b))
    .map(([a, b]) => [x.place(a), y.place(b)] as const);
  if (placed.length === 0) return "";
  const corners = placed.map(([a, b]) => `${a.toFixed(1)} ${b.toFixed(1)}`);
  if (kind === "dots") {
    return placed
      .map(([a, b]) => `<circle class="dot ${style}" cx="${a.toFixed(1)}" cy="${b.toFixed(1)}" r="3"/>`)
      .join("");
  }
  if (kind === "band") {
    const [first, last] = [placed[0]![0].toFixed(1), placed.at(-1)![0].toFixed(1)];
    return `<path class="band ${style}" d="M${first} ${bottom}L${corners.join("L")}L${last} ${bottom}Z"/>`;
  }
  const steps = placed.map(([a, b], k) =>
    k === 0 ? `M${a.toFixed(1)} ${b.toFixed(1)}` : `H${a.toFixed(1)}V${b.toFixed(1)}`,
  );
  return `<path class="line ${style}" d="${kind === "steps" ? steps.join("") : `M${corners.join("L")}`}"/>`;
}

/** Names of the series, on one line below the axis. */
function legend(series: readonly Series[], height: number): string {
  let at = MARGIN.left;
  return series
    .filter(({ name, points }) => name !== "" && points.length > 0)
    .map(({ name, kind, style }) => {
      const x = at;
      at += 6 * name.length + 30;
      const sample = kind === "band" ? `<path class="band ${style}" d="M${x} ${height - 14}h14v9h-14z"/>` : "";
      const line = kind === "band" ? "" : `<path class="line ${style}" d="M${x} ${height - 10}h14"/>`;
      return `${sample}${line}<text class="key" x="${x + 19}" y="${height - 6}">${escapeText(name)}</text>`;
    })
    .join("");
}
