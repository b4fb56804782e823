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
}

/** Counts the steps of a node and how long they take. */
export class NodeStatus {
  readonly #name: string;
  readonly #inputs: readonly InPort<unknown>[];
  #cycles = 0;
  #reported = 0;
  /** Messages lost by the first report: those that came while the thread warmed up. */
  #lostBefore: number | null = null;
  /** Of the steps since the last report [s]: sum, longest. */
  readonly #durations = new Float64Array(2);

  /** `inputs` are the in-ports whose losses count. */
  constructor(name: string, inputs: readonly InPort<unknown>[]) {
    this.#name = name;
    this.#inputs = inputs;
  }

  /** A step took so long [s]. */
  worked(duration: number): void {
    this.#cycles++;
    this.#durations[0] = this.#durations[0]! + duration;
    if (duration > this.#durations[1]!) this.#durations[1] = duration;
  }

  /** The report that is due; durations count from here on again. */
  report({ condition }: Node, thread: number): NodeReport {
    const lost = this.#inputs.reduce((sum, port) => sum + port.lost, 0);
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
      behind: this.#inputs.reduce((sum, { waiting }) => sum + waiting, 0) >>> 0,
      cycleMean,
      cycleMax,
      detail: condition?.detail ?? "",
    };
  }
}
