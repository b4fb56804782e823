import type { RunClock } from "../runtime/clock.js";
import { FlycatcherError } from "../runtime/errors.js";
import { attachAnyChannel, type ChannelHandle } from "./channels/channel.js";
import { createSyncTable, SyncTable } from "./channels/sync-table.js";
import { type Graph, portName } from "./graph.js";
import { Heartbeats } from "./heartbeats.js";
import type { HostInput, Pacing, RingSpec, Scheduling } from "./host-input.js";
import { LoopStatistics } from "./loop-statistics.js";
import type { MessageType } from "./message.js";
import { PlacementStates } from "./placement-states.js";
import type { NodePorts, OutPort, Policy } from "./port.js";
import { createRing, RingDemand, RingInPort, RingOutPort } from "./ring-ports.js";
import { SilenceWatch } from "./silence-watch.js";
import { ThreadFaults } from "./thread-faults.js";
import { ThreadTraces } from "./thread-traces.js";
import { type RunningWorker, startWorker } from "./workers/start-worker.js";

/** How the thread of a placement is run. */
export interface PlacementOptions {
  readonly pacing: Pacing;
  readonly scheduling: Scheduling;
  /** Whether another thread takes the place of one that has died. */
  readonly restarts: boolean;
}

/** What is reported of the threads of a run. */
export interface ThreadsObserver {
  /** A thread ended without being asked to; another is started, if the placement has restarts. */
  died(placement: string, reason: string): void;
  /** Another one has taken its place. */
  restarted(placement: string): void;
  /** None takes its place: it may not be restarted, could not, or has died too often. */
  lost(placement: string): void;
  /** A thread that runs gives no sign of life; or does again. One that stays silent is ended. */
  silent(placement: string): void;
  heard(placement: string): void;
  /** The thread's program has posted a message of its own. */
  message(placement: string, message: unknown): void;
}

export interface ThreadsExecutorOptions {
  readonly graph: Graph;
  readonly ports: (kind: string) => NodePorts;
  readonly clock: RunClock;
  /** The workers' program, as `startWorker` takes it. It builds nodes in a `NodeHost`. */
  readonly program: string | URL;
  readonly placements: { readonly [placement: string]: PlacementOptions };
  /** In-ports that the main thread puts into, beside the edges that lead there. */
  readonly feeds: readonly string[];
  /** The message in which hosts report how their nodes fare. */
  readonly status: MessageType;
  readonly observer: ThreadsObserver;
}

/** Threads warm up before they are ready; on a busy machine that takes long [ms]. */
const START_TIMEOUT_MS = 180_000;
/** How long a thread may take to end [ms], and one whose robot has to come to rest first. */
const STOP_TIMEOUT_MS = 600;
const REST_TIMEOUT_MS = 2000;
/** A thread that dies so often within this time is not started again [ms]. */
const MOST_DEATHS = 5;
const DEATHS_MS = 60_000;
/** A thread without a sign of life for so long is reported, and is ended so that another takes its place [ms]. */
const silence = { silentMs: 1000, hungMs: 8000 } as const;
/** A thread that needs more for its objects ends, and the others go on [MB]; they need some tens. */
const HEAP_MB = 512;
/** Nodes that report their status: one writer a thread. */
const MAX_THREADS = 24;
/** Sync groups: one a thread and restart, and those of the main thread. */
const MAX_GROUPS = 64;

/**
 * Runs a graph in threads, one a placement, in real time: edges between placements are rings in shared memory, edges within one
 * are queues. Modelled latencies of edges do not count. A thread that dies is replaced.
 */
export class ThreadsExecutor {
  readonly syncTable = createSyncTable(MAX_GROUPS);
  /** Signs of life, one a placement, in the order of `placements`. */
  readonly heartbeats: SharedArrayBuffer;
  /** Names of the placements, in the order of the graph. */
  readonly placements: readonly string[];
  readonly states = new PlacementStates();
  readonly traces: ThreadTraces;
  readonly #options: ThreadsExecutorOptions;
  readonly #types = new Map<string, MessageType>();
  readonly #rings = new Map<string, RingSpec>();
  readonly #feeds = new Map<string, ChannelHandle>();
  readonly #demandMemory: SharedArrayBuffer;
  readonly #demand: RingDemand;
  readonly #status: ChannelHandle;
  readonly #statistics = new Map<string, SharedArrayBuffer>();
  readonly #workers = new Map<string, RunningWorker>();
  /** Threads that end because a person wants it. */
  readonly #halted = new WeakSet<RunningWorker>();
  readonly #faultMemory: SharedArrayBuffer;
  readonly #faults: ThreadFaults;
  readonly #silence: SilenceWatch;
  /** When threads have died, by placement [ms of the wall clock]. */
  readonly #deaths = new Map<string, number[]>();
  /** Opened when threads paced by ticks may go. */
  readonly #gate = new SharedArrayBuffer(4);
  #isStopping = false;

