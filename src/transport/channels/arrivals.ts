import { type ControlMemory, GetWord } from "./control-memory.js";
import type { SyncTable } from "./sync-table.js";
import { WaitCell } from "./wait-cell.js";

/** Tells those who wait that a packet has arrived: readers asleep on the channel, and the sync groups it is part of. */
export class Arrivals {
  /** Changes with every packet: the put-head. */
  readonly cell: WaitCell;
  private readonly memory: ControlMemory;
  private readonly table: SyncTable | null;

  constructor(memory: ControlMemory, table: SyncTable | null) {
    this.memory = memory;
    this.table = table;
    this.cell = new WaitCell(memory.words, memory.head, memory.waiters);
  }

  announce(): void {
    this.cell.wake();
    if (this.table === null) return;
    for (let word = 0; word < this.memory.groupWords; word++) {
      let bits = Atomics.load(this.memory.words, this.memory.groups + word);
      while (bits !== 0) {
        const lowest = bits & -bits;
        this.table.fire(word * 32 + 31 - Math.clz32(lowest));
        bits ^= lowest;
      }
    }
  }

  /** From now on packets fire the get-port's group. The caller owns port and group. */
  join(port: number, group: number): void {
    Atomics.store(this.memory.words, this.memory.getRecord(port) + GetWord.group, group + 1);
    Atomics.or(this.memory.words, this.memory.groups + (group >>> 5), 1 << (group & 31));
  }

  /** Takes the get-port out of its group, if it is in one. */
  leave(port: number): void {
    const group = Atomics.exchange(this.memory.words, this.memory.getRecord(port) + GetWord.group, 0) - 1;
    if (group < 0 || this.hasMember(group)) return;
    Atomics.and(this.memory.words, this.memory.groups + (group >>> 5), ~(1 << (group & 31)));
    // A group that is freed and taken anew elsewhere may just have joined with the same number.
    if (!this.hasMember(group)) return;
    Atomics.or(this.memory.words, this.memory.groups + (group >>> 5), 1 << (group & 31));
    this.announce();
  }

  private hasMember(group: number): boolean {
    for (let port = 0; port < this.memory.sizes.maxGetPorts; port++) {
      if (Atomics.load(this.memory.words, this.memory.getRecord(port) + GetWord.group) === group + 1) return true;
    }
    return false;
  }
}
