import type { GraphMessage } from "../../../src/messages/page.js";
import type { ComponentState } from "../../../src/messages/system.js";
import { setAttributes, setText, svg } from "../dom/element.js";
import { percent } from "../dom/format.js";
import { type EdgeLine, type GraphLayout, layoutGraph, type NodeBox, type Orientation } from "./graph-layout.js";
import { inputWords, rateWords, restartWords } from "./node-words.js";

/** What of a node changes in the drawing. */
interface NodeFigure {
  readonly group: SVGGElement;
  readonly rate: SVGTextElement;
  readonly load: SVGTextElement;
  readonly cpu: SVGTextElement;
  readonly queue: SVGTextElement;
  readonly note: SVGTextElement;
  readonly bar: SVGRectElement;
  readonly title: SVGTitleElement;
  readonly width: number;
}

/** The graph: threads as frames, nodes with their figures in them, edges between. A click chooses a node. */
export class GraphDrawing {
  readonly element: SVGSVGElement;
  /** Called with the node that was clicked. */
  onChoose: (name: string) => void = () => undefined;
  readonly #figures = new Map<string, NodeFigure>();
  readonly #lines: { readonly edge: EdgeLine; readonly path: SVGPathElement }[] = [];
  #graph: GraphMessage | null = null;
  #orientation: Orientation | null = null;
  #chosen: string | null = null;

  constructor() {
    this.element = svg("svg", { class: "graph", role: "group", "aria-label": "The graph of nodes" });
  }

