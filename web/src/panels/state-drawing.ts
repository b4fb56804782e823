import { catchChart } from "../../../src/catching/catch-states.js";
import { svg } from "../dom/element.js";

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

const box = (x: number, y: number, width: number, height: number): Box => ({ x, y, width, height });

/** Where each state is drawn. Those that hold others are drawn as frames about them. */
const places: Readonly<Record<string, Box>> = {
  watching: box(16, 66, 84, 32),
  reaching: box(140, 32, 74, 30),
  grasping: box(226, 32, 74, 30),
  holding: box(312, 32, 74, 30),
  homing: box(140, 104, 74, 30),
  dropping: box(226, 104, 74, 30),
  carrying: box(312, 104, 74, 30),
  idle: box(16, 168, 60, 26),
  braking: box(168, 168, 74, 26),
  fault: box(312, 168, 74, 26),
};

const frames: Readonly<Record<string, Box>> = {
  active: box(6, 6, 392, 148),
  catching: box(130, 14, 262, 56),
  returning: box(130, 86, 262, 56),
};

/** Arrows as they are drawn; the chart in the program has the same. */
const arrows: readonly { readonly from: string; readonly to: string; readonly path: string }[] = [
  { from: "idle", to: "watching", path: "M46 168V101" },
  { from: "watching", to: "reaching", path: "M72 66C72 47 100 47 137 47" },
  { from: "reaching", to: "grasping", path: "M214 47H223" },
  { from: "grasping", to: "holding", path: "M300 47H309" },
  { from: "holding", to: "carrying", path: "M356 62V101" },
  { from: "holding", to: "homing", path: "M330 62C326 84 222 82 202 102" },
  { from: "reaching", to: "homing", path: "M170 62V101" },
  { from: "carrying", to: "dropping", path: "M312 119H303" },
  { from: "dropping", to: "homing", path: "M226 119H217" },
  { from: "homing", to: "watching", path: "M140 119C100 119 72 119 72 101" },
  { from: "active", to: "braking", path: "M222 154V165" },
  { from: "braking", to: "homing", path: "M188 168V137" },
  { from: "braking", to: "fault", path: "M242 181H309" },
  { from: "fault", to: "homing", path: "M330 168C330 160 204 168 204 137" },
];

/** A drawing of the arm's state machine in which states can be lit. */
export class StateDrawing {
  readonly element: SVGSVGElement;
  readonly #states = new Map<string, SVGGElement>();
  readonly #arrows = new Map<string, SVGPathElement>();

  constructor() {
    const tip = svg(
      "marker",
      {
        id: "state-tip",
        viewBox: "0 0 6 6",
        refX: 5,
        refY: 3,
        markerUnits: "userSpaceOnUse",
        markerWidth: 6,
        markerHeight: 6,
        orient: "auto",
      },
      [svg("path", { d: "M0 0L6 3L0 6Z", class: "state-tip" })],
    );
    const words = `States: ${[...new Set(catchChart.transitions.map(({ to }) => to))].join(", ")}`;
    this.element = svg("svg", { viewBox: "0 0 404 200", class: "states", role: "img", "aria-label": words }, [
      svg("defs", {}, [tip]),
      ...Object.entries(frames).map(([name, place]) => this.#frame(name, place)),
      ...arrows.map(({ from, to, path }) => this.#arrow(`${from} ${to}`, path)),
      ...Object.entries(places).map(([name, place]) => this.#state(name, place)),
    ]);
  }

  /** Lights the states of the arms, and the ways they came by. `arms` by the letter that stands for each. */
  light(arms: ReadonlyMap<string, { readonly state: string; readonly from: string | null }>): void {
    const lit = new Map<string, string[]>();
    const ways = new Set<string>();
    for (const [letter, { state, from }] of arms) {
      lit.set(state, [...(lit.get(state) ?? []), letter]);
      if (from !== null) ways.add(`${from} ${state}`);
    }
    for (const [name, state] of this.#states) {
      const letters = lit.get(name) ?? [];
      state.classList.toggle("lit", letters.length > 0);
      state.querySelector(".state-arms")!.textContent = letters.join(" ");
    }
    for (const [way, arrow] of this.#arrows) arrow.classList.toggle("lit", ways.has(way));
  }

  #frame(name: string, { x, y, width, height }: Box): SVGElement {
    return svg("g", { class: "state-frame" }, [
      svg("rect", { x, y, width, height, rx: 9 }),
      svg("text", { x: x + 10, y: y + 13 }, [name]),
    ]);
  }

  #state(name: string, { x, y, width, height }: Box): SVGElement {
    const group = svg("g", { class: `state ${name}` }, [
      svg("rect", { x, y, width, height, rx: 7 }),
      svg("text", { x: x + width / 2, y: y + height / 2 + 4, "text-anchor": "middle" }, [name]),
      svg("text", { x: x + width - 5, y: y - 3, class: "state-arms", "text-anchor": "end" }),
    ]);
    this.#states.set(name, group);
    return group;
  }

  #arrow(way: string, path: string): SVGElement {
    const arrow = svg("path", { d: path, class: "state-arrow", "marker-end": "url(#state-tip)" });
    this.#arrows.set(way, arrow);
    return arrow;
  }
}
