import type { GraphMessage } from "../../../src/messages/page.js";
import type { ComponentState } from "../../../src/messages/system.js";
import type { NodeAction } from "../../../src/run/thread-switch.js";
import { controlNode } from "../connection/live-actions.js";
import { element, setText } from "../dom/element.js";
import { number, percent } from "../dom/format.js";
import { refreshOn } from "../dom/refresh.js";
import type { Page } from "../page.js";
import { inputWords, rateWords, stateWords } from "./node-words.js";

type GraphNode = GraphMessage["nodes"][number];

/** What the details of a node lead to. */
export interface DetailActions {
  readonly showFields: (port: string) => void;
  readonly showLog: (node: string) => void;
}

/** One node: how it fares, its ports with their rates, and what can be done with its thread. */
export class NodeDetails {
  readonly element: HTMLElement;
  readonly #page: Page;
  readonly #actions: DetailActions;
  readonly #title = element("h2", { text: "Node" });
  readonly #state = element("span", { class: "panel-note" });
  readonly #body = element("div", { class: "node-body" });
  readonly #buttons = element("div", { class: "button-row" });
  readonly #reason = element("p", { class: "quiet" });
  #name: string | null = null;
  #busy: NodeAction | null = null;

  constructor(page: Page, actions: DetailActions) {
    this.#page = page;
    this.#actions = actions;
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
    if (node === undefined || component === undefined) {
      setText(this.#state, "");
      this.#body.replaceChildren(element("p", { class: "empty", text: "Choose a node of the graph." }));
      this.#buttons.replaceChildren();
      setText(this.#reason, "");
      return;
    }
    setText(this.#state, stateWords(component));
    this.element.dataset.health = component.health;
    this.#body.replaceChildren(facts(node, component), inputTable(component), this.#outputTable(node, component));
    this.#showButtons(node, component);
  }

  #outputTable({ name, out }: GraphNode, { outputs }: ComponentState): HTMLElement {
    const rows = outputs.map(({ port, rate, count }) => {
      const message = out.find((own) => own.name === port)?.message ?? "";
      const open = (): void => this.#actions.showFields(`${name}.${port}`);
      const title = `Fields of ${message}`;
      const link = element("button", {
        class: "link",
        text: port,
        attributes: { type: "button", title },
        on: { click: open },
      });
      return [link, message, count === 0 ? "–" : rateWords(rate), String(count)] as const;
    });
    return table(["out-port", "message", "rate", "count"], rows, "none");
  }

  #showButtons(node: GraphNode, { health }: ComponentState): void {
    const { hello, graph } = this.#page.store;
    const isOffered = hello?.facts.controls.includes("nodes") ?? false;
    const isRunning = health === "running" || health === "degraded";
    const isEnded = health === "stopped" || health === "failed";
    const log = element("button", {
      text: "Show its log",
      attributes: { type: "button" },
      on: { click: () => this.#actions.showLog(node.name) },
    });
    const canSwitch = isOffered && node.control !== "never";
    const buttons = canSwitch
      ? [
          this.#button("Stop", "stop", isRunning),
          this.#button("Start", "start", isEnded),
          this.#button("Restart", "restart", isRunning),
        ]
      : [];
    this.#buttons.replaceChildren(...buttons, log);
    const others = graph?.nodes.filter(({ thread, name }) => thread === node.thread && name !== node.name) ?? [];
    setText(
      this.#reason,
      this.#busy === null ? switchWords(node, isOffered ? "offered" : "lock-step", others) : `${this.#busy} …`,
    );
  }

  #button(text: string, action: NodeAction, isPossible: boolean): HTMLElement {
    const disabled = isPossible && this.#busy === null ? null : "";
    const attributes = { type: "button", disabled, "data-action": action };
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

function facts({ kind, thread }: GraphNode, component: ComponentState): HTMLElement {
  const { rate, load, cpu, meanMs, maxMs, queue, lost, text } = component;
  const known = (value: number | null, format: (number: number) => string): string =>
    value === null ? "–" : format(value);
  const milliseconds = (value: number): string => `${number(value, 2)} ms`;
  const entries: readonly (readonly [string, string])[] = [
    ["kind", kind],
    ["thread", thread],
    ["rate", rateWords(rate)],
    ["load", known(load, percent)],
    ["processor", known(cpu, percent)],
    ["step", known(meanMs, milliseconds)],
    ["longest", known(maxMs, milliseconds)],
    ["waiting", String(queue)],
    ["lost", String(lost)],
  ];
  const list = element(
    "dl",
    { class: "node-facts" },
    entries.flatMap(([name, value]) => [
      element("dt", { text: name }),
      element("dd", { class: "figure", text: value }),
    ]),
  );
  return element("div", {}, [list, text === "" ? null : element("p", { class: "quiet", text })]);
}

function inputTable({ inputs }: ComponentState): HTMLElement {
  const rows = inputs.map((input) => {
    const state = element("span", {
      class: `input-state ${input.state}`,
      text: input.state,
      attributes: { title: inputWords(input) },
    });
    return [input.port, input.from, state, String(input.waiting)] as const;
  });
  return table(["in-port", "from", "", "waiting"], rows, "none");
}

function table(
  heads: readonly string[],
  rows: readonly (readonly (string | HTMLElement)[])[],
  none: string,
): HTMLElement {
  if (rows.length === 0) return element("p", { class: "quiet", text: `${heads[0]}s: ${none}` });
  const head = element(
    "tr",
    {},
    heads.map((text) => element("th", { text, attributes: { scope: "col" } })),
  );
  const body = rows.map((row) =>
    element(
      "tr",
      {},
      row.map((cell) => element("td", { class: "figure" }, [cell])),
    ),
  );
  return element("div", { class: "scroll-x" }, [
    element("table", { class: "figures ports" }, [element("thead", {}, [head]), element("tbody", {}, body)]),
  ]);
}
