import type { ComponentState } from "../messages/system.js";
import { ThreadLoads } from "../runtime/thread-load.js";
import { type Graph, type NodeSpec, portName } from "../transport/graph.js";
import type { NodeReport } from "../transport/node-status.js";
import type { PlacementState } from "../transport/placement-states.js";
import type { NodePorts } from "../transport/port.js";

/** Of a part that does not report how it fares. */
export const unmeasured = {
  health: "running",
  rate: null,
  load: null,
  queue: 0,
  lost: 0,
  meanMs: null,
  maxMs: null,
  age: null,
  restarts: 0,
  inputs: [],
  outputs: [],
  text: "",
} as const;

/** What a node has reported, and what follows from the report before. */
interface Observed {
  /** On the run's clock, and on that by which steps are timed [ns]. */
  readonly runNs: number;
  readonly wallNs: number;
  readonly report: NodeReport;
  readonly rate: number | null;
  readonly load: number | null;
  /** Messages a second, an out-port each. */
  readonly putRates: readonly (number | null)[];
}

/** What the table of components is made of. */
export interface ComponentSources {
  readonly graph: Graph;
  readonly ports: (kind: string) => NodePorts;
  /** How the thread of a placement stands. */
  readonly stateOf: (placement: string) => PlacementState;
  /** The simulated robot's process; null if it is not ours, or not yet there. */
  readonly robotProcess: { readonly pid: number; readonly isRunning: boolean } | null;
}

/** How the nodes of a run fare: what they report, how their threads stand, and what the system says of these. */
export class Components {
  readonly #sources: ComponentSources;
  readonly #observed = new Map<string, Observed>();
  readonly #loads = new ThreadLoads();

  constructor(sources: ComponentSources) {
    this.#sources = sources;
  }

  /** A node reports at `runNs` of the run's clock; `wallNs` is on the clock by which its steps are timed. */
  add(report: NodeReport, runNs: number, wallNs = runNs): void {
    const before = this.#observed.get(report.component);
    const isSame = before !== undefined && report.cycles >= before.report.cycles && runNs > before.runNs;
    const span = isSame ? (runNs - before.runNs) / 1e9 : 0;
    const wall = isSame ? (wallNs - before.wallNs) / 1e9 : 0;
    const cycles = isSame ? report.cycles - before.report.cycles : 0;
    const rate = span > 0 ? cycles / span : null;
    const load = wall > 0 ? Math.min(1, (cycles * report.cycleMean) / wall) : null;
    const putRates = Array.from(report.put, (count, k) =>
      span > 0 ? Math.max(0, count - before!.report.put[k]!) / span : null,
    );
    const own = { ...report, put: report.put.slice(), waiting: report.waiting.slice() };
    this.#observed.set(report.component, { runNs, wallNs, report: own, rate, load, putRates });
  }

  /** As they are at `nowNs`, by the wall clock; the run's is at `runNs`. */
  list(nowNs: number, runNs: number): ComponentState[] {
    const { graph, robotProcess } = this.#sources;
    const shares = new Map<number, number | null>();
    const cpuOf = (thread: number): number | null => {
      if (!shares.has(thread)) shares.set(thread, this.#loads.ofThread(thread, nowNs));
      return shares.get(thread)!;
    };
    const nodes = graph.nodes.map((node) => this.#node(node, runNs, cpuOf));
    const service = { ...unmeasured, name: "service", cpu: cpuOf(process.pid) };
    if (robotProcess === null) return [...nodes, service];
    const { pid, isRunning } = robotProcess;
    const fate = isRunning ? {} : ({ health: "failed", text: "its process has ended" } as const);
    const cpu = isRunning ? this.#loads.ofProcess(pid, nowNs) : null;
    return [...nodes, service, { ...unmeasured, ...fate, name: "simulated robot", cpu }];
  }

  #node(spec: NodeSpec, runNs: number, cpuOf: (thread: number) => number | null): ComponentState {
    const { name, placement } = spec;
    const { state, restarts, isSilent } = this.#sources.stateOf(placement);
    const observed = this.#observed.get(name);
    const ports = { inputs: this.#inputs(spec), outputs: this.#outputs(spec) };
    // What a thread reported before it ended is no longer so.
    if (state !== "running" || observed === undefined) {
      const health = state === "running" ? "starting" : state;
      return { ...unmeasured, ...ports, name, health, restarts, cpu: null, lost: observed?.report.lost ?? 0 };
    }
    const { report, rate, load } = observed;
    const age = Math.max(0, runNs - observed.runNs) / 1e9;
    if (isSilent) {
      // What it reported last is no longer so.
      const text = `no sign of life; its last report is ${age.toFixed(1)} s old`;
      return { ...unmeasured, ...ports, name, health: "failed", restarts, cpu: cpuOf(report.thread), age, text };
    }
    const { health, behind: queue, lost, cycleMean, cycleMax, detail: text, thread } = report;
    const times = { meanMs: cycleMean > 0 ? 1e3 * cycleMean : null, maxMs: 1e3 * cycleMax };
    return { ...ports, name, health, rate, load, cpu: cpuOf(thread), queue, lost, ...times, age, restarts, text };
  }

  #inputs({ name, kind }: NodeSpec): ComponentState["inputs"] {
    const { graph, ports } = this.#sources;
    const order = Object.keys(ports(kind).in);
    const waiting = this.#observed.get(name)?.report.waiting;
    return graph.edges
      .filter(({ to }) => portName(to).node === name)
      .map(({ from, to }) => {
        const { port } = portName(to);
        return { port, from, state: this.#stateOf(from), waiting: waiting?.[order.indexOf(port)] ?? 0 };
      });
  }

  /** Whether an out-port's node runs, and has put anything. */
  #stateOf(from: string): ComponentState["inputs"][number]["state"] {
    const { graph, ports, stateOf } = this.#sources;
    const { node, port } = portName(from);
    const spec = graph.nodes.find(({ name }) => name === node)!;
    if (stateOf(spec.placement).state !== "running") return "missing";
    const place = Object.keys(ports(spec.kind).out).indexOf(port);
    return (this.#observed.get(node)?.report.put[place] ?? 0) > 0 ? "flowing" : "silent";
  }

  #outputs({ name, kind }: NodeSpec): ComponentState["outputs"] {
    const observed = this.#observed.get(name);
    return Object.keys(this.#sources.ports(kind).out).map((port, k) => {
      return { port, rate: observed?.putRates[k] ?? null, count: observed?.report.put[k] ?? 0 };
    });
  }
}
