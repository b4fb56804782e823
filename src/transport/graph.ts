import { FlycatcherError } from "../runtime/errors.js";
import type { NodePorts, Policy } from "./port.js";

/** A node of a graph, as data. */
export interface NodeSpec {
  readonly name: string;
  /** Which class: a key of the node library. */
  readonly kind: string;
  /** Thread in which it runs in real time; nodes with the same placement share one, in the order of the graph. */
  readonly placement: string;
}

/** From an out-port to an in-port. */
export interface EdgeSpec {
  /** As `tracker.predictions`. */
  readonly from: string;
  readonly to: string;
  /** Modelled latency in lock-step [ns]; in real time it takes as long as it takes. */
  readonly latencyNs: number;
  readonly policy: Policy;
}

/** Nodes, in the order in which lock-step steps them, and the edges between their ports. */
export interface Graph {
  readonly nodes: readonly NodeSpec[];
  readonly edges: readonly EdgeSpec[];
}

/** A port by the names of its node and itself. */
export interface PortName {
  readonly node: string;
  readonly port: string;
}

export function portName(text: string): PortName {
  const dot = text.indexOf(".");
  return { node: text.slice(0, dot), port: text.slice(dot + 1) };
}

/**
 * Refuses a graph that cannot run: edges of ports that do not exist or carry other messages, and cycles without a latency of
 * at least one tick, in which nodes would wait for each other within it.
 */
export function checkGraph({ nodes, edges }: Graph, portsOf: (kind: string) => NodePorts, tickNs: number): void {
  const kinds = new Map(nodes.map(({ name, kind }) => [name, kind]));
  for (const edge of edges) {
    const [from, to] = [portName(edge.from), portName(edge.to)];
    const put = portsOf(kinds.get(from.node) ?? "")?.out[from.port];
    const taken = portsOf(kinds.get(to.node) ?? "")?.in[to.port];
    if (put === undefined || taken === undefined || put !== taken) {
      throw new FlycatcherError(
        "FLY_GRAPH",
        `the edge from ${edge.from} to ${edge.to} joins no two ports of one message`,
        {
          expected: "an out-port and an in-port of the same message",
          found: `${put?.name ?? "no port"} and ${taken?.name ?? "no port"}`,
        },
      );
    }
  }
  const places = new Map(nodes.map(({ name }, k) => [name, k]));
  for (const { from, to, latencyNs } of edges) {
    const isForward = places.get(portName(from).node)! < places.get(portName(to).node)!;
    if (isForward || latencyNs >= tickNs) continue;
    throw new FlycatcherError("FLY_GRAPH", `the edge from ${from} to ${to} leads back within a tick`, {
      expected: `a latency of at least ${tickNs} ns, or a node that is stepped later`,
      found: `${latencyNs} ns`,
    });
  }
}
