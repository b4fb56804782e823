import type { Node } from "./node.js";
import { type CountedPorts, type NodeReport, NodeStatus } from "./node-status.js";
import { StepTrace } from "./step-trace.js";
import type { ThreadTrace } from "./thread-traces.js";

/** A node whose steps are measured. */
export interface MeteredNode {
  readonly name: string;
  readonly node: Node;
  readonly ports: CountedPorts;
}

/** Where all nodes share a thread: counts and times their steps by the wall clock, and traces them on request. */
export class StepMeter {
  readonly #nodes: readonly MeteredNode[];
  readonly #statuses: readonly NodeStatus[];
  /** Its memory is made for the first trace. */
  #trace: StepTrace | null = null;

  constructor(nodes: readonly MeteredNode[]) {
    this.#nodes = nodes;
    this.#statuses = nodes.map(({ name, ports }) => new NodeStatus(name, ports));
  }

  /** The clock by which steps are timed [ns]. */
  nowNs(): number {
    return 1e6 * performance.now();
  }

  /** A step of the k-th node has ended that began at `begunNs`. */
  stepped(k: number, begunNs: number): void {
    const endedNs = this.nowNs();
    this.#statuses[k]!.worked((endedNs - begunNs) / 1e9);
    if (this.#trace?.isOn === true) this.#trace.step(k, begunNs, endedNs);
  }

  /** How the nodes fare since the last call; their arrays are filled again by the next one. */
  reports(): NodeReport[] {
    return this.#nodes.map(({ node }, k) => this.#statuses[k]!.report(node, 0));
  }

  beginTrace(): void {
    this.#trace ??= new StepTrace(StepTrace.memory());
    this.#trace.begin();
  }

  /** `thread`: what the track is called. */
  endTrace(thread: string): ThreadTrace {
    this.#trace?.end();
    const nodes = this.#nodes.map(({ name }) => name);
    const { records = [], overwritten = 0 } = {
      records: this.#trace?.records(),
      overwritten: this.#trace?.overwritten,
    };
    return { thread, nodes, ports: [], records, overwritten };
  }
}
