import { type Channel, McapIndexedReader, McapStreamReader, type TypedMcapRecord } from "@mcap/core";
import type { ByteSource } from "./byte-source.js";
import type { ReadBudget } from "./read-budget.js";
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
export async function readIndex(source: ByteSource, budget: ReadBudget): Promise<McapIndex> {
  const reader = await McapIndexedReader.Initialize({ readable: source });
  for (const _channel of reader.channelsById) budget.takeRecord();
  const metadata = await readMetadata(source, reader, budget);
  const chunks = reader.chunkIndexes.map((chunk) => ({
    offset: Number(chunk.chunkStartOffset),
    length: Number(chunk.chunkLength),
    startNs: Number(chunk.messageStartTime),
    endNs: Number(chunk.messageEndTime),
  }));
  chunks.sort((a, b) => a.offset - b.offset);
  assertApart(chunks);
  return { chunks, channels: reader.channelsById, metadata, problems: [] };
}

/** Names and texts. Those that an index leads to are read one by one, so their places must be apart. */
async function readMetadata(
  source: ByteSource,
  { metadataIndexes }: McapIndexedReader,
  budget: ReadBudget,
): Promise<McapIndex["metadata"]> {
  const metadata = new Map<string, ReadonlyMap<string, string>>();
  const places = metadataIndexes.map(({ offset, length }) => ({ offset: Number(offset), length: Number(length) }));
  assertApart(places.sort((a, b) => a.offset - b.offset));
  for (const { offset, length } of places) {
    budget.takeRecord();
    const record = parseRecord(await source.read(BigInt(offset), BigInt(length)));
    if (record.type === "Metadata") metadata.set(record.name, record.metadata);
  }
  return metadata;
}

/** Refuses an index that leads to the same bytes twice: reading them would take more work than the file has bytes. */
function assertApart(places: readonly { readonly offset: number; readonly length: number }[]): void {
  let end = 0;
  for (const { offset, length } of places) {
    if (!(offset >= end)) throw new RangeError(`two of its entries lead to byte ${offset}`);
    end = offset + length;
  }
}

/** One record, from opcode to end, but messages, which are refused without their channel; throws if it is none. */
export function parseRecord(bytes: Uint8Array): TypedMcapRecord {
  const reader = new McapStreamReader({ noMagicPrefix: true, includeChunks: true });
  reader.append(bytes);
  const record = reader.nextRecord();
  if (record === undefined) throw new RangeError("the record is cut off");
  return record;
}