  constructor(options: ThreadsExecutorOptions) {
    const { graph, ports, status } = options;
    this.#options = options;
    this.placements = Array.from(new Set(graph.nodes.map(({ placement }) => placement)));
    const parts = this.placements.length;
    this.heartbeats = Heartbeats.memory(parts);
    const heartbeats = new Heartbeats(this.heartbeats);
    this.#silence = new SilenceWatch(parts, (part) => heartbeats.takeBeat(part), silence);
    this.#faultMemory = ThreadFaults.memory(parts);
    this.#faults = new ThreadFaults(this.#faultMemory);
    this.traces = new ThreadTraces(graph, ports);
    for (const placement of this.placements) this.#statistics.set(placement, LoopStatistics.memory());
    for (const { name, kind } of graph.nodes) {
      for (const [port, type] of Object.entries(ports(kind).out)) this.#addRing(`${name}.${port}`, type);
    }
    for (const to of options.feeds) this.#feeds.set(to, createRing(this.#typeOfIn(to), this.syncTable));
    this.#demandMemory = RingDemand.memory(this.#rings.size);
    this.#demand = new RingDemand(this.#demandMemory);
    this.#status = createRing(status, this.syncTable, MAX_THREADS);
    for (const { from, to } of graph.edges) {
      if (this.#placementOf(from) !== this.#placementOf(to)) this.#demand.change(this.#rings.get(from)!.index, 1);
    }
  }

  #addRing(from: string, type: MessageType): void {
    this.#types.set(from, type);
    this.#rings.set(from, { handle: createRing(type, this.syncTable), index: this.#rings.size });
  }

