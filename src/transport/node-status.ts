import type { Node } from "./node.js";
import type { InPort } from "./port.js";

/** How a node fares, as its status message has it. */
export interface NodeReport {
  readonly component: string;
  readonly thread: number;
  readonly health: "starting" | "running" | "degraded" | "failed" | "stopped";
  readonly cycles: number;
  readonly lost: number;
  readonly behind: number;
  readonly cycleMean: number;
  readonly cycleMax: number;
  readonly detail: string;
  /** Messages put since the start, an out-port each; messages that wait, an in-port each. */
  readonly put: Float64Array;
  readonly waiting: Float64Array;
}

/** The ports of a node, as far as they are counted. */
export interface CountedPorts {
  readonly in: { readonly [name: string]: InPort<unknown> };
  readonly out: { readonly [name: string]: { readonly puts: number } };
  /** In-ports whose losses count. */
  readonly complete: readonly InPort<unknown>[];
}

/** Counts the steps of a node and how long they take. */
export class NodeStatus {
  readonly #name: string;
  readonly #complete: readonly InPort<unknown>[];
  readonly #inputs: readonly InPort<unknown>[];
  readonly #outputs: readonly { readonly puts: number }[];
  readonly #put: Float64Array;
  readonly #waiting: Float64Array;
  #cycles = 0;
  #reported = 0;
  /** Messages lost by the first report: those that came while the thread warmed up. */
  #lostBefore: number | null = null;
  /** Of the steps since the last report [s]: sum, longest. */
  readonly #durations = new Float64Array(2);

  constructor(name: string, ports: CountedPorts) {
    this.#name = name;
    this.#complete = ports.complete;
    this.#inputs = Object.values(ports.in);
    this.#outputs = Object.values(ports.out);
    this.#put = new Float64Array(this.#outputs.length);
    this.#waiting = new Float64Array(this.#inputs.length);
  }

  /** A step took so long [s]. */
  worked(duration: number): void {
    this.#cycles++;
    this.#durations[0] = this.#durations[0]! + duration;
    if (duration > this.#durations[1]!) this.#durations[1] = duration;
  }

  /** The report that is due; durations count from here on again. Its arrays are filled again by the next one. */
  report({ condition }: Node, thread: number): NodeReport {
    const lost = this.#complete.reduce((sum, port) => sum + port.lost, 0);
    for (let k = 0; k < this.#put.length; k++) this.#put[k] = this.#outputs[k]!.puts;
    for (let k = 0; k < this.#waiting.length; k++) this.#waiting[k] = this.#inputs[k]!.waiting;
    this.#lostBefore ??= lost;
    const count = this.#cycles - this.#reported;
    const cycleMean = count === 0 ? 0 : this.#durations[0]! / count;
    const cycleMax = this.#durations[1]!;
    this.#reported = this.#cycles;
    this.#durations.fill(0);
    return {
      component: this.#name,
      thread,
      health: condition?.health ?? "running",
      cycles: this.#cycles >>> 0,
      lost: (lost - this.#lostBefore) >>> 0,
      behind: this.#complete.reduce((sum, { waiting }) => sum + waiting, 0) >>> 0,
      cycleMean,
      cycleMax,
      detail: condition?.detail ?? "",
      put: this.#put,
      waiting: this.#waiting,
    };
  }
}
