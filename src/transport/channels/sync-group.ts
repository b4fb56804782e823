import { FlycatcherError } from "../../runtime/errors.js";
import { SyncTable, type SyncTableHandle } from "./sync-table.js";
import { deadlineAfter, remaining } from "./wait-cell.js";

/** What a sync group needs of a get-port. */
export interface SyncMember {
  readonly isReady: boolean;
  joinGroup(table: SyncTable, group: number): void;
  leaveGroup(): void;
}

/**
 * Waits on many get-ports at once, also of different channels, and is woken by whichever gets a packet first. Belongs to
 * the thread that made it, as its ports do.
 * @example
 * const group = new SyncGroup(table, [images, joints]);
 * const port = group.wait();
 * if (port === images) …
 */
export class SyncGroup<P extends SyncMember> {
  private readonly table: SyncTable;
  private readonly group: number;
  private readonly ports: P[] = [];
  /** Where the next look around begins, so that a busy port does not keep the others from their turn. */
  private turn = 0;
  private isOpen = true;

  constructor(table: SyncTableHandle, ports: readonly P[] = []) {
    this.table = new SyncTable(table);
    this.group = this.table.claimGroup();
    if (this.group === -1) {
      throw new FlycatcherError("FLY_CHANNEL_SYNC_GROUP", "all groups of the sync table are taken", {
        expected: `at most ${table.maxGroups} groups`,
      });
    }
    for (const port of ports) this.addOrClose(port);
  }

  add(port: P): void {
    port.joinGroup(this.table, this.group);
    this.ports.push(port);
  }

  /** Takes the port out of the group; the port itself stays open. */
  remove(port: P): void {
    const index = this.ports.indexOf(port);
    if (index === -1) return;
    this.ports.splice(index, 1);
    port.leaveGroup();
  }

  /** A port with a packet not yet received, or null if there is none. */
  ready(): P | null {
    const count = this.ports.length;
    for (let step = 0; step < count; step++) {
      const index = (this.turn + step) % count;
      const port = this.ports[index]!;
      if (!port.isReady) continue;
      this.turn = index + 1;
      return port;
    }
    return null;
  }

  /**
   * Blocks the thread until a port has a packet, and returns that port; null after `timeoutMs`. Its `tryReceive` may
   * still give null if a filter is attached to it.
   */
  wait(timeoutMs: number = Number.POSITIVE_INFINITY): P | null {
    const cell = this.table.cell(this.group);
    const deadline = deadlineAfter(timeoutMs);
    for (let left = timeoutMs; ; left = remaining(deadline)) {
      // Read before looking: a packet that comes in between changes the word, and the wait returns at once.
      const seen = cell.read();
      const port = this.ready();
      if (port !== null || !(left > 0)) return port;
      cell.wait(seen, left);
    }
  }

  /** As `wait`, for threads that must not block. Null after `timeoutMs`, and when the group is closed meanwhile. */
  async waitAsync(timeoutMs: number = Number.POSITIVE_INFINITY): Promise<P | null> {
    const cell = this.table.cell(this.group);
    const deadline = deadlineAfter(timeoutMs);
    for (let left = timeoutMs; ; left = remaining(deadline)) {
      const seen = cell.read();
      const port = this.ready();
      if (port !== null || !(left > 0) || !this.isOpen) return port;
      await cell.waitAsync(seen, left);
    }
  }

  /** Gives the group back to the table; its ports stay open. */
  close(): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    for (const port of this.ports.splice(0)) port.leaveGroup();
    this.table.fire(this.group);
    this.table.freeGroup(this.group);
  }

  private addOrClose(port: P): void {
    try {
      this.add(port);
    } catch (error) {
      this.close();
      throw error;
    }
  }
}
