import { threadId } from "node:worker_threads";
import { FlycatcherError } from "../../runtime/errors.js";
import { WaitCell } from "./wait-cell.js";

/** A sync table as plain data, to be sent to other threads. */
export interface SyncTableHandle {
  readonly memory: SharedArrayBuffer;
  readonly maxGroups: number;
}

const recordWords = 16;
const GroupWord = { owner: 0, fired: 1, waiters: 2 } as const;
const maxGroupsEver = 1024;

/**
 * Creates the shared memory that sync groups sleep on. One table serves all channels of a run: a writer anywhere must be
 * able to wake a group anywhere, so the channels whose ports are to meet in a group are created with the same table.
 */
export function createSyncTable(maxGroups = 32): SyncTableHandle {
  if (!(Number.isInteger(maxGroups) && maxGroups >= 1 && maxGroups <= maxGroupsEver)) {
    throw new FlycatcherError("FLY_CHANNEL_OPTIONS", "a sync table cannot have this size", {
      path: "/maxGroups",
      expected: `a whole number from 1 to ${maxGroupsEver}`,
      found: String(maxGroups),
    });
  }
  const memory = new SharedArrayBuffer((maxGroups + 1) * recordWords * 4);
  // Handles of the same table are different objects in different threads; this number tells tables apart.
  new Int32Array(memory).set(crypto.getRandomValues(new Int32Array(4)));
  return { memory, maxGroups };
}

/** A thread's access to a sync table. */
export class SyncTable {
  readonly maxGroups: number;
  private readonly words: Int32Array;
  private readonly cells: readonly WaitCell[];

  constructor(handle: SyncTableHandle) {
    this.maxGroups = handle.maxGroups;
    this.words = new Int32Array(handle.memory);
    this.cells = Array.from({ length: handle.maxGroups }, (_, group) => {
      const record = recordOf(group);
      return new WaitCell(this.words, record + GroupWord.fired, record + GroupWord.waiters);
    });
  }

  isSameAs(other: SyncTable): boolean {
    return this.words.subarray(0, 4).every((word, index) => word === other.words[index]);
  }

  /** A free group, now this thread's; −1 if there is none. */
  claimGroup(): number {
    for (let group = 0; group < this.maxGroups; group++) {
      const owner = recordOf(group) + GroupWord.owner;
      if (Atomics.compareExchange(this.words, owner, 0, threadId + 1) === 0) return group;
    }
    return -1;
  }

  freeGroup(group: number): void {
    Atomics.store(this.words, recordOf(group) + GroupWord.owner, 0);
  }

  /** Wakes the group, or keeps it from falling asleep. Firing a group that nobody owns does no harm. */
  fire(group: number): void {
    Atomics.add(this.words, recordOf(group) + GroupWord.fired, 1);
    this.cells[group]!.wake();
  }

  cell(group: number): WaitCell {
    return this.cells[group]!;
  }

  /** Frees the groups of a thread that has ended; returns how many. */
  reclaimThread(deadThreadId: number): number {
    let freed = 0;
    for (let group = 0; group < this.maxGroups; group++) {
      const owner = recordOf(group) + GroupWord.owner;
      if (Atomics.compareExchange(this.words, owner, deadThreadId + 1, 0) === deadThreadId + 1) freed++;
    }
    return freed;
  }
}

/** Record 0 holds the table's identity. */
function recordOf(group: number): number {
  return (group + 1) * recordWords;
}
