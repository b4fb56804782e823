import { FlycatcherError } from "../runtime/errors.js";
import type { Graph } from "../transport/graph.js";
import type { PlacementState, PlacementStates } from "../transport/placement-states.js";

/** What a person may do with a node's thread. */
export type NodeAction = "stop" | "start" | "restart";

/**
 * Kinds of nodes that may be away at any time: without them the robot sees or plans less, and ends the motion in hand. What
 * decides may be away only while nothing moves.
 */
const safeKinds: ReadonlySet<string> = new Set([
  "camera",
  "detector",
  "head-pose",
  "tracker",
  "true-perception",
  "planner",
]);
const resting = "catching";

/** The threads of a run, as far as they are stopped and started by hand. */
export interface SwitchedThreads {
  readonly graph: Graph;
  readonly executor: {
    readonly states: PlacementStates;
    halt(placement: string): Promise<void>;
    resume(placement: string): Promise<void>;
  };
  /** A person has stopped a thread, or started it. */
  switched(placement: string, state: "stopped" | "running"): void;
}

/** A thread after it was switched. */
export interface SwitchedThread extends Omit<PlacementState, "isSilent"> {
  readonly thread: string;
  /** The nodes in it: they stop and start together. */
  readonly nodes: readonly string[];
}

/** Whether a node's thread may be stopped by hand: at any time, while the robot waits, or never. */
export function switchability({ nodes }: Graph, placement: string): "always" | "waiting" | "never" {
  const kinds = nodes.filter((node) => node.placement === placement).map(({ kind }) => kind);
  if (kinds.every((kind) => safeKinds.has(kind))) return "always";
  return kinds.every((kind) => safeKinds.has(kind) || kind === resting) ? "waiting" : "never";
}

/** Stops and starts threads of a run by hand, where that is safe. */
export class ThreadSwitch {
  readonly #threads: SwitchedThreads;
  readonly #isWaiting: () => boolean;

  /** `isWaiting`: whether the robot waits for balls and nothing moves. */
  constructor(threads: SwitchedThreads, isWaiting: () => boolean) {
    this.#threads = threads;
    this.#isWaiting = isWaiting;
  }

  /** Stops, starts or restarts the thread of a node; settles when that is done. */
  async act(node: string, action: NodeAction): Promise<SwitchedThread> {
    const { graph, executor } = this.#threads;
    const placement = graph.nodes.find(({ name }) => name === node)?.placement;
    if (placement === undefined) throw unknownNode(graph, node);
    this.#check(placement, action);
    if (action !== "start") {
      await executor.halt(placement);
      this.#threads.switched(placement, "stopped");
    }
    if (action !== "stop") {
      await executor.resume(placement);
      this.#threads.switched(placement, "running");
    }
    const nodes = graph.nodes.filter((spec) => spec.placement === placement).map(({ name }) => name);
    const { state, restarts } = executor.states.of(placement);
    return { thread: placement, nodes, state, restarts };
  }

  #check(placement: string, action: NodeAction): void {
    const { graph, executor } = this.#threads;
    const ability = switchability(graph, placement);
    if (ability === "never") throw refusedSwitch("a thread that the robot can do without", placement);
    const { state } = executor.states.of(placement);
    if (action === "start") {
      if (state !== "stopped" && state !== "failed") throw refusedSwitch("a thread that is stopped", state);
      return;
    }
    if (state !== "running") throw refusedSwitch("a thread that runs", state);
    if (ability === "waiting" && !this.#isWaiting())
      throw refusedSwitch("a robot that waits for balls", "one that moves");
  }
}

function refusedSwitch(expected: string, found: string): FlycatcherError {
  return new FlycatcherError("FLY_NODE_CONTROL", "this node cannot be switched now", { expected, found });
}

function unknownNode({ nodes }: Graph, found: string): FlycatcherError {
  const expected = nodes.map(({ name }) => name).join(", ");
  return new FlycatcherError("FLY_NODE_UNKNOWN", "there is no such node", { expected, found });
}
