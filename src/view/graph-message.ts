import type { GraphMessage } from "../messages/page.js";
import { portsOf } from "../run/node-library.js";
import { switchability } from "../run/thread-switch.js";
import { type Graph, portName } from "../transport/graph.js";
import type { MessageType } from "../transport/message.js";
import { numericFields } from "../transport/message-numbers.js";

/** The message of an out-port of a graph; null if there is no such port. */
export function typeOfPort({ nodes }: Graph, from: string): MessageType | null {
  const { node, port } = portName(from);
  const kind = nodes.find(({ name }) => name === node)?.kind;
  return kind === undefined ? null : (portsOf(kind).out[port] ?? null);
}

/** A graph as pages get it. `switching`: whether its threads can be stopped by hand. */
export function graphMessage(graph: Graph, switching: "offered" | "not offered"): GraphMessage {
  const nodes = graph.nodes.map(({ name, kind, placement }) => {
    const { in: ins, out } = portsOf(kind);
    const control = switching === "offered" ? switchability(graph, placement) : "never";
    return { name, kind, thread: placement, control, in: portList(ins), out: portList(out) };
  });
  const edges = graph.edges.map(({ from, to, latencyNs, policy, wakes = true }) => {
    return { from, to, message: typeOfPort(graph, from)?.name ?? "", latency: latencyNs / 1e9, policy, wakes };
  });
  const types = new Set(graph.nodes.flatMap(({ kind }) => Object.values(portsOf(kind).out)));
  const messages = Array.from(types, (type) => {
    return { name: type.name, description: type.description, fields: numericFields(type) };
  });
  return { type: "graph", nodes, edges, messages };
}

function portList(ports: { readonly [name: string]: MessageType }): { name: string; message: string }[] {
  return Object.entries(ports).map(([name, type]) => ({ name, message: type.name }));
}
