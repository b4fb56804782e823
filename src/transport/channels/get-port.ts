import { FlycatcherError } from "../../runtime/errors.js";
import { type ChannelCore, thisThread } from "./channel-core.js";
import { GetWord } from "./control-memory.js";
import { allocatePacket, type PacketType } from "./packet.js";
import { type PortMonitor, PortMonitors } from "./port-monitor.js";
import { noSlot } from "./ring.js";
import type { SyncTable } from "./sync-table.js";
import { placeOf } from "./view.js";
import { deadlineAfter, remaining } from "./wait-cell.js";

/** Which packets a get-port hands out: each of them as long as it keeps up, or at any time only the newest. */
export type Delivery = "every" | "newest";

/**
 * The reading end of a channel. A reader borrows a packet, looks at it in place and gives it back:
 * @example
 * const packet = port.receive(100);
 * if (packet !== null) {
 *   use(packet);
 *   port.release(packet);
 * }
 */
export class GetPort<V extends object> {
  /** Number of the port in its channel. */
  readonly index: number;
  readonly delivery: Delivery;
  private readonly core: ChannelCore<V>;
  private readonly words: Int32Array;
  private readonly record: number;
  private readonly firstBorrow: number;
  private readonly monitors = new PortMonitors<V>();
  /** What the reader holds, by borrow word. */
  private readonly held: (V | null)[];
  /** Where monitors transform packets, by borrow word; made when the first such monitor is attached. */
  private copies: readonly PrivateCopy<V>[] = [];
  private borrowing = 0;
  private borrowedSlot = noSlot;
  private readonly makePrivate = (): V => this.copyBorrowed();
  private cursor: number;
  private readonly spins: number;
  private isOpen = true;
  private receivedCount = 0;
  private lostCount = 0;
  private filteredCount = 0;
  private sequenceNumber = 0;

  /** Called by the channel, which has given the port to this thread. `cursor` is the first packet wanted. */
  constructor(core: ChannelCore<V>, index: number, delivery: Delivery, cursor: number, spins: number) {
    this.spins = spins;
    this.core = core;
    this.index = index;
    this.delivery = delivery;
    this.cursor = cursor;
    this.words = core.memory.words;
    this.record = core.memory.getRecord(index);
    this.firstBorrow = this.record + GetWord.borrows;
    this.held = Array.from({ length: core.memory.sizes.maxBorrows }, () => null);
    // The counters are kept here and written there, for those who watch the channel from another thread.
    this.words[this.record + GetWord.newestOnly] = delivery === "newest" ? 1 : 0;
    this.words[this.record + GetWord.cursor] = cursor;
    this.words.fill(0, this.record + GetWord.received, this.firstBorrow);
  }

  /** Packets handed to the reader. */
  get received(): number {
    return this.receivedCount;
  }

  /** Packets this port missed: overwritten before it came for them, or skipped for a newer one. */
  get lost(): number {
    return this.lostCount;
  }

  /** Packets dropped by the port's monitors. received + lost + filtered = what was published since the port was opened. */
  get filtered(): number {
    return this.filteredCount;
  }

  /** Sequence number, in its channel, of the packet received last; wraps at 2³². */
  get sequence(): number {
    return this.sequenceNumber >>> 0;
  }

  /** Packets published that this port has not come for yet; more than its channel keeps are lost. */
  get waiting(): number {
    return this.isOpen ? (this.core.ring.head() - this.cursor) >>> 0 : 0;
  }

  /** Whether there is a packet this port has not handed out yet. */
  get isReady(): boolean {
    return this.isOpen && this.core.ring.head() !== this.cursor;
  }

  /** The next packet, or null if there is none. Hold it as briefly as possible and `release` it. */
  tryReceive(): Readonly<V> | null {
    this.checkOpen();
    const borrow = this.held.indexOf(null);
    if (borrow === -1) throw this.borrowLimit();
    for (;;) {
      const slot = this.borrowNext(this.firstBorrow + borrow);
      if (slot === noSlot) return null;
      const packet = this.monitors.isEmpty ? this.core.views[slot]! : this.passMonitors(slot, borrow);
      if (packet !== null) {
        this.held[borrow] = packet;
        this.words[this.record + GetWord.received] = ++this.receivedCount;
        return packet;
      }
    }
  }

  /** Blocks the thread until there is a packet; null after `timeoutMs`. */
  receive(timeoutMs: number = Number.POSITIVE_INFINITY): Readonly<V> | null {
    let packet = this.tryReceive();
    if (packet !== null) return packet;
    const deadline = deadlineAfter(timeoutMs);
    for (let left = timeoutMs; left > 0; left = remaining(deadline)) {
      this.core.arrivals.cell.wait(this.cursor, left, this.spins);
      packet = this.tryReceive();
      if (packet !== null) return packet;
    }
    return null;
  }

