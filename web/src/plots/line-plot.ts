import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { element } from "../dom/element.js";
import { onThemeChange } from "../theme.js";

export interface PlotLine {
  readonly label: string;
  /** A colour of the style sheet, as `--series-1`. */
  readonly color: string;
  readonly width?: number;
  readonly dash?: readonly number[];
  /** Only points, no line between them. */
  readonly marks?: "line" | "points";
  readonly fill?: string;
}

export interface PlotOptions {
  readonly height: number;
  readonly xLabel: string;
  readonly yLabel: string;
  readonly lines: readonly PlotLine[];
  readonly yRange?: readonly [number, number];
  /** Upright lines, such as the moment of the catch; asked for at every drawing. */
  readonly marksAt?: () => readonly { readonly x: number; readonly color: string; readonly label: string }[];
  readonly bands?: readonly { readonly upper: number; readonly lower: number; readonly fill: string }[];
}

/** A plot that follows the width of its place and the colours of the page. */
export class LinePlot {
  readonly element = element("div", { class: "plot" });
  readonly #options: PlotOptions;
  readonly #observer: ResizeObserver;
  readonly #endTheme: () => void;
  #plot: uPlot | null = null;
  #data: uPlot.AlignedData;

  constructor(options: PlotOptions) {
    this.#options = options;
    this.#data = [[], ...options.lines.map(() => [])];
    this.#observer = new ResizeObserver(() => this.#fit());
    this.#observer.observe(this.element);
    this.#endTheme = onThemeChange(() => this.#rebuild());
  }

  set data(data: uPlot.AlignedData) {
    this.#data = data;
    this.#plot?.setData(data);
  }

  dispose(): void {
    this.#observer.disconnect();
    this.#endTheme();
    this.#plot?.destroy();
  }

  #fit(): void {
    const width = this.element.clientWidth;
    if (width === 0) return;
    if (this.#plot === null) this.#rebuild();
    else if (this.#plot.width !== width) this.#plot.setSize({ width, height: this.#options.height });
  }

  #rebuild(): void {
    this.#plot?.destroy();
    this.#plot = null;
    const width = this.element.clientWidth;
    if (width === 0) return;
    this.#plot = new uPlot(this.#layout(width), this.#data, this.element);
  }

  #color(name: string): string {
    return getComputedStyle(this.element).getPropertyValue(name).trim();
  }

  #layout(width: number): uPlot.Options {
    const { height, xLabel, yLabel, lines, yRange, bands = [] } = this.#options;
    const font = `11px ${getComputedStyle(this.element).fontFamily}`;
    const ink = this.#color("--ink-2");
    const axis = { stroke: ink, font, labelFont: font, ticks: { show: false }, labelSize: 16, labelGap: 0 };
    const grid = { stroke: this.#color("--rule"), width: 1 };
    return {
      width,
      height,
      legend: { show: false },
      cursor: { y: false, points: { show: false }, drag: { x: false, y: false } },
      padding: [6, 8, 0, 0],
      scales: { x: { time: false }, y: yRange === undefined ? {} : { range: [yRange[0], yRange[1]] } },
      axes: [
        { ...axis, grid: { show: false }, label: xLabel, size: 26 },
        { ...axis, grid, label: yLabel, size: 36 },
      ],
      series: [{}, ...lines.map((line) => this.#series(line))],
      bands: bands.map(({ upper, lower, fill }) => ({ series: [upper, lower], fill: this.#color(fill) })),
      hooks: { draw: [(plot) => this.#drawMarks(plot)] },
    };
  }

  #series({ label, color, width = 1.5, dash, marks = "line", fill }: PlotLine): uPlot.Series {
    const stroke = this.#color(color);
    return {
      label,
      stroke,
      width,
      spanGaps: true,
      points: marks === "points" ? { show: true, size: 6, fill: stroke } : { show: false },
      ...(marks === "points" && { paths: () => null }),
      ...(dash !== undefined && { dash: [...dash] }),
      ...(fill !== undefined && { fill: this.#color(fill) }),
    };
  }

  #drawMarks({ ctx, bbox, valToPos, scales }: uPlot): void {
    const { min, max } = scales.x ?? {};
    for (const { x, color } of this.#options.marksAt?.() ?? []) {
      if (min == null || max == null || x < min || x > max) continue;
      const at = Math.round(valToPos(x, "x", true));
      ctx.save();
      ctx.strokeStyle = this.#color(color);
      ctx.lineWidth = devicePixelRatio;
      ctx.setLineDash([]);
      ctx.beginPath();
      ctx.moveTo(at, bbox.top);
      ctx.lineTo(at, bbox.top + bbox.height);
      ctx.stroke();
      ctx.restore();
    }
  }
}
