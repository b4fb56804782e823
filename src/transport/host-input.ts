import type { ClockOrigin } from "../runtime/clock.js";
import type { ChannelHandle } from "./channels/channel.js";
import type { SyncTableHandle } from "./channels/sync-table.js";
import type { Graph } from "./graph.js";

/**
 * What steps the nodes of a placement: messages and their own wake-ups, in a thread that sleeps meanwhile; the same in a thread
 * with an event loop, for nodes with sockets; or a timer, on the grid of the run's clock.
 */
export type Pacing =
  | { readonly kind: "messages" }
  | { readonly kind: "events" }
  | {
      readonly kind: "ticks";
      readonly tickNs: number;
      /** See `TickTimer`. */
      readonly spinMs: number;
    };

/** How a thread is scheduled: real-time priority (0: none), and nice value of a thread without. */
export interface Scheduling {
  readonly priority: number;
  readonly nice: number;
}

/** The ring of one out-port, and its place in the table of demand. */
export interface RingSpec {
  readonly handle: ChannelHandle;
  readonly index: number;
}

/** What the worker of a placement is started with; `data` is the factory's. */
export interface HostInput<Data = unknown> {
  readonly placement: string;
  readonly graph: Graph;
  /** Rings by the names of the out-ports that write them; those that this placement writes or reads. */
  readonly rings: { readonly [from: string]: RingSpec };
  /** Rings that the main thread writes, by the names of the in-ports that read them. */
  readonly feeds: { readonly [to: string]: ChannelHandle };
  /** See `RingDemand`. */
  readonly demand: SharedArrayBuffer;
  readonly status: ChannelHandle;
  readonly syncTable: SyncTableHandle;
  readonly clock: ClockOrigin;
  /** See `Heartbeats`; `part` is the placement's. */
  readonly heartbeats: SharedArrayBuffer;
  readonly part: number;
  /** See `ThreadFaults`. */
  readonly faults: SharedArrayBuffer;
  /** See `LoopStatistics`. */
  readonly statistics: SharedArrayBuffer;
  /** Not 0 once threads paced by ticks may go. */
  readonly gate: SharedArrayBuffer;
  /** See `StepTrace`. */
  readonly trace: SharedArrayBuffer;
  readonly pacing: Pacing;
  readonly scheduling: Scheduling;
  readonly data: Data;
}
