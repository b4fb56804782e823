import { type Graph, portName } from "./graph.js";
import type { Node } from "./node.js";
import { type InPort, nothingIn, type OutPort, type Policy } from "./port.js";
import { Backlog, MergedInPort, Queue, QueueOutPort } from "./queue.js";
import { StepMeter } from "./step-meter.js";

/** The ports of one node, by name. */
export interface NodeWiring {
  readonly in: { readonly [name: string]: InPort<object> };
  readonly out: { readonly [name: string]: OutPort<object> };
}

interface OpenWiring {
  readonly in: Record<string, InPort<object>>;
  readonly out: Record<string, QueueOutPort<object>>;
  readonly backlog: Backlog;
  /** Edges that hand over every message. */
  readonly complete: InPort<object>[];
}

/** A node, and what says whether it is to be stepped. */
interface SteppedNode {
  readonly node: Node;
  readonly backlog: Backlog;
  wakeNs: number;
}

/**
 * Steps the nodes of a graph in its order, at each tick of a clock that is the caller's: those whose time has come, and those for
 * which messages wait. Edges are queues with the latencies of the graph. Nothing depends on the wall clock: the same messages give the same bits. Where a message is still being worked on by
 * another thread, `step` waits for it at the time it is due, never earlier.
 */
export class LockStepExecutor {
  readonly #queues: Queue<object>[] = [];
  readonly #wirings = new Map<string, OpenWiring>();
  /** Of the taps. */
  readonly #tapped = new Backlog();
  readonly #order: readonly string[];
  #nodes: readonly SteppedNode[] = [];
  #meter: StepMeter | null = null;
  /**
   * Takes the errors of nodes, which are then stepped again at the next tick. Left out: the first error ends the step, and with it
   * the run.
   */
  onError: ((node: string, error: unknown) => void) | null = null;

  /** `ports` says which ports a node has: all of them are there, joined or not. */
  constructor(graph: Graph, ports: (kind: string) => { readonly in: object; readonly out: object }) {
    this.#order = graph.nodes.map(({ name }) => name);
    for (const { name, kind } of graph.nodes) {
      const { in: ins, out } = ports(kind);
      this.#wirings.set(name, {
        in: Object.fromEntries(Object.keys(ins).map((port) => [port, nothingIn])),
        out: Object.fromEntries(Object.keys(out).map((port) => [port, new QueueOutPort<object>()])),
        backlog: new Backlog(),
        complete: [],
      });
    }
    for (const { from, to, latencyNs, policy } of graph.edges) {
      const { node, port } = portName(to);
      const { backlog, complete } = this.#wirings.get(node)!;
      const queue = this.#join(from, latencyNs, policy, backlog);
      if (policy === "every") complete.push(queue);
      this.#enter(node, port, queue);
    }
  }

  #enter(node: string, port: string, queue: Queue<object>): void {
    const { in: ins } = this.#wirings.get(node)!;
    ins[port] = ins[port] === nothingIn ? queue : new MergedInPort([ins[port]!, queue]);
  }

  #join(from: string, latencyNs: number, policy: Policy, backlog: Backlog): Queue<object> {
    const { node, port } = portName(from);
    const queue = new Queue<object>(latencyNs, policy, backlog);
    this.#queues.push(queue);
    this.#wirings.get(node)!.out[port]!.join(queue);
    return queue;
  }

  /** The ports of a node, to build it with. */
  wiring(node: string): NodeWiring {
    return this.#wirings.get(node)!;
  }

  /** Another reader of an out-port, without latency: what a run or a test looks at. */
  tap<M extends object>(from: string, policy: Policy = "every"): InPort<M> {
    return this.#join(from, 0, policy, this.#tapped) as InPort<object> as InPort<M>;
  }

  /** Ends a tap. */
  untap(from: string, tapped: InPort<never>): void {
    const { node, port } = portName(from);
    const queue = tapped as InPort<object> as Queue<object>;
    this.#wirings.get(node)!.out[port]!.leave(queue);
    this.#queues.splice(this.#queues.indexOf(queue), 1);
    queue.clear();
  }

  /** Measures every step from now on, by the wall clock: results do not depend on it. */
  measure(): StepMeter {
    this.#meter ??= new StepMeter(
      this.#nodes.map(({ node }, k) => ({ name: this.#order[k]!, node, ports: this.#wirings.get(this.#order[k]!)! })),
    );
    return this.#meter;
  }

  /** Puts into an in-port, beside what the graph joins to it. To be called before the nodes are built. */
  feed<M extends object>(to: string, latencyNs = 0): OutPort<M> {
    const { node, port } = portName(to);
    const out = new QueueOutPort<object>();
    const queue = new Queue<object>(latencyNs, "every", this.#wirings.get(node)!.backlog);
    out.join(queue);
    this.#queues.push(queue);
    this.#enter(node, port, queue);
    return out as OutPort<M>;
  }

  /** The nodes, each under its name; to be set before the first step. */
  set nodes(nodes: ReadonlyMap<string, Node>) {
    this.#nodes = this.#order.map((name) => ({
      node: nodes.get(name)!,
      backlog: this.#wirings.get(name)!.backlog,
      wakeNs: Number.NEGATIVE_INFINITY,
    }));
  }

  /** One tick at `nowNs`; a promise where it must wait for another thread. */
  step(nowNs: number): Promise<void> | undefined {
    if (this.#isUnsettled()) {
      for (const queue of this.#queues) {
        const wait = queue.settle(nowNs);
        if (wait !== null) return wait.then(() => this.step(nowNs));
      }
    }
    for (let k = 0; k < this.#nodes.length; k++) {
      const stepped = this.#nodes[k]!;
      if (!(nowNs >= stepped.wakeNs || stepped.backlog.waiting > 0)) continue;
      const begunNs = this.#meter?.nowNs() ?? 0;
      stepped.wakeNs = this.onError === null ? stepped.node.step(nowNs) : this.#tryStep(k, nowNs);
      this.#meter?.stepped(k, begunNs);
    }
    return undefined;
  }

  #tryStep(k: number, nowNs: number): number {
    try {
      return this.#nodes[k]!.node.step(nowNs);
    } catch (error) {
      this.onError?.(this.#order[k]!, error);
      return Number.NEGATIVE_INFINITY;
    }
  }

  /** Whether another thread works on a message that was put. */
  #isUnsettled(): boolean {
    for (let k = 0; k < this.#nodes.length; k++) if (this.#nodes[k]!.backlog.unsettled > 0) return true;
    return this.#tapped.unsettled > 0;
  }

  async close(): Promise<void> {
    for (const { node } of this.#nodes) await node.close?.();
  }
}
