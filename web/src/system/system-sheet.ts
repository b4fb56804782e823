import { element, setText } from "../dom/element.js";
import { refreshOn } from "../dom/refresh.js";
import type { Page, Sheet } from "../page.js";
import { FieldPlots } from "./field-plots.js";
import { FieldTree } from "./field-tree.js";
import { GraphDrawing } from "./graph-drawing.js";
import { LogView } from "./log-view.js";
import { NodeDetails } from "./node-details.js";
import { createTraceButton } from "./trace-button.js";

/** Below this width of the drawing's place the stages go from top to bottom [px]. */
const NARROW = 760;

/** The system itself: its graph with the figures of all nodes, its log, and plots of any field of any message. */
export class SystemSheet implements Sheet {
  readonly element: HTMLElement;
  readonly #page: Page;
  readonly #drawing = new GraphDrawing();
  readonly #details: NodeDetails;
  readonly #log: LogView;
  readonly #plots: FieldPlots;
  readonly #tree: FieldTree;
  readonly #place = element("div", { class: "graph-place" }, [this.#drawing.element]);
  readonly #note = element("span", { class: "panel-note" });
  readonly #absent = element("p", { class: "empty", text: "The graph is shown when a live run is there." });

  constructor(page: Page) {
    const { store, stream, toasts } = page;
    this.#page = page;
    this.#log = new LogView(store);
    this.#plots = new FieldPlots(stream);
    this.#tree = new FieldTree({
      toggle: (field, description) => this.#plots.toggle(field, description),
      isPlotted: (field) => this.#plots.isPlotted(field),
    });
    this.#plots.onChange = () => this.#tree.update();
    this.#details = new NodeDetails(page, {
      showFields: (port) => this.#tree.open(port),
      showLog: (node) => this.#log.showNode(node),
    });
    this.#drawing.onChoose = (name) => this.#choose(name);
    this.#place.append(this.#absent);
    this.element = element("main", { class: "sheet system" }, [
      element("section", { class: "panel system-graph", attributes: { "aria-label": "Graph" } }, [
        element("div", { class: "system-head" }, [
          element("h2", { text: "Graph" }),
          createLegend(),
          this.#note,
          createTraceButton(toasts),
        ]),
        this.#place,
      ]),
      this.#details.element,
      this.#log.element,
      element("section", { class: "panel system-fields", attributes: { "aria-label": "Fields" } }, [
        element("div", { class: "system-head" }, [element("h2", { text: "Fields of messages" })]),
        this.#plots.element,
        this.#tree.element,
      ]),
    ]);
    new ResizeObserver(() => this.#draw()).observe(this.#place);
    refreshOn(store.changes, ["graph", "hello"], () => this.#meet());
    refreshOn(store.changes, ["components"], () => this.#update());
  }

  show(): void {
    this.#plots.isShown = true;
  }

  hide(): void {
    this.#plots.isShown = false;
  }

  #choose(name: string): void {
    this.#drawing.choose(name);
    this.#details.show(name);
  }

  #meet(): void {
    const { graph, hello } = this.#page.store;
    this.#absent.hidden = graph !== null;
    if (graph === null) return;
    this.#tree.show(graph, hello?.facts.joints ?? []);
    this.#draw();
  }

  #draw(): void {
    const { graph } = this.#page.store;
    const width = this.#place.clientWidth;
    if (graph === null || width === 0) return;
    this.#drawing.draw(graph, width < NARROW ? "rows" : "columns");
    this.#update();
  }

  #update(): void {
    const { components, graph, hello } = this.#page.store;
    if (components === null || graph === null) return;
    this.#drawing.update(components.components);
    const beside = components.components.filter(({ name }) => graph.nodes.every((node) => node.name !== name));
    const words = beside.map(({ name, cpu, text }) => {
      return `${name}: ${cpu === null ? "–" : `${(100 * cpu).toFixed(0)} %`}${text === "" ? "" : `, ${text}`}`;
    });
    const clock = hello?.facts.clock === "lock-step" ? ["one thread steps all nodes"] : [];
    setText(this.#note, [...clock, ...words].join(" · "));
  }
}

function createLegend(): HTMLElement {
  const states = ["running", "starting", "degraded", "stopped", "failed"];
  return element(
    "ul",
    { class: "graph-legend", attributes: { "aria-label": "Colours of states" } },
    states.map((state) => element("li", { class: state, text: state })),
  );
}