  #typeOfIn(to: string): MessageType {
    const { node, port } = portName(to);
    const kind = this.#options.graph.nodes.find(({ name }) => name === node)?.kind;
    const type = kind === undefined ? undefined : this.#options.ports(kind).in[port];
    if (type === undefined) throw new FlycatcherError("FLY_GRAPH", `there is no in-port ${to}`);
    return type;
  }

  #placementOf(port: string): string {
    return this.#options.graph.nodes.find(({ name }) => name === portName(port).node)!.placement;
  }

  /**
   * Another reader of an out-port, in the calling thread; to be closed with `untap`. One of the newest message begins with
   * the one that is there: states are published when they change, and that may be long ago.
   */
  tap<M extends object>(from: string, policy: Policy = "every"): RingInPort<M> {
    const start = policy === "newest" ? "retained" : "next";
    return new RingInPort(this.#types.get(from) as MessageType<M>, this.share(from), policy, start);
  }

  untap(from: string, port: RingInPort<never>): void {
    port.close();
    this.unshare(from);
  }

  /** The ring of an out-port, for a reader in another thread, as plain data; it is written from now on. To be ended with `unshare`. */
  share(from: string): ChannelHandle {
    const ring = this.#rings.get(from);
    if (ring === undefined) throw new FlycatcherError("FLY_GRAPH", `there is no out-port ${from}`);
    this.#demand.change(ring.index, 1);
    return ring.handle;
  }

  unshare(from: string): void {
    this.#demand.change(this.#rings.get(from)!.index, -1);
  }

  /** Statuses of all nodes. */
  tapStatus<M extends object>(): RingInPort<M> {
    return new RingInPort(this.#options.status as MessageType<M>, this.#status, "every");
  }

  /** Puts into an in-port of `feeds`. */
  feed<M extends object>(to: string): OutPort<M> {
    const handle = this.#feeds.get(to);
    if (handle === undefined) throw new FlycatcherError("FLY_GRAPH", `${to} is not fed from the main thread`);
    const { clock } = this.#options;
    return new RingOutPort(this.#typeOfIn(to) as MessageType<M>, handle, () => clock.nowNs());
  }

  /** How a placement that is paced by ticks keeps its time. */
  statistics(placement: string): LoopStatistics {
    return new LoopStatistics(this.#statistics.get(placement)!);
  }

  /** Lets threads paced by ticks go: they wait for all others to be ready. */
  open(): void {
    const gate = new Int32Array(this.#gate);
    Atomics.store(gate, 0, 1);
    Atomics.notify(gate, 0);
  }

  /** Starts the thread of a placement; its program builds the nodes from `data`. Settles when it is ready. */
  async start(placement: string, data: unknown): Promise<void> {
    const { program, observer, placements } = this.#options;
    this.states.starting(placement, data);
    // Before the thread is there: it steps nodes before this thread learns that it is ready.
    this.#faults.clear(this.placements.indexOf(placement));
    const worker = await startWorker(program, {
      workerData: this.#inputOf(placement, data),
      startTimeoutMs: START_TIMEOUT_MS,
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
      stopTimeoutMs: placements[placement]!.pacing.kind === "ticks" ? REST_TIMEOUT_MS : STOP_TIMEOUT_MS,
    });
    if (this.#isStopping) {
      await worker.stop();
      return;
    }
    const { threadId } = worker;
    this.#workers.set(placement, worker);
    this.states.become(placement, "running");
    worker.thread.on("message", (message: unknown) => observer.message(placement, message));
    void worker.exited.then(({ reason }) => {
      this.#workers.delete(placement);
      this.#reclaim(threadId);
      if (!this.#isStopping && !this.#halted.has(worker)) this.#replace(placement, data, reason);
    });
  }

  #replace(placement: string, data: unknown, reason: string): void {
    const { observer, placements } = this.#options;
    this.states.become(placement, "failed");
    observer.died(placement, reason);
    if (!placements[placement]!.restarts || this.#diesTooOften(placement)) observer.lost(placement);
    else
      this.start(placement, data).then(
        () => this.#isStopping || observer.restarted(placement),
        () => {
          this.states.become(placement, "failed");
          observer.lost(placement);
        },
      );
  }

  #diesTooOften(placement: string): boolean {
    const nowMs = performance.now();
    const deaths = (this.#deaths.get(placement) ?? []).filter((time) => time > nowMs - DEATHS_MS);
    deaths.push(nowMs);
    this.#deaths.set(placement, deaths);
    return deaths.length > MOST_DEATHS;
  }

  /** Looks which threads give signs of life; to be called several times a second once all run. */
  watch(nowMs: number): void {
    if (this.#isStopping) return;
    const isRunning = (part: number) => this.states.of(this.placements[part]!).state === "running";
    this.#silence.look(nowMs, isRunning, (part, change) => {
      const placement = this.placements[part]!;
      if (change === "hung") this.#end(placement);
      else {
        this.states.hear(placement, change);
        this.#options.observer[change](placement);
      }
    });
  }

  #inputOf(placement: string, data: unknown): HostInput {
    const { graph, clock, placements } = this.#options;
    const { pacing, scheduling } = placements[placement]!;
    const read = graph.edges.filter(({ to }) => this.#placementOf(to) === placement).map(({ from }) => from);
    const used = Array.from(this.#rings).filter(
      ([from]) => read.includes(from) || this.#placementOf(from) === placement,
    );
    return {
      placement,
      graph,
      rings: Object.fromEntries(used),
      feeds: Object.fromEntries(Array.from(this.#feeds).filter(([to]) => this.#placementOf(to) === placement)),
      demand: this.#demandMemory,
      status: this.#status,
      syncTable: this.syncTable,
      clock: clock.origin,
      heartbeats: this.heartbeats,
      part: this.placements.indexOf(placement),
      faults: this.#faultMemory,
      statistics: this.#statistics.get(placement)!,
      gate: this.#gate,
      trace: this.traces.memoryOf(placement),
      pacing,
      scheduling,
      data,
    };
  }

  /** Gives back what a thread that has ended held. */
  #reclaim(threadId: number): void {
    const handles = [
      ...Array.from(this.#rings.values(), ({ handle }) => handle),
      ...this.#feeds.values(),
      this.#status,
    ];
    for (const handle of handles) attachAnyChannel(handle).reclaimThread(threadId);
    new SyncTable(this.syncTable).reclaimThread(threadId);
  }

  /** Ends a thread that hangs. One with sockets is left: Node aborts the process if one receives while its thread is ended. */
  #end(placement: string): void {
    if (this.#options.placements[placement]!.pacing.kind === "events") return;
    void this.#workers.get(placement)?.thread.terminate();
  }

  /** Lets the thread of a placement die amid its work, as an error in it would. */
  kill(placement: string): void {
    this.#faults.kill(this.placements.indexOf(placement));
  }

  /** Lets the thread of a placement use up its memory. */
  exhaust(placement: string): void {
    this.#faults.exhaust(this.placements.indexOf(placement));
  }

  /** Lets the thread of a placement stand still for a while, as a fault would; on the run's clock [s]. */
  hang(placement: string, duration: number): void {
    this.#faults.hang(this.placements.indexOf(placement), this.#options.clock.nowNs() / 1e9 + duration);
  }

  /** Lets each step of a placement take `delay` longer for a while [s]. */
  slow(placement: string, delay: number, duration: number): void {
    this.#faults.slow(this.placements.indexOf(placement), delay, this.#options.clock.nowNs() / 1e9 + duration);
  }

  /** Ends one placement while the others go on; none takes its place until `resume`. */
  async halt(placement: string): Promise<void> {
    const worker = this.#workers.get(placement);
    this.states.become(placement, "stopped");
    if (worker === undefined) return;
    this.#halted.add(worker);
    await worker.stop();
  }

  /** Starts a placement again that was halted or has failed, as it was started before; after the end of its thread. */
  async resume(placement: string): Promise<void> {
    this.states.become(placement, "starting");
    try {
      await this.#workers.get(placement)?.exited;
      await this.start(placement, this.states.dataOf(placement));
    } catch (error) {
      this.states.become(placement, "failed");
      throw error;
    }
  }

  /** From now on threads may end. */
  expectEnd(): void {
    this.#isStopping = true;
  }

  /** Ends one placement: what it moves comes to rest first. */
  async stop(placement: string): Promise<void> {
    this.expectEnd();
    await this.#workers.get(placement)?.stop();
  }

  async stopAll(): Promise<void> {
    this.expectEnd();
    await Promise.all(Array.from(this.#workers.values(), (worker) => worker.stop()));
  }
}