  /** Draws a graph; what was drawn before is replaced. */
  draw(graph: GraphMessage, orientation: Orientation): void {
    if (graph === this.#graph && orientation === this.#orientation) return;
    this.#graph = graph;
    this.#orientation = orientation;
    this.#figures.clear();
    this.#lines.length = 0;
    const layout = layoutGraph(graph, orientation);
    const { width, height } = layout;
    setAttributes(this.element, { viewBox: `0 0 ${width} ${height}`, width, height });
    this.element.replaceChildren(
      svg("defs", {}, [arrowTip("graph-tip"), arrowTip("graph-tip-lit")]),
      ...layout.threads.map(frame),
      ...layout.edges.map((edge) => this.#edge(edge)),
      ...this.#nodes(graph, layout),
    );
    this.choose(this.#chosen);
  }

  #edge(edge: EdgeLine): SVGElement {
    const title = svg("title", {}, [edge.ports.join("\n")]);
    const path = svg("path", { d: edge.path, class: "graph-edge", "marker-end": "url(#graph-tip)" }, [title]);
    this.#lines.push({ edge, path });
    return path;
  }

  #nodes(graph: GraphMessage, { nodes }: GraphLayout): SVGElement[] {
    const kinds = new Map(graph.nodes.map(({ name, kind }) => [name, kind]));
    return nodes.map((box) => this.#node(box, kinds.get(box.name) ?? ""));
  }

  #node(box: NodeBox, kind: string): SVGElement {
    const { name, x, y, width, height } = box;
    const text = (dx: number, dy: number, kindOf: string, anchor = "start"): SVGTextElement =>
      svg("text", { x: x + dx, y: y + dy, class: kindOf, "text-anchor": anchor });
    const label = text(14, 17, "graph-name");
    label.textContent = name;
    const figure: Omit<NodeFigure, "group"> = {
      rate: text(14, 36, "graph-figure"),
      load: text(width - 9, 36, "graph-figure", "end"),
      cpu: text(14, 52, "graph-figure quiet"),
      queue: text(width - 9, 52, "graph-figure quiet", "end"),
      note: text(width - 9, 17, "graph-note", "end"),
      bar: svg("rect", { x: x + 14, y: y + height - 7, width: 0, height: 3, rx: 1.5, class: "graph-load" }),
      title: svg("title"),
      width: width - 23,
    };
    const attributes = {
      class: "graph-node starting",
      tabindex: 0,
      role: "button",
      "aria-label": name,
      "data-node": name,
    };
    const group = svg("g", { ...attributes, "data-kind": kind }, [
      figure.title,
      svg("rect", { x, y, width, height, rx: 8, class: "graph-box" }),
      svg("rect", { x: x + 5, y: y + 8, width: 3.5, height: height - 16, rx: 1.75, class: "graph-light" }),
      label,
      figure.note,
      figure.rate,
      figure.load,
      figure.cpu,
      figure.queue,
      svg("rect", { x: x + 14, y: y + height - 7, width: width - 23, height: 3, rx: 1.5, class: "graph-load-room" }),
      figure.bar,
    ]);
    group.addEventListener("click", () => this.onChoose(name));
    group.addEventListener("keydown", ({ key }) => {
      if (key === "Enter") this.onChoose(name);
    });
    for (const [type, lit] of [
      ["pointerenter", name],
      ["pointerleave", null],
    ] as const) {
      group.addEventListener(type, () => this.#light(lit ?? this.#chosen));
    }
    this.#figures.set(name, { ...figure, group });
    return group;
  }

  /** Marks a node and its edges. */
  choose(name: string | null): void {
    this.#chosen = name;
    for (const [own, { group }] of this.#figures) group.setAttribute("aria-pressed", String(own === name));
    this.#light(name);
  }

  #light(name: string | null): void {
    for (const { edge, path } of this.#lines) {
      const isLit = edge.from === name || edge.to === name;
      path.classList.toggle("lit", isLit);
      path.classList.toggle("dim", name !== null && !isLit);
      path.setAttribute("marker-end", isLit ? "url(#graph-tip-lit)" : "url(#graph-tip)");
    }
  }

  update(components: readonly ComponentState[]): void {
    for (const component of components) {
      const figure = this.#figures.get(component.name);
      if (figure !== undefined) show(figure, component);
    }
  }
}

function show(figure: NodeFigure, component: ComponentState): void {
  const { health, load, cpu, queue, lost, inputs, restarts } = component;
  const missing = inputs.filter(({ state }) => state === "missing");
  const { group } = figure;
  group.setAttribute(
    "class",
    `graph-node ${health}${missing.length > 0 ? " lacking" : ""}${lost > 0 ? " losing" : ""}`,
  );
  const isMeasured = health === "running" || health === "degraded";
  setText(figure.rate, isMeasured ? rateWords(component.rate) : health);
  setText(figure.load, isMeasured && load !== null ? `load ${percent(load)}` : "");
  setText(figure.cpu, cpu === null ? "cpu –" : `cpu ${percent(cpu)}`);
  setText(figure.queue, `${queue} waiting · ${lost} lost`);
  setText(
    figure.note,
    [missing.length > 0 ? `⚠ ${missing.length}` : "", restartWords(restarts)].filter(Boolean).join("  "),
  );
  figure.bar.setAttribute("width", String(figure.width * Math.min(1, load ?? 0)));
  figure.bar.classList.toggle("high", (load ?? 0) > 0.8);
  setText(figure.title, [component.text, ...missing.map(inputWords)].filter(Boolean).join("\n"));
}

function frame({ name, x, y, width, height }: GraphLayout["threads"][number]): SVGElement {
  return svg("g", { class: "graph-thread" }, [
    svg("rect", { x, y, width, height, rx: 12 }),
    svg("text", { x: x + 12, y: y + 14 }, [name]),
  ]);
}

function arrowTip(id: string): SVGElement {
  const size = {
    viewBox: "0 0 6 6",
    refX: 5.2,
    refY: 3,
    markerUnits: "userSpaceOnUse",
    markerWidth: 8,
    markerHeight: 8,
  };
  return svg("marker", { id, ...size, orient: "auto" }, [svg("path", { d: "M0 0L6 3L0 6Z", class: id })]);
}
