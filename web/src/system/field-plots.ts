import type { SamplesMessage } from "../../../src/messages/page.js";
import type { LiveStream } from "../connection/live-stream.js";
import { element, setText } from "../dom/element.js";
import { LinePlot } from "../plots/line-plot.js";
import { unitOf } from "./field-names.js";

/** A plot shows so much time [s], of at most 50 samples a second. */
const SPAN = 20;
const MOST_SAMPLES = 50 * SPAN;
/** Plots at a time; the service samples a few more. */
const MOST_PLOTS = 8;
const colors = ["--series-1", "--series-2", "--series-3", "--series-4", "--series-5", "--series-6"];

interface FieldPlot {
  readonly plot: LinePlot;
  readonly value: HTMLElement;
  readonly element: HTMLElement;
  times: number[];
  values: (number | null)[];
}

/** Plots of the fields that were clicked. The service samples them only while they are to be seen. */
export class FieldPlots {
  readonly element = element("div", { class: "field-plots" });
  /** Called when what is plotted has changed. */
  onChange: () => void = () => undefined;
  readonly #stream: LiveStream;
  readonly #plots = new Map<string, FieldPlot>();
  readonly #empty = element("p", { class: "empty", text: "Click a field to plot it." });
  #isShown = false;

  constructor(stream: LiveStream) {
    this.#stream = stream;
    this.element.append(this.#empty);
    stream.messages.add((message) => {
      if (message.type === "samples") this.#add(message);
    });
  }

  isPlotted(field: string): boolean {
    return this.#plots.has(field);
  }

  toggle(field: string, description: string): void {
    if (this.#plots.has(field)) this.#remove(field);
    else this.#open(field, description);
    this.#empty.hidden = this.#plots.size > 0;
    this.#ask();
    this.onChange();
  }

  set isShown(isShown: boolean) {
    this.#isShown = isShown;
    this.#ask();
  }

  #ask(): void {
    this.#stream.plot(this.#isShown ? [...this.#plots.keys()] : []);
  }

  #open(field: string, description: string): void {
    const oldest = this.#plots.keys().next().value;
    if (this.#plots.size >= MOST_PLOTS && oldest !== undefined) this.#remove(oldest);
    const plot = new LinePlot({
      height: 104,
      xLabel: "",
      yLabel: unitOf(description),
      lines: [{ label: field, color: colors[this.#plots.size % colors.length]! }],
    });
    const value = element("output", { class: "figure" });
    const close = element("button", {
      class: "icon",
      text: "×",
      attributes: { type: "button", "aria-label": `Close the plot of ${field}` },
      on: { click: () => this.toggle(field, description) },
    });
    const head = element("figcaption", { attributes: { title: description } }, [
      element("span", { class: "field-plot-name", text: field }),
      value,
      close,
    ]);
    const figure = element("figure", { class: "field-plot", attributes: { "data-field": field } }, [
      head,
      plot.element,
    ]);
    this.#plots.set(field, { plot, value, element: figure, times: [], values: [] });
    this.element.prepend(figure);
  }

  #remove(field: string): void {
    const open = this.#plots.get(field)!;
    open.plot.dispose();
    open.element.remove();
    this.#plots.delete(field);
  }

  #add({ series }: SamplesMessage): void {
    for (const { field, times, values } of series) {
      const open = this.#plots.get(field);
      if (open === undefined) continue;
      // The run was started again: its clock has gone back.
      if ((times[0] ?? 0) < (open.times.at(-1) ?? 0) - SPAN) [open.times, open.values] = [[], []];
      open.times.push(...times);
      open.values.push(...values);
      const first = Math.max(
        open.times.length - MOST_SAMPLES,
        open.times.findIndex((time) => time >= open.times.at(-1)! - SPAN),
      );
      open.times = open.times.slice(first);
      open.values = open.values.slice(first);
      open.plot.data = [open.times, open.values];
      open.element.dataset.samples = String(open.times.length);
      setText(open.value, valueWords(open.values.at(-1) ?? null));
    }
  }
}

function valueWords(value: number | null): string {
  return value === null ? "–" : Number(value.toPrecision(5)).toString().replace("-", "−");
}
