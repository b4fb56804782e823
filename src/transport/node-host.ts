import { clockFrom, type RunClock } from "../runtime/clock.js";
import { collectGarbage } from "../runtime/gc-flags.js";
import { type RealTimeGrant, requestRealTime, setNice } from "../runtime/real-time-priority.js";
import { systemThread } from "../runtime/thread-load.js";
import { SyncGroup } from "./channels/sync-group.js";
import { Heartbeats } from "./heartbeats.js";
import type { HostInput } from "./host-input.js";
import type { NodeWiring } from "./lock-step-executor.js";
import { LoopStatistics } from "./loop-statistics.js";
import type { MessageType } from "./message.js";
import type { Node } from "./node.js";
import { type NodeReport, NodeStatus } from "./node-status.js";
import type { InPort, NodePorts } from "./port.js";
import { RingOutPort } from "./ring-ports.js";
import { StepTrace } from "./step-trace.js";
import { ThreadFaults } from "./thread-faults.js";
import { ThreadWiring } from "./thread-wiring.js";
import { TickTimer } from "./tick-timer.js";
import { onStop, stopRequested, workerReady } from "./workers/worker-context.js";

/** Longest sleep: a thread gives a sign of life at least so often [ns]. */
const PATIENCE_NS = 20e6;
/** Nodes are stepped so often at a time at most: a message within the thread may lead back to a node that was stepped before. */
const MAX_PASSES = 3;
/** A message within the thread that its node has not taken is looked at again so much later [ns]. */
const AGAIN_NS = 1e6;
/** A thread that waits to be let go looks so often whether it is to end [ms]. */
const GATE_MS = 100;
/** Between two statuses [ns]. */
const STATUS_NS = 1e9;
/** Most ticks in which nodes may come to rest when their thread ends. */
const WIND_DOWN_TICKS = 1500;

interface HostedNode {
  readonly node: Node;
  readonly waking: readonly InPort<unknown>[];
  readonly status: NodeStatus;
  /** When it wants to be stepped at the latest [ns]. */
  wakeNs: number;
}

/** What the nodes of a placement are built with. */
export interface NodeSite {
  readonly wiring: NodeWiring;
  /** Steps the nodes of the placement at once: for nodes with sockets, when something has come. */
  readonly wake: () => void;
}

/** In a worker: the nodes of one placement, stepped in real time. */
export class NodeHost {
  readonly clock: RunClock;
  readonly #input: HostInput;
  readonly #wiring: ThreadWiring;
  readonly #heartbeats: Heartbeats;
  readonly #faults: ThreadFaults;
  readonly #reports: RingOutPort<NodeReport>;
  readonly #trace: StepTrace;
  readonly #thread = systemThread();
  readonly #nodes: HostedNode[] = [];
  #statusNs = Number.NEGATIVE_INFINITY;
  #isStopped = false;
  #isRunning = false;

  constructor(input: HostInput, portsOf: (kind: string) => NodePorts, statusType: MessageType<NodeReport>) {
    this.#input = input;
    this.clock = clockFrom(input.clock);
    const nowNs = () => this.clock.nowNs();
    this.#wiring = new ThreadWiring(input, portsOf, nowNs);
    this.#heartbeats = new Heartbeats(input.heartbeats);
    this.#faults = new ThreadFaults(input.faults);
    this.#trace = new StepTrace(input.trace);
    this.#reports = new RingOutPort(statusType, input.status, nowNs);
  }

  /** Builds the nodes, in the order of the graph, and warms them up. */
  async build(create: (name: string, kind: string, site: NodeSite) => Node): Promise<void> {
    const { graph, placement } = this.#input;
    const wake = () => this.#wake();
    for (const { name, kind } of graph.nodes.filter((spec) => spec.placement === placement)) {
      const wiring = this.#wiring.of(name);
      const node = create(name, kind, { wiring, wake });
      const status = new NodeStatus(name, wiring);
      this.#nodes.push({ node, waking: wiring.waking, status, wakeNs: Number.NEGATIVE_INFINITY });
    }
    for (const { node } of this.#nodes) await node.warmUp?.();
    collectGarbage();
  }

  /** Asks for the scheduling the placement is to have; null if that is the usual one. */
  schedule(): RealTimeGrant | null {
    const { priority, nice } = this.#input.scheduling;
    if (nice !== 0) setNice(nice);
    return priority > 0 ? requestRealTime(priority) : null;
  }

  /** Reports that the worker is ready, and steps the nodes until it is asked to end. */
  async run(): Promise<void> {
    const { pacing } = this.#input;
    if (pacing.kind === "events") {
      const running = this.#runEvents();
      onStop(async () => {
        this.#isStopped = true;
        await this.#close();
        await running;
      });
      workerReady();
      return;
    }
    workerReady();
    if (pacing.kind === "messages") this.#runMessages();
    else this.#runTicks(pacing.tickNs, pacing.spinMs);
    await this.#close();
  }

  readonly #nowMs = (): number => this.clock.nowNs() / 1e6;

  async #close(): Promise<void> {
    for (const { node } of this.#nodes) await node.close?.();
  }

  #runMessages(): void {
    const group = new SyncGroup(
      this.#input.syncTable,
      this.#wiring.waking.map(({ port }) => port),
    );
    while (!stopRequested()) {
      const next = this.#step(this.clock.nowNs());
      group.wait(this.#wallMsUntil(next));
    }
  }

  async #runEvents(): Promise<void> {
    const group = new SyncGroup(
      this.#input.syncTable,
      this.#wiring.waking.map(({ port }) => port),
    );
    this.#isRunning = true;
    try {
      while (!this.#isStopped) {
        const next = this.#step(this.clock.nowNs());
        await group.waitAsync(this.#wallMsUntil(next));
      }
    } catch (error) {
      await this.#fail(error);
    }
    this.#isRunning = false;
    group.close();
  }

  /** Gives sockets back before the thread dies: Node aborts the process if one receives a datagram while its thread ends. */
  async #fail(error: unknown): Promise<void> {
    this.#isStopped = true;
    await this.#close();
    setImmediate(() => {
      throw error;
    });
  }

