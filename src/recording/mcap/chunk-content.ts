import { crc32 } from "node:zlib";
import { Opcode } from "@mcap/core";
import type { ReadBudget } from "./read-budget.js";
import { decompressChunk, ZSTD } from "./zstd.js";

/** A message as it stands in a file. */
export interface StoredMessage {
  readonly channelId: number;
  /** Of the run's clock [ns]. */
  readonly timeNs: number;
  /** View into the chunk's memory. */
  readonly data: Uint8Array;
  /** Place of the message's chunk in the file [bytes]. */
  readonly chunkOffset: number;
}

/** Ours have a megabyte and an image; larger ones are refused before memory is taken for them [bytes]. */
export const MAX_CHUNK_BYTES = 1 << 26;

/** Opcode and length of a record [bytes]. */
export const RECORD_PREFIX = 1 + 8;
/** Times, size and checksum before the compression's name [bytes]. */
const CHUNK_FIXED = 8 + 8 + 8 + 4;
/** Channel, sequence and times before a message's data [bytes]. */
const MESSAGE_FIXED = 2 + 4 + 8 + 8;

/**
 * The records in a chunk record, decompressed; throws with the reason if they are not as the chunk's checksum says.
 * @param record The whole chunk record with opcode and length.
 * @param budget Counts the work; refuses it with a code where it is too much.
 */
export function openChunk(record: Uint8Array, budget: ReadBudget): Uint8Array {
  const view = new DataView(record.buffer, record.byteOffset, record.byteLength);
  if (view.getUint8(0) !== Opcode.CHUNK) throw new RangeError("no chunk at this place");
  const uncompressedSize = Number(view.getBigUint64(RECORD_PREFIX + 16, true));
  const checksum = view.getUint32(RECORD_PREFIX + 24, true);
  const nameLength = view.getUint32(RECORD_PREFIX + CHUNK_FIXED, true);
  const nameStart = RECORD_PREFIX + CHUNK_FIXED + 4;
  if (nameStart + nameLength + 8 > record.length) throw new RangeError("its parts are longer than itself");
  const compression = Buffer.from(record.buffer, record.byteOffset + nameStart, nameLength).toString("utf8");
  const packed = record.subarray(nameStart + nameLength + 8);
  if (Number(view.getBigUint64(nameStart + nameLength, true)) !== packed.length) {
    throw new RangeError("its parts do not add up to its length");
  }
  if (uncompressedSize <= MAX_CHUNK_BYTES) budget.takeChunk(uncompressedSize);
  const content = unpack(packed, compression, uncompressedSize);
  if (checksum !== 0 && crc32(content) !== checksum) throw new RangeError("its checksum differs");
  return content;
}

function unpack(packed: Uint8Array, compression: string, size: number): Uint8Array {
  if (!(size <= MAX_CHUNK_BYTES)) throw new RangeError(`it would take ${size} bytes, more than ${MAX_CHUNK_BYTES}`);
  if (compression === "") return packed;
  if (compression !== ZSTD) throw new RangeError(`it is compressed with "${compression}", not zstd`);
  const content = decompressChunk(packed, size);
  if (content.length !== size) throw new RangeError("it is shorter than it says");
  return content;
}

/** A record within a chunk's content. */
export interface ChunkRecord {
  readonly opcode: number;
  /** From opcode to end [bytes in the chunk]. */
  readonly start: number;
  readonly end: number;
}

/** Goes through a chunk's records; throws at one that reaches beyond the chunk. */
export function* chunkRecords(content: Uint8Array): Generator<ChunkRecord> {
  const view = new DataView(content.buffer, content.byteOffset, content.byteLength);
  for (let start = 0; start < content.length; ) {
    if (start + RECORD_PREFIX > content.length) throw new RangeError("its last record is cut off");
    const end = start + RECORD_PREFIX + Number(view.getBigUint64(start + 1, true));
    if (!(end <= content.length)) throw new RangeError("a record in it is longer than itself");
    yield { opcode: view.getUint8(start), start, end };
    start = end;
  }
}

/** Time of a message in a chunk [ns]. */
export function messageTime(content: Uint8Array, { start, end }: ChunkRecord): number {
  if (start + RECORD_PREFIX + MESSAGE_FIXED > end) throw new RangeError("a message in it is too short");
  const view = new DataView(content.buffer, content.byteOffset, content.byteLength);
  return Number(view.getBigUint64(start + RECORD_PREFIX + 6, true));
}

/** The messages of a chunk as they were written. */
export function messagesOf(content: Uint8Array, chunkOffset: number): StoredMessage[] {
  const view = new DataView(content.buffer, content.byteOffset, content.byteLength);
  const messages: StoredMessage[] = [];
  for (const { opcode, start, end } of chunkRecords(content)) {
    if (opcode !== Opcode.MESSAGE) continue;
    const fixed = start + RECORD_PREFIX;
    if (fixed + MESSAGE_FIXED > end) throw new RangeError("a message in it is too short");
    messages.push({
      channelId: view.getUint16(fixed, true),
      timeNs: Number(view.getBigUint64(fixed + 6, true)),
      data: content.subarray(fixed + MESSAGE_FIXED, end),
      chunkOffset,
    });
  }
  return messages;
}
