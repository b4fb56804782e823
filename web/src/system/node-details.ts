import type { NodeAction } from "../../../src/run/thread-switch.js";
import { controlNode } from "../connection/live-actions.js";
import { element, setText } from "../dom/element.js";
import { refreshOn } from "../dom/refresh.js";
import type { Page } from "../page.js";
import { type GraphNode, NodeFigures } from "./node-figures.js";
import { stateWords } from "./node-words.js";

/** What the details of a node lead to. */
export interface DetailActions {
  readonly showFields: (port: string) => void;
  readonly showLog: (node: string) => void;
}

const switches = [
  ["Stop", "stop"],
  ["Start", "start"],
  ["Restart", "restart"],
] as const;

/**
 * One node: how it fares, its ports with their rates, and what can be done with its thread. Figures come many times a second;
 * buttons stay what they are, or a press that is longer than that would be none.
 */
export class NodeDetails {
  readonly element: HTMLElement;
  readonly #page: Page;
  readonly #actions: DetailActions;
  readonly #title = element("h2", { text: "Node" });
  readonly #state = element("span", { class: "panel-note" });
  readonly #body = element("div");
  readonly #switches = switches.map(([text, action]) => this.#button(text, action));
  readonly #buttons: HTMLElement;
  readonly #reason = element("p", { class: "quiet" });
  #figures: NodeFigures | null = null;
  #name: string | null = null;
  #busy: NodeAction | null = null;

  constructor(page: Page, actions: DetailActions) {
    this.#page = page;
    this.#actions = actions;
    const log = element("button", {
      text: "Show its log",
      attributes: { type: "button" },
      on: { click: () => this.#name !== null && actions.showLog(this.#name) },
    });
    this.#buttons = element("div", { class: "button-row" }, [...this.#switches, log]);
    this.element = element("section", { class: "panel node-details", attributes: { "aria-label": "Node" } }, [
      element("div", { class: "system-head" }, [this.#title, this.#state]),
      this.#body,
      this.#buttons,
      this.#reason,
    ]);
    refreshOn(page.store.changes, ["components", "graph", "state"], () => this.#update());
  }

  show(name: string | null): void {
    this.#name = name;
    this.#update();
  }

  #update(): void {
    const { graph, components } = this.#page.store;
    const node = graph?.nodes.find(({ name }) => name === this.#name);
    const component = components?.components.find(({ name }) => name === this.#name);
    setText(this.#title, node?.name ?? "Node");
    this.#buttons.hidden = node === undefined || component === undefined;
    if (node === undefined || component === undefined) {
      setText(this.#state, "");
      this.#figures = null;
      this.#body.replaceChildren(element("p", { class: "empty", text: "Choose a node of the graph." }));
      setText(this.#reason, "");
      return;
    }
    setText(this.#state, stateWords(component));
    this.element.dataset.health = component.health;
    if (this.#figures?.isOf(node) !== true) {
      this.#figures = new NodeFigures(node, component, this.#actions.showFields);
      this.#body.replaceChildren(this.#figures.element);
    }
    this.#figures.update(component);
    this.#updateSwitches(node, component.health);
  }

  #updateSwitches(node: GraphNode, health: string): void {
    const { hello, graph } = this.#page.store;
    const isOffered = hello?.facts.controls.includes("nodes") ?? false;
    const isRunning = health === "running" || health === "degraded";
    const isEnded = health === "stopped" || health === "failed";
    for (const [k, button] of this.#switches.entries()) {
      button.hidden = !isOffered || node.control === "never";
      button.disabled = this.#busy !== null || !(switches[k]![1] === "start" ? isEnded : isRunning);
    }
    const others = graph?.nodes.filter(({ thread, name }) => thread === node.thread && name !== node.name) ?? [];
    const words = switchWords(node, isOffered ? "offered" : "lock-step", others);
    setText(this.#reason, this.#busy === null ? words : `${this.#busy} …`);
  }

  #button(text: string, action: NodeAction): HTMLButtonElement {
    const attributes = { type: "button", "data-action": action };
    return element("button", { text, attributes, on: { click: () => void this.#act(action) } });
  }

  async #act(action: NodeAction): Promise<void> {
    const name = this.#name;
    if (name === null) return;
    this.#busy = action;
    this.#update();
    await this.#page.toasts.guard(controlNode(name, action));
    this.#busy = null;
    this.#update();
  }
}

function switchWords(
  { control, thread }: GraphNode,
  run: "offered" | "lock-step",
  others: readonly GraphNode[],
): string {
  if (run === "lock-step") return "In lock-step all nodes share one thread: none is stopped alone.";
  if (control === "never") return "Never stopped by hand: the robot cannot do without this thread.";
  const together = others.length === 0 ? "" : ` Stops and starts with ${others.map(({ name }) => name).join(", ")}.`;
  const when = control === "waiting" ? " Only while the robot waits." : "";
  return `Thread ${thread}.${together}${when}`;
}
