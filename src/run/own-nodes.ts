import { JointCommand } from "../messages/control.js";
import { Image, Imu, JointState, LostFrame, Points } from "../messages/sensing.js";
import type { Robot } from "../robot/robot.js";
import { FlycatcherError } from "../runtime/errors.js";
import { didYouMean } from "../runtime/nearest-name.js";
import type { Graph } from "../transport/graph.js";
import type { Node } from "../transport/node.js";
import type { NodePorts, PortsOf } from "../transport/port.js";

/**
 * The nodes of the graph that a program may replace by its own, with the ports that they have in lock-step and in real time: the
 * drivers of robot, cameras and other sensors.
 */
export const ownNodePorts = {
  robot: { in: { commands: JointCommand }, out: { state: JointState, joints: JointState } },
  "camera-left": { in: {}, out: { images: Image, lost: LostFrame } },
  "camera-right": { in: {}, out: { images: Image, lost: LostFrame } },
  imu: { in: {}, out: { imu: Imu } },
  points: { in: {}, out: { points: Points, lost: LostFrame } },
} as const satisfies Readonly<Record<string, NodePorts>>;

export type OwnNodeName = keyof typeof ownNodePorts;

/** The place of a node in a run: what a node of one's own is built with. */
export interface NodeSlot<P extends NodePorts = NodePorts> {
  /** As the graph names it: `camera-left`. */
  readonly name: string;
  readonly ports: PortsOf<P>;
  readonly robot: Robot;
  /** Period of control [ns]. */
  readonly tickNs: number;
  /** The run's clock [ns]: for data that come between two steps, as from a socket. */
  readonly nowNs: () => number;
  /** Steps the node at once. In lock-step it does nothing: each node is stepped every tick. */
  readonly wake: () => void;
  /** Builds the node that is replaced, with some of its in-ports replaced: for a node that adds to it. */
  readonly original: (inPorts?: Partial<PortsOf<P>["in"]>) => Node;
}

/** Builds a node of one's own. */
export type NodeFactory<Name extends OwnNodeName = OwnNodeName> = (slot: NodeSlot<(typeof ownNodePorts)[Name]>) => Node;

/** Nodes of one's own, by the name of the node that each replaces. */
export type OwnNodes = { readonly [Name in OwnNodeName]?: NodeFactory<Name> };

/** The same for threads: addresses of modules (`file:` URLs) that export their factory as `createNode`. */
export type OwnNodeModules = { readonly [Name in OwnNodeName]?: string };

/** Refuses nodes of one's own for which the graph has no place. */
export function checkOwnNodes(nodes: object | undefined, graph: Graph): void {
  const known = graph.nodes.map(({ name }) => name).filter((name) => name in ownNodePorts);
  for (const name of Object.keys(nodes ?? {})) {
    if (known.includes(name)) continue;
    throw new FlycatcherError("FLY_GRAPH", "this run has no such node to replace", {
      expected: `one of ${known.join(", ")}`,
      found: name,
      suggestion: didYouMean(name, known),
    });
  }
}

/** In a thread: the factories of the nodes that run in it. */
export async function importOwnNodes(modules: OwnNodeModules, names: readonly string[]): Promise<OwnNodes> {
  const own = Object.entries(modules).filter(([name]) => names.includes(name));
  return Object.fromEntries(await Promise.all(own.map(async ([name, url]) => [name, await factoryIn(url)])));
}

async function factoryIn(url: string): Promise<NodeFactory> {
  const { createNode } = (await import(url)) as { createNode?: NodeFactory };
  if (typeof createNode === "function") return createNode;
  throw new FlycatcherError("FLY_GRAPH", "a module of a node lacks its factory", {
    path: url,
    expected: "an export createNode, a function",
    found: typeof createNode,
  });
}
