import { type Channel, McapIndexedReader, McapStreamReader, type TypedMcapRecord } from "@mcap/core";
import type { ByteSource } from "./byte-source.js";
import type { RecordingProblem } from "./recording-problem.js";

/** Where a chunk is, and which time it covers. */
export interface ChunkPlace {
  /** From opcode to end [bytes]. */
  readonly offset: number;
  readonly length: number;
  /** Times of its first and last message [ns]. */
  readonly startNs: number;
  readonly endNs: number;
}

/** What is in a file, and where. */
export interface McapIndex {
  /** In the order of the file. */
  readonly chunks: readonly ChunkPlace[];
  readonly channels: ReadonlyMap<number, Channel>;
  /** Names and texts, by the name of the record. */
  readonly metadata: ReadonlyMap<string, ReadonlyMap<string, string>>;
  readonly problems: readonly RecordingProblem[];
}

/** The index at the end of a file that was closed as it should be; throws with the reason if there is none. */
export async function readIndex(source: ByteSource): Promise<McapIndex> {
  const reader = await McapIndexedReader.Initialize({ readable: source });
  const metadata = new Map<string, ReadonlyMap<string, string>>();
  for await (const record of reader.readMetadata()) metadata.set(record.name, record.metadata);
  const chunks = reader.chunkIndexes.map((chunk) => ({
    offset: Number(chunk.chunkStartOffset),
    length: Number(chunk.chunkLength),
    startNs: Number(chunk.messageStartTime),
    endNs: Number(chunk.messageEndTime),
  }));
  chunks.sort((a, b) => a.offset - b.offset);
  return { chunks, channels: reader.channelsById, metadata, problems: [] };
}

/** One record, from opcode to end, but messages, which are refused without their channel; throws if it is none. */
export function parseRecord(bytes: Uint8Array): TypedMcapRecord {
  const reader = new McapStreamReader({ noMagicPrefix: true, includeChunks: true });
  reader.append(bytes);
  const record = reader.nextRecord();
  if (record === undefined) throw new RangeError("the record is cut off");
  return record;
}
