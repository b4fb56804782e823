import { type Graph, portName } from "./graph.js";
import type { Node } from "./node.js";
import { type InPort, nothingIn, type OutPort } from "./port.js";
import { Queue, QueueOutPort } from "./queue.js";

/** Several edges to one port: what each of them has, in their order. */
class MergedInPort implements InPort<unknown> {
  readonly #ports: readonly InPort<unknown>[];

  constructor(ports: readonly InPort<unknown>[]) {
    this.#ports = ports;
  }

  take(nowNs: number): unknown {
    for (let k = 0; k < this.#ports.length; k++) {
      const message = this.#ports[k]!.take(nowNs);
      if (message !== null) return message;
    }
    return null;
  }

  get waiting(): number {
    return this.#ports.reduce((sum, { waiting }) => sum + waiting, 0);
  }

  get lost(): number {
    return this.#ports.reduce((sum, { lost }) => sum + lost, 0);
  }
}

/** The ports of one node, by name. */
export interface NodeWiring {
  readonly in: { readonly [name: string]: InPort<unknown> };
  readonly out: { readonly [name: string]: OutPort<unknown> };
}

/**
 * Steps all nodes of a graph in its order, once a tick of a clock that is the caller's. Edges are queues with the latencies of
 * the graph. Nothing depends on the wall clock: the same messages give the same bits. Where a message is still being worked on by
 * another thread, `step` waits for it at the time it is due, never earlier.
 */
export class LockStepExecutor {
  readonly #queues: Queue<unknown>[] = [];
  readonly #wirings = new Map<
    string,
    { in: Record<string, InPort<unknown>>; out: Record<string, QueueOutPort<unknown>> }
  >();
  readonly #order: readonly string[];
  #nodes: readonly Node[] = [];

  /** `ports` says which ports a node has: all of them are there, joined or not. */
  constructor(graph: Graph, ports: (kind: string) => { readonly in: object; readonly out: object }) {
    this.#order = graph.nodes.map(({ name }) => name);
    for (const { name, kind } of graph.nodes) {
      const { in: ins, out } = ports(kind);
      this.#wirings.set(name, {
        in: Object.fromEntries(Object.keys(ins).map((port) => [port, nothingIn])),
        out: Object.fromEntries(Object.keys(out).map((port) => [port, new QueueOutPort<unknown>()])),
      });
    }
    for (const { from, to, latencyNs, policy } of graph.edges) {
      this.#join(from, latencyNs, policy, (queue) => {
        const { node, port } = portName(to);
        const { in: ins } = this.#wirings.get(node)!;
        ins[port] = ins[port] === nothingIn ? queue : new MergedInPort([ins[port]!, queue]);
      });
    }
  }

  #join(from: string, latencyNs: number, policy: "every" | "newest", use: (queue: Queue<unknown>) => void): void {
    const { node, port } = portName(from);
    const queue = new Queue<unknown>(latencyNs, policy);
    this.#queues.push(queue);
    this.#wirings.get(node)!.out[port]!.join(queue);
    use(queue);
  }

  /** The ports of a node, to build it with. */
  wiring(node: string): NodeWiring {
    return this.#wirings.get(node)!;
  }

  /** Another reader of an out-port, without latency: what a run or a test looks at. */
  tap<M>(from: string): InPort<M> {
    let tapped: Queue<unknown> | null = null;
    this.#join(from, 0, "every", (queue) => {
      tapped = queue;
    });
    return tapped! as InPort<M>;
  }

  /** Puts into an in-port that no node feeds. */
  feed<M>(to: string, latencyNs = 0): OutPort<M> {
    const { node, port } = portName(to);
    const out = new QueueOutPort<unknown>();
    const queue = new Queue<unknown>(latencyNs, "every");
    out.join(queue);
    this.#queues.push(queue);
    this.#wirings.get(node)!.in[port] = queue;
    return out as OutPort<M>;
  }

  /** The nodes, each under its name; to be set before the first step. */
  set nodes(nodes: ReadonlyMap<string, Node>) {
    this.#nodes = this.#order.map((name) => nodes.get(name)!);
  }

  /** One tick at `nowNs`; a promise where it must wait for another thread. */
  step(nowNs: number): Promise<void> | undefined {
    for (let k = 0; k < this.#queues.length; k++) {
      const wait = this.#queues[k]!.settle(nowNs);
      if (wait !== null) return wait.then(() => this.step(nowNs));
    }
    for (let k = 0; k < this.#nodes.length; k++) this.#nodes[k]!.step(nowNs);
    return undefined;
  }

  async close(): Promise<void> {
    for (const node of this.#nodes) await node.close?.();
  }
}
