import type { Graph } from "./graph.js";
import type { NodePorts } from "./port.js";
import { StepTrace, type TraceRecord } from "./step-trace.js";

/** What one thread did while a trace was on. */
export interface ThreadTrace {
  readonly thread: string;
  /** Names of what records are of, by their `index`: nodes of steps, out-ports of messages. */
  readonly nodes: readonly string[];
  readonly ports: readonly string[];
  readonly records: readonly TraceRecord[];
  /** Records for which there was no room, the oldest. */
  readonly overwritten: number;
}

/** The out-ports of a placement, as `tracker.predictions`, in the order in which traces number them. */
export function outPortsOf({ nodes }: Graph, portsOf: (kind: string) => NodePorts, placement: string): string[] {
  return nodes
    .filter((node) => node.placement === placement)
    .flatMap(({ name, kind }) => Object.keys(portsOf(kind).out).map((port) => `${name}.${port}`));
}

/** The traces of all threads of a graph, one a placement. */
export class ThreadTraces {
  readonly #memories = new Map<string, SharedArrayBuffer>();
  readonly #graph: Graph;
  readonly #portsOf: (kind: string) => NodePorts;

  constructor(graph: Graph, portsOf: (kind: string) => NodePorts) {
    this.#graph = graph;
    this.#portsOf = portsOf;
    for (const { placement } of graph.nodes) this.#memories.set(placement, StepTrace.memory());
  }

  /** For the thread of a placement. */
  memoryOf(placement: string): SharedArrayBuffer {
    return this.#memories.get(placement)!;
  }

  begin(): void {
    for (const memory of this.#memories.values()) new StepTrace(memory).begin();
  }

  end(): ThreadTrace[] {
    for (const memory of this.#memories.values()) new StepTrace(memory).end();
    return Array.from(this.#memories, ([thread, memory]) => {
      const trace = new StepTrace(memory);
      const nodes = this.#graph.nodes.filter(({ placement }) => placement === thread).map(({ name }) => name);
      const ports = outPortsOf(this.#graph, this.#portsOf, thread);
      return { thread, nodes, ports, records: trace.records(), overwritten: trace.overwritten };
    });
  }
}
