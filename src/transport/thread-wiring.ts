import { type Graph, portName } from "./graph.js";
import type { HostInput } from "./host-input.js";
import type { MessageType } from "./message.js";
import { type InPort, type NodePorts, nothingIn } from "./port.js";
import { MergedInPort, Queue, QueueOutPort } from "./queue.js";
import { RingDemand, RingInPort, RingOutPort } from "./ring-ports.js";
import { StepTrace } from "./step-trace.js";
import { outPortsOf } from "./thread-traces.js";

/** Notes in the thread's trace that an out-port has put a message. */
type NotePut = () => void;

/** An out-port whose edges may stay in the thread, or leave it. */
class ThreadOutPort extends QueueOutPort<object> {
  readonly #ring: RingOutPort<object> | null;
  readonly #notePut: NotePut;

  constructor(ring: RingOutPort<object> | null, notePut: NotePut) {
    super();
    this.#ring = ring;
    this.#notePut = notePut;
  }

  /** What stays in the thread is handed over. */
  override get copies(): boolean {
    return !super.isJoined;
  }

  override get isJoined(): boolean {
    return super.isJoined || (this.#ring?.isJoined ?? false);
  }

  override put(message: object, readyNs: number): void {
    this.#notePut();
    super.put(message, readyNs);
    this.#ring?.put(message, readyNs);
  }

  override offer(make: () => object, readyNs: number): void {
    this.#notePut();
    super.offer(make, readyNs);
    this.#ring?.offer(make, readyNs);
  }
}

/** The ports of a node; of its in-ports also which step it, and whose losses count. */
interface OpenWiring {
  readonly in: Record<string, InPort<object>>;
  readonly out: Record<string, ThreadOutPort>;
  /** Edges whose messages step the node. */
  readonly waking: InPort<object>[];
  /** Edges that hand over every message. */
  readonly complete: InPort<object>[];
}

/** The ports of the nodes of one placement: rings to and from other threads, queues within. */
export class ThreadWiring {
  /** In-ports whose messages wake the thread. */
  readonly waking: RingInPort<object>[] = [];
  readonly #queues: Queue<object>[] = [];
  readonly #rings: RingOutPort<object>[] = [];
  readonly #nodes = new Map<string, OpenWiring>();

  constructor(input: HostInput, portsOf: (kind: string) => NodePorts, nowNs: () => number) {
    const { graph, placement } = input;
    const own = graph.nodes.filter((node) => node.placement === placement);
    const demand = new RingDemand(input.demand);
    const types = messageTypes(graph, portsOf);
    const trace = new StepTrace(input.trace);
    const traced = outPortsOf(graph, portsOf, placement);
    for (const { name, kind } of own) {
      const ports = portsOf(kind);
      const outOf = ([port, type]: [string, MessageType]): [string, ThreadOutPort] => {
        const ring = input.rings[`${name}.${port}`];
        const index = traced.indexOf(`${name}.${port}`);
        const notePut = (): void => {
          if (trace.isOn) trace.put(index, nowNs());
        };
        if (ring === undefined) return [port, new ThreadOutPort(null, notePut)];
        const out = new RingOutPort(type, ring.handle, nowNs, () => demand.isRead(ring.index));
        this.#rings.push(out);
        return [port, new ThreadOutPort(out, notePut)];
      };
      this.#nodes.set(name, {
        in: Object.fromEntries(Object.keys(ports.in).map((port) => [port, nothingIn])),
        out: Object.fromEntries(Object.entries(ports.out).map(outOf)),
        waking: [],
        complete: [],
      });
    }
    for (const { from, to, policy, wakes = true } of graph.edges) {
      const target = this.#nodes.get(portName(to).node);
      if (target === undefined) continue;
      const source = this.#nodes.get(portName(from).node);
      if (source !== undefined) {
        const queue = new Queue<object>(0, policy);
        source.out[portName(from).port]!.join(queue);
        this.#queues.push(queue);
        this.#add(target, to, queue, { wakes, isComplete: policy === "every" });
      } else {
        const port = new RingInPort(types.get(from)!, input.rings[from]!.handle, policy);
        if (wakes) this.waking.push(port);
        this.#add(target, to, port, { wakes, isComplete: policy === "every" });
      }
    }
    for (const [to, handle] of Object.entries(input.feeds)) {
      const { node, port: name } = portName(to);
      const kind = graph.nodes.find((spec) => spec.name === node)!.kind;
      const port = new RingInPort(portsOf(kind).in[name]!, handle, "every");
      this.waking.push(port);
      this.#add(this.#nodes.get(node)!, to, port, { wakes: true, isComplete: true });
    }
  }

  #add(
    target: OpenWiring,
    to: string,
    port: InPort<object>,
    { wakes, isComplete }: { readonly wakes: boolean; readonly isComplete: boolean },
  ): void {
    const { port: name } = portName(to);
    const before = target.in[name]!;
    target.in[name] = before === nothingIn ? port : new MergedInPort([before, port]);
    if (wakes) target.waking.push(port);
    if (isComplete) target.complete.push(port);
  }

  of(node: string): OpenWiring {
    return this.#nodes.get(node)!;
  }

  /** Publishes what was held back; returns when something is due next, in a ring or in a queue [ns]. */
  flush(nowNs: number): number {
    let next = Number.POSITIVE_INFINITY;
    for (let k = 0; k < this.#rings.length; k++) next = Math.min(next, this.#rings[k]!.flush(nowNs));
    for (let k = 0; k < this.#queues.length; k++) next = Math.min(next, this.#queues[k]!.dueNs);
    return next;
  }
}

/** The messages of all out-ports of a graph. */
function messageTypes({ nodes }: Graph, portsOf: (kind: string) => NodePorts): Map<string, MessageType> {
  return new Map(
    nodes.flatMap(({ name, kind }) =>
      Object.entries(portsOf(kind).out).map(([port, type]): [string, MessageType] => [`${name}.${port}`, type]),
    ),
  );
}
