/** Just enough SVG for the pictures of the documentation; readable on light and dark pages. */

export interface Panel {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly title: string;
  readonly horizontal: Axis;
  readonly vertical: Axis;
}

export interface Axis {
  readonly label: string;
  readonly from: number;
  readonly to: number;
  readonly ticks: readonly number[];
}

export type Point = readonly [x: number, y: number];

/** Okabe and Ito's colours, which colour-blind readers can tell apart. */
export const palette = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7f7f7f"] as const;

const ink = "#444";
const font = 'font-family="system-ui, sans-serif" font-size="12"';

export class Plot {
  readonly panel: Panel;
  readonly #marks: string[] = [];

  constructor(panel: Panel) {
    this.panel = panel;
  }

  line(points: readonly Point[], color: string, width = 1.8, dashes = ""): this {
    const path = points.map(([x, y]) => `${this.#x(x)},${this.#y(y)}`).join(" ");
    const dash = dashes === "" ? "" : ` stroke-dasharray="${dashes}"`;
    this.#marks.push(
      `<polyline points="${path}" fill="none" stroke="${color}" stroke-width="${width}" stroke-linejoin="round" stroke-linecap="round"${dash}/>`,
    );
    return this;
  }

  dot([x, y]: Point, color: string, radius = 4): this {
    this.#marks.push(`<circle cx="${this.#x(x)}" cy="${this.#y(y)}" r="${radius}" fill="${color}"/>`);
    return this;
  }

  text([x, y]: Point, words: string, color: string = ink, anchor: "start" | "middle" | "end" = "start"): this {
    this.#marks.push(
      `<text x="${this.#x(x)}" y="${this.#y(y)}" ${font} fill="${color}" text-anchor="${anchor}">${words}</text>`,
    );
    return this;
  }

  render(): string {
    const { x, y, width, height, title, horizontal, vertical } = this.panel;
    const bottom = y + height;
    const ticksX = horizontal.ticks.map(
      (tick) =>
        `<line x1="${this.#x(tick)}" x2="${this.#x(tick)}" y1="${bottom}" y2="${bottom + 4}" stroke="${ink}"/>` +
        `<text x="${this.#x(tick)}" y="${bottom + 17}" ${font} fill="${ink}" text-anchor="middle">${tick}</text>`,
    );
    const ticksY = vertical.ticks.map(
      (tick) =>
        `<line x1="${x - 4}" x2="${x}" y1="${this.#y(tick)}" y2="${this.#y(tick)}" stroke="${ink}"/>` +
        `<text x="${x - 7}" y="${Number(this.#y(tick)) + 4}" ${font} fill="${ink}" text-anchor="end">${tick}</text>`,
    );
    return [
      `<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="none" stroke="${ink}" stroke-width="0.7"/>`,
      `<text x="${x + width / 2}" y="${y - 8}" ${font} font-weight="600" fill="${ink}" text-anchor="middle">${title}</text>`,
      `<text x="${x + width / 2}" y="${bottom + 33}" ${font} fill="${ink}" text-anchor="middle">${horizontal.label}</text>`,
      `<text transform="translate(${x - 38},${y + height / 2}) rotate(-90)" ${font} fill="${ink}" text-anchor="middle">${vertical.label}</text>`,
      ...ticksX,
      ...ticksY,
      ...this.#marks,
    ].join("\n");
  }

  #x(value: number): string {
    const { from, to } = this.panel.horizontal;
    return (this.panel.x + ((value - from) / (to - from)) * this.panel.width).toFixed(1);
  }

  #y(value: number): string {
    const { from, to } = this.panel.vertical;
    return (this.panel.y + this.panel.height - ((value - from) / (to - from)) * this.panel.height).toFixed(1);
  }
}

export function renderSvg(title: string, width: number, height: number, plots: readonly Plot[]): string {
  const body = plots.map((plot) => plot.render()).join("\n");
  const size = `width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"`;
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size} role="img">\n<title>${title}</title>\n<rect width="100%" height="100%" fill="#fdfdfc"/>\n${body}\n</svg>\n`;
}
