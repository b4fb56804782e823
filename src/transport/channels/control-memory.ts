import { roundUp } from "./layout.js";

/** What a channel is sized for. Fixed at creation: nothing is allocated afterwards. */
export interface ChannelSizes {
  /** Packets kept for readers that lag behind; a power of two. */
  readonly ringSize: number;
  readonly maxPutPorts: number;
  readonly maxGetPorts: number;
  /** Packets one get-port may hold at the same time. */
  readonly maxBorrows: number;
  /** ringSize + maxGetPorts·maxBorrows + maxPutPorts, so that a writer always finds a free slot. */
  readonly slotCount: number;
  /** Room of one packet [bytes]. */
  readonly packetBytes: number;
  /** Sync groups a packet may have to fire. */
  readonly maxGroups: number;
  /** Sequence number of the first packet. */
  readonly firstSequence: number;
}

/** Words in front of the set of sync groups. */
const headerWords = 2;
const lineWords = 16;
const lineBytes = 64;

/** Words of a slot's record. */
export const SlotWord = {
  /** Put-port that owns the slot, plus one; 0 if none. */
  claim: 0,
  /** Sequence number under which the slot was published last, or is about to be. */
  sequence: 1,
} as const;

/** Words of a put-port's record. `owner` is the thread's id plus one; 0 while the port is free. */
export const PutWord = { owner: 0, sent: 1, filtered: 2 } as const;

/** Words of a get-port's record. */
export const GetWord = {
  owner: 0,
  newestOnly: 1,
  /** Sync group the port is in, plus one; 0 if none. */
  group: 2,
  /** Sequence number of the packet the port wants next. */
  cursor: 3,
  received: 4,
  lost: 5,
  filtered: 6,
  /** First of `maxBorrows` words: slot that is held, plus one; 0 if none. */
  borrows: 8,
} as const;

/**
 * Where everything lies in a channel's shared memory: control words in front, the heap of slots behind. Words
 * that every packet touches lie together in one cache line, those of different ports and slots in different ones.
 */
export class ControlMemory {
  readonly sizes: ChannelSizes;
  readonly words: Int32Array;
  /** Word of the put-head: the sequence number the next packet gets. */
  readonly head = 0;
  /** Word that counts the threads asleep on `head`. */
  readonly waiters = 1;
  /** First word of the set of sync groups to fire, one bit each. */
  readonly groups = headerWords;
  readonly groupWords: number;
  /** First word of the ring. */
  readonly ring: number;
  private readonly places: Places;

  constructor(sizes: ChannelSizes, buffer: SharedArrayBuffer) {
    this.sizes = sizes;
    this.places = placesOf(sizes);
    this.ring = this.places.ring;
    this.groupWords = groupWordsOf(sizes);
    this.words = new Int32Array(buffer, 0, this.places.heap / 4);
  }

  slotRecord(slot: number): number {
    return this.places.slots + slot * lineWords;
  }

  putRecord(port: number): number {
    return this.places.puts + port * lineWords;
  }

  getRecord(port: number): number {
    return this.places.gets + port * this.places.getRecordWords;
  }

  /** Where the packet in a slot begins [bytes]. */
  slotOffset(slot: number): number {
    return this.places.heap + slot * this.places.slotBytes;
  }
}

/** Length of the shared memory a channel of these sizes needs [bytes]. */
export function memoryBytesOf(sizes: ChannelSizes): number {
  const { heap, slotBytes } = placesOf(sizes);
  return heap + sizes.slotCount * slotBytes;
}

interface Places {
  /** First word of the ring and of each table of records. */
  readonly ring: number;
  readonly slots: number;
  readonly puts: number;
  readonly gets: number;
  readonly getRecordWords: number;
  /** First byte of the heap, and distance of its slots. */
  readonly heap: number;
  readonly slotBytes: number;
}

function placesOf(sizes: ChannelSizes): Places {
  const getRecordWords = roundUp(GetWord.borrows + sizes.maxBorrows, lineWords);
  const ring = roundUp(headerWords + groupWordsOf(sizes), lineWords);
  const slots = ring + roundUp(sizes.ringSize, lineWords);
  const puts = slots + sizes.slotCount * lineWords;
  const gets = puts + sizes.maxPutPorts * lineWords;
  const heap = (gets + sizes.maxGetPorts * getRecordWords) * 4;
  return { ring, slots, puts, gets, getRecordWords, heap, slotBytes: roundUp(sizes.packetBytes, lineBytes) };
}

function groupWordsOf(sizes: ChannelSizes): number {
  return Math.ceil(sizes.maxGroups / 32);
}
