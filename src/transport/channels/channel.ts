import { threadId } from "node:worker_threads";
import { FlycatcherError } from "../../runtime/errors.js";
import { Arrivals } from "./arrivals.js";
import { type ChannelCore, thisThread } from "./channel-core.js";
import { type ChannelOptions, channelSizes } from "./channel-options.js";
import { type ChannelStatistics, statisticsOf } from "./channel-statistics.js";
import { type ChannelSizes, ControlMemory, GetWord, memoryBytesOf, PutWord, SlotWord } from "./control-memory.js";
import { type Delivery, GetPort } from "./get-port.js";
import { descriptionOf, type PacketDescription, type PacketType, packetTypeOf } from "./packet.js";
import { PacketMemory } from "./packet-memory.js";
import { PutPort } from "./put-port.js";
import { Ring } from "./ring.js";
import { SyncTable, type SyncTableHandle } from "./sync-table.js";

/** A channel as plain data: sent to a worker, in its `workerData` or a message, and attached there. */
export interface ChannelHandle {
  readonly packet: PacketDescription;
  readonly sizes: ChannelSizes;
  readonly memory: SharedArrayBuffer;
  readonly syncTable: SyncTableHandle | null;
}

/** Creates a channel for packets of one type and attaches this thread to it. */
export function createChannel<V extends object>(type: PacketType<V>, options: ChannelOptions = {}): Channel<V> {
  const sizes = channelSizes(type, options);
  const memory = new SharedArrayBuffer(memoryBytesOf(sizes));
  new Ring(new ControlMemory(sizes, memory)).initialize();
  return new Channel(type, { packet: descriptionOf(type), sizes, memory, syncTable: options.syncTable ?? null });
}

/** Attaches this thread to a channel; refused if the channel's packets are not of the type the program expects. */
export function attachChannel<V extends object>(handle: ChannelHandle, type: PacketType<V>): Channel<V> {
  const { signature } = packetTypeOf(handle.packet);
  if (signature !== type.signature) {
    throw new FlycatcherError("FLY_CHANNEL_PACKET_MISMATCH", "a channel carries other packets than expected", {
      expected: type.signature,
      found: signature,
    });
  }
  return new Channel(type, handle);
}

/** Attaches this thread to a channel without knowing its packets beforehand: for recorders and monitors. */
export function attachAnyChannel(handle: ChannelHandle): Channel<object> {
  return new Channel(packetTypeOf(handle.packet), handle);
}

/** Where a get-port begins: with the next packet published, or with what the ring still holds. */
export type Start = "next" | "retained";

export interface GetPortOptions {
  readonly start?: Start;
  /**
   * How often a blocking receive looks for a packet before it sleeps; a look takes some 10 ns. The default is 0. Worth it
   * where a core can be spared and a packet is about to come: a reader that sleeps is tens of microseconds in waking on
   * an idle machine.
   */
  readonly spins?: number;
}

/** A thread's access to a channel. */
export class Channel<V extends object> {
  readonly type: PacketType<V>;
  readonly handle: ChannelHandle;
  private readonly ring: Ring;
  private readonly arrivals: Arrivals;
  private readonly syncTable: SyncTable | null;
  private readonly memory: ControlMemory;
  private readonly words: Int32Array;
  private portCore: ChannelCore<V> | null = null;

  /** Use `createChannel` or `attachChannel`. */
  constructor(type: PacketType<V>, handle: ChannelHandle) {
    this.type = type;
    this.handle = handle;
    this.memory = new ControlMemory(handle.sizes, handle.memory);
    this.words = this.memory.words;
    this.syncTable = handle.syncTable === null ? null : new SyncTable(handle.syncTable);
    this.ring = new Ring(this.memory);
    this.arrivals = new Arrivals(this.memory, this.syncTable);
  }

  /** What ports share; the views of all slots are made with the first port. */
  private get core(): ChannelCore<V> {
    const { type, memory, ring, arrivals, syncTable } = this;
    this.portCore ??= { type, memory, ring, arrivals, syncTable, ...slotsOf(type, memory, this.handle.memory) };
    return this.portCore;
  }

  openPutPort(): PutPort<V> {
    const index = this.claimPort("put-ports", this.memory.sizes.maxPutPorts, (port) => this.memory.putRecord(port));
    return new PutPort(this.core, index);
  }