  /** As `receive`, for threads that must not block. Null after `timeoutMs`, and when the port is closed meanwhile. */
  async receiveAsync(timeoutMs: number = Number.POSITIVE_INFINITY): Promise<Readonly<V> | null> {
    const deadline = deadlineAfter(timeoutMs);
    for (let left = timeoutMs; ; left = remaining(deadline)) {
      const packet = this.tryReceive();
      if (packet !== null || !(left > 0)) return packet;
      await this.core.arrivals.cell.waitAsync(this.cursor, left);
      if (!this.isOpen) return null;
    }
  }

  /** Gives a packet back. It must not be looked at afterwards: a writer may be filling it anew. */
  release(packet: Readonly<V>): void {
    const borrow = this.held.indexOf(packet as V);
    if (borrow === -1) throw misuse("release of a packet that is not held");
    this.held[borrow] = null;
    this.core.ring.giveBack(this.firstBorrow + borrow);
  }

  /** Returns the function that takes the monitor off again. */
  attachMonitor(monitor: PortMonitor<V>): () => void {
    if (monitor.kind === "transform" && this.copies.length === 0) {
      this.copies = this.held.map(() => privateCopy(this.core.type));
    }
    return this.monitors.attach(monitor);
  }

  /** Gives the port, and all packets it still holds, back to the channel. */
  close(): void {
    if (!this.isOpen) return;
    this.checkOpen();
    this.isOpen = false;
    this.core.arrivals.leave(this.index);
    for (let borrow = 0; borrow < this.held.length; borrow++) {
      this.held[borrow] = null;
      this.core.ring.giveBack(this.firstBorrow + borrow);
    }
    Atomics.store(this.words, this.record + GetWord.owner, 0);
    this.core.arrivals.cell.wake();
  }

  /** For a sync group: from now on packets for this port wake the group. */
  joinGroup(table: SyncTable, group: number): void {
    this.checkOpen();
    if (this.core.syncTable === null || !this.core.syncTable.isSameAs(table)) {
      throw noGroup("the port's channel was not created with the group's sync table");
    }
    if (Atomics.load(this.words, this.record + GetWord.group) !== 0) throw noGroup("the port is in a group already");
    this.core.arrivals.join(this.index, group);
  }

  /** For a sync group. */
  leaveGroup(): void {
    if (this.isOpen) this.core.arrivals.leave(this.index);
  }

  /** Borrows the next packet due and counts those passed over. */
  private borrowNext(borrowWord: number): number {
    const { ring, memory } = this.core;
    const { ringSize } = memory.sizes;
    let head = ring.glanceAtHead();
    for (;;) {
      if (head === this.cursor) head = ring.head();
      const behind = (head - this.cursor) >>> 0;
      if (behind === 0) return noSlot;
      let sequence = this.cursor;
      if (this.delivery === "newest") sequence = (head - 1) | 0;
      else if (behind > ringSize) sequence = (head - ringSize) | 0;
      const slot = ring.borrow(sequence, borrowWord);
      if (slot === noSlot) {
        head = ring.head();
        continue;
      }
      if (sequence !== this.cursor) this.countLost((sequence - this.cursor) >>> 0);
      this.cursor = (sequence + 1) | 0;
      this.words[this.record + GetWord.cursor] = this.cursor;
      this.sequenceNumber = sequence;
      return slot;
    }
  }

  /** Null, and the slot given back, if a filter drops the packet or a monitor fails. */
  private passMonitors(slot: number, borrow: number): V | null {
    this.borrowing = borrow;
    this.borrowedSlot = slot;
    let packet: V | null = null;
    try {
      packet = this.monitors.run(this.core.views[slot]!, this.makePrivate);
    } finally {
      if (packet === null) {
        this.core.ring.giveBack(this.firstBorrow + borrow);
        this.words[this.record + GetWord.filtered] = ++this.filteredCount;
      }
    }
    return packet;
  }

  private copyBorrowed(): V {
    const copy = this.copies[this.borrowing]!;
    copy.bytes.set(this.core.slotBytes[this.borrowedSlot]!);
    return copy.packet;
  }

  private countLost(packets: number): void {
    this.lostCount += packets;
    this.words[this.record + GetWord.lost] = this.lostCount;
  }

  private checkOpen(): void {
    if (this.isOpen && this.words[this.record + GetWord.owner] === thisThread) return;
    throw misuse("the get-port is closed, or was reclaimed from its thread");
  }

  private borrowLimit(): FlycatcherError {
    return new FlycatcherError("FLY_CHANNEL_BORROW_LIMIT", `${this.core.type.name} port ${this.index}`, {
      expected: `at most ${this.held.length} packets held`,
    });
  }
}

interface PrivateCopy<V extends object> {
  readonly packet: V;
  readonly bytes: Uint8Array;
}

function privateCopy<V extends object>(type: PacketType<V>): PrivateCopy<V> {
  const packet = allocatePacket(type);
  return { packet, bytes: placeOf(packet).memory.u8 };
}

function misuse(message: string): FlycatcherError {
  return new FlycatcherError("FLY_CHANNEL_PORT_MISUSE", message);
}

function noGroup(message: string): FlycatcherError {
  return new FlycatcherError("FLY_CHANNEL_SYNC_GROUP", message);
}
