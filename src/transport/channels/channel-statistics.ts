import { type ControlMemory, GetWord, PutWord } from "./control-memory.js";
import type { Delivery } from "./get-port.js";

/** What a channel has done so far, for people and profilers. All counters wrap at 2³². */
export interface ChannelStatistics {
  readonly published: number;
  readonly putPorts: readonly PutPortStatistics[];
  readonly getPorts: readonly GetPortStatistics[];
}

export interface PutPortStatistics {
  readonly index: number;
  readonly threadId: number;
  readonly sent: number;
  readonly filtered: number;
}

export interface GetPortStatistics {
  readonly index: number;
  readonly threadId: number;
  readonly delivery: Delivery;
  readonly received: number;
  readonly lost: number;
  readonly filtered: number;
  /** Packets published that the port has not come for yet. */
  readonly behind: number;
  /** Packets the reader holds. */
  readonly held: number;
}

/** @param head Sequence number the next packet will get. */
export function statisticsOf(memory: ControlMemory, head: number): ChannelStatistics {
  const { maxPutPorts, maxGetPorts, firstSequence } = memory.sizes;
  const isOpen = (record: number): boolean => Atomics.load(memory.words, record) !== 0;
  const putPorts = Array.from({ length: maxPutPorts }, (_, index) => index);
  const getPorts = Array.from({ length: maxGetPorts }, (_, index) => index);
  return {
    published: (head - firstSequence) >>> 0,
    putPorts: putPorts.filter((port) => isOpen(memory.putRecord(port))).map((port) => ofPutPort(memory, port)),
    getPorts: getPorts.filter((port) => isOpen(memory.getRecord(port))).map((port) => ofGetPort(memory, port, head)),
  };
}

function ofPutPort(memory: ControlMemory, index: number): PutPortStatistics {
  const count = (word: number): number => memory.words[memory.putRecord(index) + word]! >>> 0;
  return {
    index,
    threadId: count(PutWord.owner) - 1,
    sent: count(PutWord.sent),
    filtered: count(PutWord.filtered),
  };
}

function ofGetPort(memory: ControlMemory, index: number, head: number): GetPortStatistics {
  const record = memory.getRecord(index);
  const count = (word: number): number => memory.words[record + word]! >>> 0;
  const borrows = memory.words.subarray(record + GetWord.borrows, record + GetWord.borrows + memory.sizes.maxBorrows);
  return {
    index,
    threadId: count(GetWord.owner) - 1,
    delivery: count(GetWord.newestOnly) === 0 ? "every" : "newest",
    received: count(GetWord.received),
    lost: count(GetWord.lost),
    filtered: count(GetWord.filtered),
    // The port may have gone past `head` meanwhile.
    behind: Math.max((head - count(GetWord.cursor)) | 0, 0),
    held: borrows.filter((slot) => slot !== 0).length,
  };
}