  openGetPort(delivery: Delivery, options: GetPortOptions = {}): GetPort<V> {
    const index = this.claimPort("get-ports", this.memory.sizes.maxGetPorts, (port) => this.memory.getRecord(port));
    const head = this.ring.head();
    const { start, spins = 0 } = options;
    if (start !== "retained") return new GetPort(this.core, index, delivery, head, spins);
    const { ringSize, firstSequence } = this.memory.sizes;
    const retained = Math.min((head - firstSequence) >>> 0, ringSize);
    return new GetPort(this.core, index, delivery, (head - retained) | 0, spins);
  }

  /**
   * Gives back what a thread that has ended still had of this channel: ports, slots, sync groups' memberships. To be
   * called once the thread is really gone (`exit` of the worker), by any thread, any number of times. The channel works
   * without it, too; what the thread had is then missing for others.
   * @param deadThreadId The worker's `threadId` while it lived; Node sets it to −1 when the worker exits.
   * @returns How many ports were given back.
   */
  reclaimThread(deadThreadId: number): number {
    if (deadThreadId === threadId) {
      throw new FlycatcherError("FLY_CHANNEL_PORT_MISUSE", "a thread cannot reclaim its own ports; close them");
    }
    const { maxPutPorts, maxGetPorts } = this.memory.sizes;
    let count = 0;
    for (let port = 0; port < maxPutPorts; port++) {
      if (!this.takeOver(this.memory.putRecord(port) + PutWord.owner, deadThreadId)) continue;
      this.freePutPort(port);
      count++;
    }
    for (let port = 0; port < maxGetPorts; port++) {
      if (!this.takeOver(this.memory.getRecord(port) + GetWord.owner, deadThreadId)) continue;
      this.freeGetPort(port);
      count++;
    }
    // The thread may have died between publishing a packet and saying so.
    this.ring.head();
    this.arrivals.announce();
    return count;
  }

  /** The state of the channel and of all its open ports, from whatever thread. Counters wrap at 2³². */
  statistics(): ChannelStatistics {
    return statisticsOf(this.memory, this.ring.head());
  }

  private claimPort(kind: string, count: number, record: (port: number) => number): number {
    for (let port = 0; port < count; port++) {
      if (Atomics.compareExchange(this.words, record(port), 0, thisThread) === 0) return port;
    }
    throw new FlycatcherError("FLY_CHANNEL_PORTS_EXHAUSTED", `no port is free on a channel of ${this.type.name}`, {
      expected: `at most ${count} ${kind}`,
    });
  }

  /** By changing hands first, a port is given back by one thread only, and by somebody even if that one dies. */
  private takeOver(ownerWord: number, deadThreadId: number): boolean {
    const owner = deadThreadId + 1;
    return Atomics.compareExchange(this.words, ownerWord, owner, thisThread) === owner;
  }

  private freePutPort(port: number): void {
    for (let slot = 0; slot < this.memory.sizes.slotCount; slot++) {
      Atomics.compareExchange(this.words, this.memory.slotRecord(slot) + SlotWord.claim, port + 1, 0);
    }
    Atomics.store(this.words, this.memory.putRecord(port) + PutWord.owner, 0);
  }

  private freeGetPort(port: number): void {
    this.arrivals.leave(port);
    const record = this.memory.getRecord(port);
    for (let borrow = 0; borrow < this.memory.sizes.maxBorrows; borrow++) {
      Atomics.store(this.words, record + GetWord.borrows + borrow, 0);
    }
    Atomics.store(this.words, record + GetWord.owner, 0);
  }
}

/** The views of all slots of a channel, as this thread has them. */
function slotsOf<V extends object>(
  type: PacketType<V>,
  memory: ControlMemory,
  buffer: SharedArrayBuffer,
): Pick<ChannelCore<V>, "views" | "slotBytes"> {
  const packetMemory = new PacketMemory(buffer);
  const offsets = Array.from({ length: memory.sizes.slotCount }, (_, slot) => memory.slotOffset(slot));
  return {
    views: offsets.map((offset) => type.createView(packetMemory, offset)),
    slotBytes: offsets.map((offset) => new Uint8Array(buffer, offset, type.byteLength)),
  };
}