  /** By the wall clock [ms]: the run's may be slower. */
  #wallMsUntil(timeNs: number): number {
    return Math.max(0, timeNs - this.clock.nowNs()) / (1e6 * this.clock.speed);
  }

  #wake(): void {
    if (!this.#isRunning || this.#isStopped) return;
    try {
      this.#step(this.clock.nowNs());
    } catch (error) {
      void this.#fail(error);
    }
  }

  #runTicks(tickNs: number, spinMs: number): void {
    const gate = new Int32Array(this.#input.gate);
    while (Atomics.load(gate, 0) === 0 && !stopRequested()) Atomics.wait(gate, 0, 0, GATE_MS);
    const statistics = new LoopStatistics(this.#input.statistics);
    const periodMs = tickNs / 1e6;
    const start = Math.floor(this.clock.nowNs() / tickNs) * periodMs;
    const timer = new TickTimer(
      { periodMs, spinMs, speed: () => this.clock.speed },
      () => this.clock.nowNs() / 1e6,
      start,
    );
    let missed = 0;
    const tick = () => {
      const dueNs = Math.round((timer.wait() / periodMs) * tickNs);
      const begun = this.clock.nowNs();
      for (let k = 0; k < this.#nodes.length; k++) this.#nodes[k]!.wakeNs = dueNs;
      this.#step(dueNs);
      statistics.record(timer.lateness, (this.clock.nowNs() - begun) / 1e6, timer.missed - missed);
      missed = timer.missed;
    };
    while (!stopRequested()) tick();
    for (let k = 0; k < WIND_DOWN_TICKS && !this.#areAtRest(); k++) tick();
  }

  #areAtRest(): boolean {
    return this.#nodes.map(({ node }) => node.windDown?.() ?? true).every((isAtRest) => isAtRest);
  }

  /** Steps those nodes whose time has come or that have messages; returns when the next step is due [ns]. */
  #step(nowNs: number): number {
    const { part } = this.#input;
    this.#heartbeats.beat(part);
    this.#faults.dieIfTold(part);
    this.#faults.hangIfTold(part, this.#nowMs);
    let due = this.#wiring.flush(nowNs);
    let next = nowNs + PATIENCE_NS;
    for (let pass = 0; pass < MAX_PASSES && (pass === 0 || due <= nowNs); pass++) {
      next = Math.min(nowNs + PATIENCE_NS, this.#stepNodes(nowNs));
      due = this.#wiring.flush(nowNs);
    }
    due = this.#wiring.flush(this.clock.nowNs());
    next = Math.min(next, due <= nowNs ? nowNs + AGAIN_NS : due);
    if (nowNs >= this.#statusNs + STATUS_NS) this.#report(nowNs);
    return next;
  }

  #stepNodes(nowNs: number): number {
    let next = Number.POSITIVE_INFINITY;
    for (let k = 0; k < this.#nodes.length; k++) {
      const hosted = this.#nodes[k]!;
      if (nowNs >= hosted.wakeNs || isCalled(hosted.waking)) {
        const begun = this.clock.nowNs();
        this.#faults.delayIfTold(this.#input.part, this.#nowMs);
        hosted.wakeNs = hosted.node.step(nowNs);
        const ended = this.clock.nowNs();
        hosted.status.worked((ended - begun) / 1e9);
        if (this.#trace.isOn) this.#trace.step(k, begun, ended);
      }
      next = Math.min(next, hosted.wakeNs);
    }
    return next;
  }

  #report(nowNs: number): void {
    this.#statusNs = nowNs;
    for (const { node, status } of this.#nodes) this.#reports.put(status.report(node, this.#thread), nowNs);
  }
}

function isCalled(ports: readonly InPort<unknown>[]): boolean {
  for (let k = 0; k < ports.length; k++) if (ports[k]!.waiting > 0) return true;
  return false;
}
