import { setTimeout as pause } from "node:timers/promises";
import type { ComponentStatus } from "../messages/report.js";
import { portsOf } from "../run/node-library.js";
import type { Run } from "../run/run.js";
import { type NodeAction, type SwitchedThread, ThreadSwitch } from "../run/thread-switch.js";
import type { ThreadsHost } from "../run/threads-host.js";
import { FlycatcherError } from "../runtime/errors.js";
import { type InPort, takeEach } from "../transport/port.js";
import type { RingInPort } from "../transport/ring-ports.js";
import { Components } from "./components.js";
import { FieldTaps } from "./field-taps.js";
import { graphMessage, typeOfPort } from "./graph-message.js";
import type { SessionBroadcast } from "./session-broadcast.js";
import { instantOf, type TraceFile, type TraceInstant, traceFile } from "./trace-file.js";

/** Between two tables of components, and between two messages of samples [ns]. */
const COMPONENTS_NS = 1e9;
const SAMPLES_NS = 100e6;

/** What a page gets of the system of a run in threads, and what it may do with it: graph, nodes, fields, traces. */
export class LiveSystem {
  readonly #run: Run<ThreadsHost>;
  readonly #broadcast: SessionBroadcast;
  readonly #components: Components;
  readonly #status: InPort<ComponentStatus>;
  readonly #taps: FieldTaps;
  readonly #switch: ThreadSwitch;
  #componentsNs = Number.NEGATIVE_INFINITY;
  #samplesNs = Number.NEGATIVE_INFINITY;
  #isTracing = false;

  constructor(run: Run<ThreadsHost>, broadcast: SessionBroadcast) {
    const { host, graph } = run;
    const { executor } = host;
    this.#run = run;
    this.#broadcast = broadcast;
    this.#components = new Components({
      graph,
      ports: portsOf,
      stateOf: (placement) => executor.states.of(placement),
      get robotProcess() {
        return host.robotProcess;
      },
    });
    this.#status = executor.tapStatus<ComponentStatus>();
    this.#taps = new FieldTaps({
      typeOf: (port) => typeOfPort(graph, port),
      tap: (port) => host.tap(port, "newest"),
      untap: (port, tapped) => host.untap(port, tapped as RingInPort<object>),
    });
    this.#switch = new ThreadSwitch(host, () => run.isWaiting);
    broadcast.publish(graphMessage(graph, "offered"));
  }

  /** Fields that are sampled from now on. */
  set fields(names: readonly string[]) {
    this.#taps.fields = names;
  }

  /** Takes what nodes report and what fields are, and publishes it now and then. */
  look(nowNs: number): void {
    const time = nowNs / 1e9;
    takeEach(this.#status, nowNs, (status) => this.#components.add(status, nowNs));
    this.#taps.poll(nowNs);
    if (nowNs >= this.#componentsNs + COMPONENTS_NS) this.#publishComponents(nowNs);
    if (nowNs < this.#samplesNs + SAMPLES_NS) return;
    this.#samplesNs = nowNs;
    const series = this.#taps.take();
    if (series.length > 0) this.#broadcast.publishSamples(time, series);
  }

  /** Something has happened to a part: the table is published with the next look. */
  refresh(): void {
    this.#componentsNs = Number.NEGATIVE_INFINITY;
  }

  #publishComponents(nowNs: number): void {
    this.#componentsNs = nowNs;
    // Shares of a core are of the wall clock's time; the run's may be slower.
    const components = this.#components.list(1e6 * performance.now(), nowNs);
    this.#broadcast.publish({ type: "components", time: nowNs / 1e9, components });
  }

  /** Stops, starts or restarts the thread of a node. */
  async act(node: string, action: NodeAction): Promise<SwitchedThread> {
    try {
      return await this.#switch.act(node, action);
    } finally {
      this.#publishComponents(this.#run.clock.nowNs());
    }
  }

  /** What all threads do in the next `seconds` of the wall clock. */
  async trace(seconds: number): Promise<TraceFile> {
    if (this.#isTracing) throw new FlycatcherError("FLY_TRACE_BUSY", "a trace is being taken");
    const { clock, graph, host } = this.#run;
    const instants: TraceInstant[] = [];
    this.#isTracing = true;
    const leave = this.#broadcast.subscribe({
      onMessage: (message) => {
        const instant = instantOf(message, clock.nowNs());
        if (instant !== null) instants.push(instant);
      },
    });
    host.executor.traces.begin();
    try {
      await pause(1e3 * seconds);
    } finally {
      leave();
      this.#isTracing = false;
    }
    return traceFile(host.executor.traces.end(), instants, graph);
  }
}
