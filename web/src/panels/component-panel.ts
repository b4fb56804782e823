import type { ComponentState } from "../../../src/messages/system.js";
import { element, setText } from "../dom/element.js";
import { number, percent, words } from "../dom/format.js";
import { createPanel } from "../dom/panel.js";
import { refreshOn } from "../dom/refresh.js";
import type { LiveStore } from "../live/live-store.js";

const columns = ["", "rate", "CPU", "mean", "longest", "queue", "lost"];

/** The parts of the pipeline and how they fare. */
export function createComponentPanel(store: LiveStore): HTMLElement {
  const body = element("tbody");
  const table = element("table", { class: "figures" }, [
    element("thead", {}, [
      element(
        "tr",
        {},
        columns.map((name) => element("th", { text: name, attributes: { scope: "col" } })),
      ),
    ]),
    body,
  ]);
  const panel = createPanel(
    {
      title: "Components",
      state: "folded",
      hint: "Rate, share of a core, time of a cycle, queue and lost packets of each part.",
    },
    [element("div", { class: "scroll-x" }, [table])],
  );
  refreshOn(store.changes, ["components"], () => {
    const components = store.components?.components ?? [];
    const unwell = components.filter(({ health }) => health !== "running").length;
    setText(
      panel.note,
      components.length === 0
        ? "none reported"
        : unwell === 0
          ? `all ${components.length} running`
          : `${unwell} not running`,
    );
    body.replaceChildren(...components.map(row));
  });
  return panel.element;
}

function row({ name, health, rate, cpu, meanMs, maxMs, queue, lost, text }: ComponentState): HTMLElement {
  const cell = (value: string): HTMLElement => element("td", { class: "figure", text: value });
  const optional = (value: number | null, format: (known: number) => string): string =>
    value === null ? "–" : format(value);
  const title = text === "" ? health : `${health}: ${text}`;
  return element("tr", { attributes: { title } }, [
    element("th", { attributes: { scope: "row" } }, [
      element("span", { class: `health ${health}`, attributes: { role: "img", "aria-label": health } }),
      words(name),
    ]),
    cell(optional(rate, (hertz) => `${number(hertz)} Hz`)),
    cell(optional(cpu, percent)),
    cell(optional(meanMs, (ms) => `${number(ms, 2)} ms`)),
    cell(optional(maxMs, (ms) => `${number(ms, 1)} ms`)),
    cell(String(queue)),
    cell(String(lost)),
  ]);
}
