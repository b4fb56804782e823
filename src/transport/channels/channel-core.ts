import { threadId } from "node:worker_threads";
import type { Arrivals } from "./arrivals.js";
import type { ControlMemory } from "./control-memory.js";
import type { PacketType } from "./packet.js";
import type { Ring } from "./ring.js";
import type { SyncTable } from "./sync-table.js";

/** What the ports of a channel in one thread share. */
export interface ChannelCore<V extends object> {
  readonly type: PacketType<V>;
  readonly memory: ControlMemory;
  readonly ring: Ring;
  readonly arrivals: Arrivals;
  readonly syncTable: SyncTable | null;
  /** The view of the packet in each slot, made once. */
  readonly views: readonly V[];
  /** The bytes of each slot. */
  readonly slotBytes: readonly Uint8Array[];
}

/** How this thread signs what it owns in shared memory. Node never gives a thread's id to another. */
export const thisThread: number = threadId + 1;
