import { attachChannel, type ChannelHandle, createChannel, type Start } from "./channels/channel.js";
import type { GetPort } from "./channels/get-port.js";
import type { PutPort } from "./channels/put-port.js";
import type { SyncTableHandle } from "./channels/sync-table.js";
import { decode, encode, type MessageType, packetOf } from "./message.js";
import type { InPort, OutPort, Policy } from "./port.js";

/** Memory for the messages that a ring keeps for readers that lag behind [bytes]. */
const RING_BYTES = 512 * 1024;
/** Messages it keeps at least and at most; powers of two. */
const FEWEST = 4;
const MOST = 256;
/** Readers of one out-port at most: edges to other threads, and taps. */
const MAX_READERS = 16;
/** Writers at most: the node, and one that takes its place while what it held is given back; feeds likewise. */
const MAX_WRITERS = 4;

/** A ring in shared memory for the messages of one out-port, as plain data for workers. */
export function createRing(type: MessageType, syncTable: SyncTableHandle, maxPutPorts = MAX_WRITERS): ChannelHandle {
  const packet = packetOf(type);
  const fitting = 2 ** Math.floor(Math.log2(RING_BYTES / packet.byteLength));
  const ringSize = Math.min(Math.max(fitting, FEWEST), MOST);
  const maxGetPorts = ringSize === FEWEST ? MAX_READERS / 2 : MAX_READERS;
  return createChannel(packet, { ringSize, maxPutPorts, maxGetPorts, maxBorrows: 1, syncTable }).handle;
}

/** Reads messages of a ring; each is decoded into memory of its own, or into `out`. */
export class RingInPort<M extends object> implements InPort<M> {
  /** The port itself, for sync groups. */
  readonly port: GetPort<object>;
  readonly #type: MessageType<M>;

  /** @param start With the next message, or with those that the ring still holds. */
  constructor(type: MessageType<M>, ring: ChannelHandle, policy: Policy, start: Start = "next") {
    this.#type = type;
    this.port = attachChannel(ring, packetOf(type)).openGetPort(policy, { start });
  }

  /** What is in the ring is there: when a message may be taken is decided where it is put. */
  take(_nowNs: number, out?: M): M | null {
    const packet = this.port.tryReceive();
    if (packet === null) return null;
    const message = decode(this.#type, packet, out);
    this.port.release(packet);
    return message;
  }

  get waiting(): number {
    return this.port.waiting;
  }

  get lost(): number {
    return this.port.lost;
  }

  close(): void {
    this.port.close();
  }
}

/** Whether an out-port's ring is read by anything, in shared memory: without readers nothing is encoded. */
export class RingDemand {
  readonly #readers: Int32Array;

  static memory(rings: number): SharedArrayBuffer {
    return new SharedArrayBuffer(rings * Int32Array.BYTES_PER_ELEMENT);
  }

  constructor(memory: SharedArrayBuffer) {
    this.#readers = new Int32Array(memory);
  }

  /** One reader more, or one less. */
  change(ring: number, by: 1 | -1): void {
    Atomics.add(this.#readers, ring, by);
  }

  isRead(ring: number): boolean {
    return this.#readers[ring]! > 0;
  }
}

interface HeldMessage<M extends object> {
  readonly message: M;
  readonly readyNs: number;
}

/** Writes messages to a ring. One that is for a later time is held back until then, as it is: its memory stays its own. */
export class RingOutPort<M extends object> implements OutPort<M> {
  readonly copies = true;
  readonly #type: MessageType<M>;
  readonly #port: PutPort<object>;
  readonly #nowNs: () => number;
  readonly #isRead: () => boolean;
  #held: HeldMessage<M>[] = [];

  constructor(type: MessageType<M>, ring: ChannelHandle, nowNs: () => number, isRead: () => boolean = () => true) {
    this.#type = type;
    this.#port = attachChannel(ring, packetOf(type)).openPutPort();
    this.#nowNs = nowNs;
    this.#isRead = isRead;
  }

  put(message: M, readyNs: number): void {
    if (this.#held.length > 0 || readyNs > this.#nowNs()) this.#held.push({ message, readyNs });
    else this.#publish(message);
  }

  get isJoined(): boolean {
    return this.#isRead();
  }

  offer(make: () => M, readyNs: number): void {
    if (this.#isRead()) this.put(make(), readyNs);
  }

  #publish(message: M): void {
    if (!this.#isRead()) return;
    encode(this.#type, message, this.#port.reserve());
    this.#port.publish();
  }

  /** Publishes what was held back until now, in the order in which it was put; returns when the next is due [ns]. */
  flush(nowNs: number): number {
    while (this.#held.length > 0 && this.#held[0]!.readyNs <= nowNs) this.#publish(this.#held.shift()!.message);
    return this.#held[0]?.readyNs ?? Number.POSITIVE_INFINITY;
  }

  close(): void {
    this.#port.close();
  }
}
