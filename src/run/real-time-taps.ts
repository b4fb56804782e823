import type { PlannerTimings } from "../catching/inline-arm-planner.js";
import { SyncGroup } from "../channels/sync-group.js";
import type { ControlState } from "../messages/control.js";
import type { PlanReply } from "../messages/planning.js";
import type { ArmStates, Event } from "../messages/report.js";
import type { TrueFlight } from "../messages/world.js";
import type { RunClock } from "../runtime/clock.js";
import type { Graph } from "../transport/graph.js";
import { type InPort, type NodePorts, takeEach, takeNewest } from "../transport/port.js";
import type { RingInPort } from "../transport/ring-ports.js";
import type { ThreadsExecutor } from "../transport/threads-executor.js";
import { ThrowRecord } from "./throw-record.js";

/** Longest sleep between two looks [ms]. */
const LOOK_MS = 100;
/** A state of the arms that is older than this no longer counts [ns]. */
const STALE_NS = 500e6;

/** What the main thread of a run in real time reads of it, as soon as it comes. */
export class RealTimeTaps {
  readonly record: ThrowRecord;
  readonly timings: PlannerTimings = { coldMs: [], fruitlessMs: [], warmMs: [] };
  /** What is known of arms and control; null before the first message. */
  states: ArmStates | null = null;
  control: ControlState | null = null;
  /** When balls were truly released, by their numbers [s]. */
  readonly released = new Map<number, number>();
  readonly #clock: RunClock;
  readonly #onEvent: (event: Event) => void;
  readonly #ports: RingInPort<never>[] = [];
  readonly #events: InPort<Event>[];
  readonly #answers: InPort<PlanReply>[];
  readonly #states: InPort<ArmStates>;
  readonly #control: InPort<ControlState>;
  readonly #flights: InPort<TrueFlight>;
  readonly #group: SyncGroup<RingInPort<never>["port"]>;
  readonly #running: Promise<void>;
  #statesNs = Number.NEGATIVE_INFINITY;
  #isClosed = false;

  constructor(
    executor: ThreadsExecutor,
    { nodes }: Graph,
    portsOf: (kind: string) => NodePorts,
    clock: RunClock,
    onEvent: (event: Event) => void,
  ) {
    const tap = <M extends object>(from: string): InPort<M> => {
      const port = executor.tap<M>(from);
      this.#ports.push(port as RingInPort<never>);
      return port;
    };
    this.#clock = clock;
    this.#onEvent = onEvent;
    const outOf = (port: string) => nodes.filter(({ kind }) => portsOf(kind).out[port] !== undefined);
    this.#events = outOf("events").map(({ name }) => tap(`${name}.events`));
    this.#answers = outOf("answers").map(({ name }) => tap(`${name}.answers`));
    this.#states = tap("catching.states");
    this.#control = tap("control.control");
    this.#flights = tap("world.flights");
    this.record = new ThrowRecord({
      grasps: tap("world.grasps"),
      fates: tap("world.fates"),
      attempts: tap("catching.attempts"),
    });
    this.#group = new SyncGroup(
      executor.syncTable,
      this.#ports.map(({ port }) => port),
    );
    this.#running = this.#run();
  }

  async #run(): Promise<void> {
    while (!this.#isClosed) {
      await this.#group.waitAsync(LOOK_MS);
      if (!this.#isClosed) this.look();
    }
  }

  /** Takes what has come. */
  look(): void {
    const nowNs = this.#clock.nowNs();
    for (const port of this.#events) takeEach(port, nowNs, this.#onEvent);
    for (const port of this.#answers) takeEach(port, nowNs, (answer) => this.#time(answer));
    const states = takeNewest(this.#states, nowNs);
    if (states !== null) this.#statesNs = nowNs;
    this.states = states ?? this.states;
    this.control = takeNewest(this.#control, nowNs) ?? this.control;
    takeEach(this.#flights, nowNs, ({ ball, pieces }) => void this.released.set(ball, pieces[0]!.time));
    this.record.take(nowNs);
  }

  #time({ search, plan, askedNs, answeredNs }: PlanReply): void {
    const { coldMs, fruitlessMs, warmMs } = this.timings;
    const kind = search === "warm" ? warmMs : plan === null ? fruitlessMs : coldMs;
    kind.push((answeredNs - askedNs) / 1e6);
  }

  /** From here on durations count. */
  forgetTimings(): void {
    for (const times of Object.values(this.timings)) times.length = 0;
  }

  /** Whether every arm waits for a ball, the robot can be led and its head looks to where balls come from. */
  get isWaiting(): boolean {
    const isFresh = this.#clock.nowNs() - this.#statesNs < STALE_NS;
    const { control } = this;
    return isFresh && this.states?.isWaiting === true && control?.isReady === true && control.isNeckResting;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#group.close();
    await this.#running;
    for (const port of this.#ports) port.close();
  }
}
