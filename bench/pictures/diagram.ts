/** Boxes, arrows and labels as SVG. The colours follow the reader's light or dark scheme. */
export type Tone = "plain" | "blue" | "orange" | "green" | "violet";
type Anchor = "start" | "middle" | "end";

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

const LINE_HEIGHT = 16;

const light = {
  page: "#fdfdfc",
  ink: "#24292f",
  quiet: "#5f6b7a",
  line: "#5f6b7a",
  plain: ["#f1f3f6", "#9aa5b4"],
  blue: ["#e3effa", "#0072b2"],
  orange: ["#fcebdf", "#d55e00"],
  green: ["#e0f3ec", "#009e73"],
  violet: ["#f6e8f1", "#b0568c"],
};
const dark: typeof light = {
  page: "#12161d",
  ink: "#e6eaf1",
  quiet: "#9aa7ba",
  line: "#8a97ab",
  plain: ["#1d242f", "#56637a"],
  blue: ["#13293d", "#56a8e0"],
  orange: ["#3a2416", "#f08a4b"],
  green: ["#12312a", "#3cc39a"],
  violet: ["#35202d", "#dc90bb"],
};

function rulesOf(colours: typeof light): string {
  const { page, ink, quiet, line, ...tones } = colours;
  const boxes = Object.entries(tones).map(
    ([tone, [fill, stroke]]) =>
      `.${tone}{fill:${fill};stroke:${stroke}}.s-${tone}{fill:none;stroke:${stroke}}.f-${tone}{fill:${stroke};stroke:none}`,
  );
  return `.page{fill:${page}}.ink{fill:${ink}}.quiet{fill:${quiet}}.note{fill:${quiet};stroke:${page};stroke-width:4;paint-order:stroke}.line{fill:none;stroke:${line}}.head{fill:${line}}${boxes.join("")}`;
}

export class Diagram {
  readonly #title: string;
  readonly #width: number;
  readonly #height: number;
  readonly #marks: string[] = [];

  constructor(title: string, width: number, height: number) {
    this.#title = title;
    this.#width = width;
    this.#height = height;
  }

  /** A box with a bold first line and quiet lines below it. */
  box({ x, y, width, height }: Box, tone: Tone, lines: readonly string[]): this {
    this.#marks.push(`<rect class="${tone}" x="${x}" y="${y}" width="${width}" height="${height}" rx="7"/>`);
    const top = y + height / 2 - ((lines.length - 1) * LINE_HEIGHT) / 2 + 4.5;
    for (const [k, line] of lines.entries()) {
      const style = k === 0 ? 'class="ink" font-weight="600"' : 'class="quiet" font-size="11.5"';
      this.#label(x + width / 2, top + k * LINE_HEIGHT, line, style, "middle");
    }
    return this;
  }

  /** A frame around other boxes, with its name at the top left. */
  group({ x, y, width, height }: Box, name: string): this {
    this.#marks.push(
      `<rect class="line" x="${x}" y="${y}" width="${width}" height="${height}" rx="10" stroke-dasharray="5 4"/>`,
    );
    return this.note(x + 10, y + 17, name);
  }

  arrow(points: readonly (readonly [number, number])[], tone?: Tone): this {
    const path = points.map(([x, y], k) => `${k === 0 ? "M" : "L"}${x.toFixed(1)} ${y.toFixed(1)}`).join("");
    this.#marks.push(`<path class="${tone === undefined ? "line" : `s-${tone}`}" d="${path}"/>`);
    const [toX, toY] = points.at(-1)!;
    const [fromX, fromY] = points.at(-2)!;
    const angle = (Math.atan2(toY - fromY, toX - fromX) * 180) / Math.PI;
    const place = `translate(${toX.toFixed(1)} ${toY.toFixed(1)}) rotate(${angle.toFixed(1)})`;
    this.#marks.push(
      `<path class="${tone === undefined ? "head" : `f-${tone}`}" d="M0 0L-8 -4L-8 4Z" transform="${place}"/>`,
    );
    return this;
  }

  line(points: readonly (readonly [number, number])[], tone: Tone, width: number, dashes = ""): this {
    const path = points.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join(" ");
    const dash = dashes === "" ? "" : ` stroke-dasharray="${dashes}"`;
    this.#marks.push(
      `<polyline class="s-${tone}" points="${path}" stroke-width="${width}" stroke-linejoin="round" stroke-linecap="round"${dash}/>`,
    );
    return this;
  }

  dot(x: number, y: number, radius: number, tone: Tone): this {
    this.#marks.push(`<circle class="f-${tone}" cx="${x.toFixed(1)}" cy="${y.toFixed(1)}" r="${radius}"/>`);
    return this;
  }

  text(x: number, y: number, words: string, anchor: Anchor = "start"): this {
    return this.#label(x, y, words, 'class="ink" font-weight="600"', anchor);
  }

  note(x: number, y: number, words: string, anchor: Anchor = "start"): this {
    return this.#label(x, y, words, 'class="note" font-size="11.5"', anchor);
  }

  #label(x: number, y: number, words: string, style: string, anchor: Anchor): this {
    const text = words.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
    this.#marks.push(`<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" ${style} text-anchor="${anchor}">${text}</text>`);
    return this;
  }

  render(): string {
    const size = `width="${this.#width}" height="${this.#height}" viewBox="0 0 ${this.#width} ${this.#height}"`;
    const style = `text{font-family:system-ui,sans-serif}${rulesOf(light)}@media(prefers-color-scheme:dark){${rulesOf(dark)}}`;
    return [
      `<svg xmlns="http://www.w3.org/2000/svg" ${size} role="img" font-size="13" stroke-width="1.3">`,
      `<title>${this.#title}</title>`,
      `<style>${style}</style>`,
      '<rect class="page" width="100%" height="100%"/>',
      ...this.#marks,
      "</svg>\n",
    ].join("\n");
  }
}
