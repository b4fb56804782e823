import type { GraphMessage } from "../../../src/messages/page.js";
import { element } from "../dom/element.js";
import { fieldName, isJointIndex, type PlottableField, type Topic, topicsOf } from "./field-names.js";

/** What a tree needs of the page. */
export interface TreeActions {
  /** Plots a field, or no longer. */
  readonly toggle: (field: string, description: string) => void;
  readonly isPlotted: (field: string) => boolean;
}

/** All out-ports of the graph with the fields of their messages; a click plots one. */
export class FieldTree {
  readonly element: HTMLElement;
  readonly #actions: TreeActions;
  readonly #list = element("div", { class: "field-list" });
  readonly #search: HTMLInputElement;
  readonly #buttons = new Map<HTMLButtonElement, () => string>();
  #topics: readonly Topic[] = [];
  #joints: readonly string[] = [];

  constructor(actions: TreeActions) {
    this.#actions = actions;
    this.#search = element("input", {
      attributes: { type: "search", placeholder: "Node, message or field", "aria-label": "Search fields" },
      on: { input: () => this.#fill() },
    });
    this.element = element("div", { class: "field-tree" }, [this.#search, this.#list]);
  }

  /** `joints`: names in the order of joint vectors. */
  show(graph: GraphMessage, joints: readonly string[]): void {
    this.#topics = topicsOf(graph);
    this.#joints = joints;
    this.#fill();
  }

  /** Opens the fields of one out-port. */
  open(port: string): void {
    this.#search.value = port;
    this.#fill();
  }

  /** What is plotted has changed. */
  update(): void {
    for (const [button, name] of this.#buttons) {
      button.setAttribute("aria-pressed", String(this.#actions.isPlotted(name())));
    }
  }

  #fill(): void {
    const words = this.#search.value.trim().toLowerCase();
    this.#buttons.clear();
    const found = this.#topics.filter(({ port, message }) => {
      const text = `${port} ${message.name} ${message.fields.map(({ path }) => `${port}.${path}`).join(" ")}`;
      return text.toLowerCase().includes(words);
    });
    const isNarrow = words !== "" && found.length <= 2;
    this.#list.replaceChildren(...found.map((topic) => this.#topic(topic, isNarrow ? "open" : "folded")));
  }

  #topic(topic: Topic, state: "open" | "folded"): HTMLElement {
    const body = element("div", { class: "field-rows" });
    const details = element("details", { class: "field-topic" }, [
      element("summary", { attributes: { title: topic.message.description } }, [
        element("span", { class: "field-port", text: topic.port }),
        element("span", { class: "quiet", text: topic.message.name }),
      ]),
      body,
    ]);
    // Fields are made when they are looked at: there are some thousands.
    details.addEventListener("toggle", () => {
      if (details.open && body.childElementCount === 0) {
        body.append(...topic.message.fields.map((field) => this.#field(topic.port, field)));
      }
    });
    details.open = state === "open";
    return details;
  }

  #field(port: string, { path, counts, description }: PlottableField): HTMLElement {
    const indices = counts.map((count) => this.#index(count, () => this.update()));
    const name = (): string =>
      fieldName(
        port,
        path,
        indices.map(({ value }) => Number(value)),
      );
    const button = element("button", {
      class: "field-name",
      text: path,
      attributes: { type: "button", title: description === "" ? path : description },
      on: { click: () => this.#actions.toggle(name(), description) },
    });
    this.#buttons.set(button, name);
    button.setAttribute("aria-pressed", String(this.#actions.isPlotted(name())));
    return element("div", { class: "field-row" }, [button, ...indices]);
  }

  #index(count: number, changed: () => void): HTMLInputElement | HTMLSelectElement {
    const on = { change: changed };
    if (isJointIndex(count) && this.#joints.length > 0) {
      const options = this.#joints.map((joint, k) => element("option", { text: joint, attributes: { value: k } }));
      return element("select", { class: "field-index joint", attributes: { "aria-label": "Joint" }, on }, options);
    }
    const attributes = { type: "number", min: 0, max: count - 1, value: 0, "aria-label": `Index, 0 to ${count - 1}` };
    return element("input", { class: "field-index", attributes, on });
  }
}
