import { element, setText } from "../dom/element.js";
import { number } from "../dom/format.js";
import { createPanel } from "../dom/panel.js";
import { refreshOn } from "../dom/refresh.js";
import type { LiveStore } from "../live/live-store.js";
import { predictionErrors } from "../live/throw-log.js";
import { LinePlot } from "../plots/line-plot.js";

/** How far each prediction was off at the catch, against how far it thought it might be (thesis, Fig. 3.4). */
export function createPredictionPanel(store: LiveStore): HTMLElement {
  const plot = new LinePlot({
    height: 170,
    xLabel: "image, before the catch [s]",
    yLabel: "error [cm]",
    lines: [
      { label: "2σ", color: "--series-6", width: 1, fill: "--band" },
      { label: "σ", color: "--series-6", width: 1.5 },
      { label: "error", color: "--series-2", marks: "points" },
    ],
  });
  const legend = element("ul", { class: "legend" }, [
    element("li", { class: "series-6", text: "σ and 2σ by the filter" }),
    element("li", { class: "series-2 dot", text: "error, once the ball is there" }),
  ]);
  const panel = createPanel(
    { title: "Prediction of the catch", hint: "Each image's prediction of where the ball will be at the catch." },
    [plot.element, legend],
  );
  refreshOn(store.changes, ["prediction", "plan", "throw", "ball"], () => {
    const points =
      store.log === null ? [] : predictionErrors(store.log, store.trails).sort((a, b) => a.before - b.before);
    plot.data = [
      points.map(({ before }) => before),
      points.map(({ sigma }) => 200 * sigma),
      points.map(({ sigma }) => 100 * sigma),
      points.map(({ error }) => (error === null ? null : 100 * error)),
    ];
    const last = points.at(-1);
    setText(panel.note, last === undefined ? "" : `now ±${number(1e3 * last.sigma)} mm`);
  });
  return panel.element;
}
