import type { GraphMessage } from "../../../src/messages/page.js";
import type { ComponentState } from "../../../src/messages/system.js";
import { element, setText } from "../dom/element.js";
import { number, percent } from "../dom/format.js";
import { inputWords, rateWords } from "./node-words.js";

export type GraphNode = GraphMessage["nodes"][number];

const factNames = ["kind", "thread", "rate", "load", "processor", "step", "longest", "waiting", "lost"] as const;

/**
 * Figures and ports of one node. Elements are made once and only their words change: a link that is pressed is still the
 * same when it is released.
 */
export class NodeFigures {
  readonly element: HTMLElement;
  readonly #node: GraphNode;
  readonly #facts = factNames.map(() => element("dd", { class: "figure" }));
  readonly #text = element("p", { class: "quiet" });
  readonly #inputs: PortTable;
  readonly #outputs: PortTable;

  constructor(node: GraphNode, { inputs, outputs }: ComponentState, showFields: (port: string) => void) {
    this.#node = node;
    const facts = factNames.flatMap((name, k) => [element("dt", { text: name }), this.#facts[k]!]);
    const states = inputs.map(() => element("span"));
    this.#inputs = new PortTable(["in-port", "from", "", "waiting"], states, 2);
    const links = outputs.map(({ port }) => this.#link(port, showFields));
    this.#outputs = new PortTable(["out-port", "message", "rate", "count"], links, 0);
    this.element = element("div", { class: "node-body" }, [
      element("div", {}, [element("dl", { class: "node-facts" }, facts), this.#text]),
      this.#inputs.element,
      this.#outputs.element,
    ]);
  }

  /** Whether these are the figures of `node`, as the graph now is. */
  isOf(node: GraphNode): boolean {
    return this.#node === node;
  }

  update(component: ComponentState): void {
    for (const [k, words] of factWords(this.#node, component).entries()) setText(this.#facts[k]!, words);
    setText(this.#text, component.text);
    this.#text.hidden = component.text === "";
    for (const [k, input] of component.inputs.entries()) {
      const state = this.#inputs.part(k);
      state.className = `input-state ${input.state}`;
      state.title = inputWords(input);
      setText(state, input.state);
      this.#inputs.update(k, [input.port, input.from, null, String(input.waiting)]);
    }
    for (const [k, { port, rate, count }] of component.outputs.entries()) {
      const message = this.#messageOf(port);
      this.#outputs.update(k, [null, message, count === 0 ? "–" : rateWords(rate), String(count)]);
    }
  }

  #messageOf(port: string): string {
    return this.#node.out.find(({ name }) => name === port)?.message ?? "";
  }

  #link(port: string, showFields: (port: string) => void): HTMLElement {
    const title = `Fields of ${this.#messageOf(port)}`;
    const click = (): void => showFields(`${this.#node.name}.${port}`);
    return element("button", { class: "link", text: port, attributes: { type: "button", title }, on: { click } });
  }
}

function factWords({ kind, thread }: GraphNode, component: ComponentState): readonly string[] {
  const { rate, load, cpu, meanMs, maxMs, queue, lost } = component;
  const known = (value: number | null, format: (number: number) => string): string =>
    value === null ? "–" : format(value);
  const milliseconds = (value: number): string => `${number(value, 2)} ms`;
  const times = [known(meanMs, milliseconds), known(maxMs, milliseconds)];
  return [
    kind,
    thread,
    rateWords(rate),
    known(load, percent),
    known(cpu, percent),
    ...times,
    String(queue),
    String(lost),
  ];
}

/** A row a port; one of its columns holds an element that stays. */
class PortTable {
  readonly element: HTMLElement;
  readonly #parts: readonly HTMLElement[];
  readonly #cells: readonly (readonly HTMLElement[])[];

  constructor(heads: readonly string[], parts: readonly HTMLElement[], column: number) {
    this.#parts = parts;
    this.#cells = parts.map((part) =>
      heads.map((_, k) => element("td", { class: "figure" }, k === column ? [part] : [])),
    );
    if (parts.length === 0) {
      this.element = element("p", { class: "quiet", text: `${heads[0]}s: none` });
      return;
    }
    const head = element(
      "tr",
      {},
      heads.map((text) => element("th", { text, attributes: { scope: "col" } })),
    );
    const body = this.#cells.map((cells) => element("tr", {}, cells));
    this.element = element("div", { class: "scroll-x" }, [
      element("table", { class: "figures ports" }, [element("thead", {}, [head]), element("tbody", {}, body)]),
    ]);
  }

  /** The element of a row that stays. */
  part(row: number): HTMLElement {
    return this.#parts[row]!;
  }

  /** `words`: of each column; null where the element is. */
  update(row: number, words: readonly (string | null)[]): void {
    for (const [k, text] of words.entries()) if (text !== null) setText(this.#cells[row]![k]!, text);
  }
}
