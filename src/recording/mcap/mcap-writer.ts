import { crc32 } from "node:zlib";
import {
  type Channel,
  type ChunkIndex,
  McapChunkBuilder,
  McapRecordBuilder,
  type MetadataIndex,
  type Schema,
  type Statistics,
} from "@mcap/core";
import { FlycatcherError } from "../../runtime/errors.js";
import { packageVersion } from "../../runtime/package-root.js";
import type { ByteSink } from "./byte-sink.js";
import { writeSummary } from "./mcap-summary.js";
import { compressChunk, ZSTD } from "./zstd.js";

/** A topic of a file, whose messages are JSON: what they are called, and the JSON schema of what they look like. */
export interface TopicDescription {
  readonly topic: string;
  readonly name: string;
  readonly schema: object;
  readonly metadata?: ReadonlyMap<string, string>;
}

export interface McapWriterOptions {
  /** A chunk is closed when it has more than this [bytes] before compression. */
  readonly chunkBytes?: number;
  /** A chunk is closed when its messages span more than this [ns]: a crash loses no more. */
  readonly chunkSpanNs?: number;
  /** How hard chunks are compressed, from 1 to 22; quickest by default. */
  readonly compression?: number;
}

const CHUNK_BYTES = 1 << 20;
const CHUNK_SPAN_NS = 1e9;

/**
 * Writes an MCAP file: messages in compressed chunks with a checksum each, an index of the messages after each chunk, and
 * at the end the index of everything. Unlike the writer of `@mcap/core`, whose record builders it uses, it is synchronous:
 * a lock-step run can write from within a tick. Whatever happens, what was flushed can be read again.
 */
export class McapWriter {
  readonly statistics: Statistics = {
    messageCount: 0n,
    schemaCount: 0,
    channelCount: 0,
    attachmentCount: 0,
    metadataCount: 0,
    chunkCount: 0,
    messageStartTime: 0n,
    messageEndTime: 0n,
    channelMessageCounts: new Map(),
  };
  readonly #sink: ByteSink;
  readonly #chunkBytes: number;
  readonly #chunkSpanNs: bigint;
  readonly #compression: number | undefined;
  readonly #records = new McapRecordBuilder();
  readonly #chunk = new McapChunkBuilder({ useMessageIndex: true });
  readonly #schemas = new Map<string, Schema>();
  /** By their topics. */
  readonly #channels = new Map<string, Channel>();
  readonly #sequences: number[] = [];
  readonly #chunkIndexes: ChunkIndex[] = [];
  readonly #metadataIndexes: MetadataIndex[] = [];
  #position = 0;
  #dataCrc = 0;
  #state: "open" | "failed" | "closed" = "open";

  constructor(sink: ByteSink, options: McapWriterOptions = {}) {
    const { compression, chunkBytes = CHUNK_BYTES, chunkSpanNs = CHUNK_SPAN_NS } = options;
    this.#sink = sink;
    this.#compression = compression;
    this.#chunkBytes = chunkBytes;
    this.#chunkSpanNs = BigInt(chunkSpanNs);
    this.#records.writeMagic();
    this.#records.writeHeader({ profile: "flycatcher", library: `flycatcher ${packageVersion}` });
    this.#flushRecords();
  }

  /** Bytes handed to the sink so far. */
  get byteLength(): number {
    return this.#position;
  }

  /** A topic is announced with its first message: a file says nothing of topics it does not have. */
  #channelId(description: TopicDescription): number {
    const { topic, metadata } = description;
    const known = this.#channels.get(topic);
    if (known !== undefined) return known.id;
    const common = { topic, messageEncoding: "json", metadata: new Map(metadata) };
    const channel = { id: this.#channels.size, schemaId: this.#schemaId(description), ...common };
    this.#channels.set(topic, channel);
    this.#sequences.push(0);
    this.#chunk.addChannel(channel);
    this.statistics.channelCount++;
    return channel.id;
  }

  #schemaId({ name, schema }: TopicDescription): number {
    const known = this.#schemas.get(name);
    if (known !== undefined) return known.id;
    const data = Buffer.from(JSON.stringify(schema));
    const record = { id: this.#schemas.size + 1, name, encoding: "jsonschema", data };
    this.#schemas.set(name, record);
    this.#chunk.addSchema(record);
    this.statistics.schemaCount++;
    return record.id;
  }

  /** @param timeNs When it was recorded, on the run's clock [ns]; not negative. */
  write(topic: TopicDescription, timeNs: number, data: Uint8Array): void {
    this.#checkOpen();
    const channelId = this.#channelId(topic);
    const logTime = BigInt(timeNs);
    const sequence = this.#sequences[channelId]!;
    this.#sequences[channelId] = (sequence + 1) >>> 0;
    if (this.#chunk.numMessages > 0 && logTime - this.#chunk.messageStartTime > this.#chunkSpanNs) this.flush();
    this.#chunk.addMessage({ channelId, sequence, logTime, publishTime: logTime, data });
    this.#count(channelId, logTime);
    if (this.#chunk.byteLength > this.#chunkBytes) this.flush();
  }

  #count(channelId: number, logTime: bigint): void {
    const { statistics } = this;
    const isFirst = statistics.messageCount === 0n;
    if (isFirst || logTime < statistics.messageStartTime) statistics.messageStartTime = logTime;
    if (isFirst || logTime > statistics.messageEndTime) statistics.messageEndTime = logTime;
    const { channelMessageCounts } = statistics;
    channelMessageCounts.set(channelId, (channelMessageCounts.get(channelId) ?? 0n) + 1n);
    statistics.messageCount++;
  }

  /** Names and texts about the recording as a whole. */
  addMetadata(name: string, metadata: ReadonlyMap<string, string>): void {
    this.flush();
    const offset = BigInt(this.#position);
    const length = this.#records.writeMetadata({ name, metadata: new Map(metadata) });
    this.#metadataIndexes.push({ name, offset, length });
    this.statistics.metadataCount++;
    this.#flushRecords();
  }

  /** Closes the chunk in hand: what was written up to here can be read whatever happens later. */
  flush(): void {
    this.#checkOpen();
    if (this.#chunk.numMessages === 0) return;
    const chunk = this.#chunk;
    const { messageStartTime, messageEndTime } = chunk;
    const content = chunk.buffer;
    const records = compressChunk(content, this.#compression);
    const uncompressedSize = BigInt(content.length);
    const chunkStartOffset = BigInt(this.#position);
    const chunkLength = this.#records.writeChunk({
      messageStartTime,
      messageEndTime,
      uncompressedSize,
      uncompressedCrc: crc32(content),
      compression: ZSTD,
      records,
    });
    const { messageIndexOffsets, messageIndexLength } = this.#writeMessageIndexes(chunkStartOffset + chunkLength);
    this.#chunkIndexes.push({
      messageStartTime,
      messageEndTime,
      chunkStartOffset,
      chunkLength,
      messageIndexOffsets,
      messageIndexLength,
      compression: ZSTD,
      compressedSize: BigInt(records.byteLength),
      uncompressedSize,
    });
    this.statistics.chunkCount++;
    chunk.reset();
    this.#flushRecords();
  }

  #writeMessageIndexes(start: bigint): Pick<ChunkIndex, "messageIndexOffsets" | "messageIndexLength"> {
    const messageIndexOffsets = new Map<number, bigint>();
    let messageIndexLength = 0n;
    for (const index of this.#chunk.indices) {
      if (index.records.length === 0) continue;
      messageIndexOffsets.set(index.channelId, start + messageIndexLength);
      messageIndexLength += this.#records.writeMessageIndex(index);
    }
    return { messageIndexOffsets, messageIndexLength };
  }

  /** Writes the index of everything and closes the sink; after a failure it only closes. */
  close(): void {
    if (this.#state === "closed") return;
    try {
      if (this.#state === "open") this.#end();
    } finally {
      this.#state = "closed";
      this.#sink.close();
    }
  }

  #end(): void {
    this.flush();
    this.#records.writeDataEnd({ dataSectionCrc: this.#dataCrc });
    this.#flushRecords();
    writeSummary(this.#records, this.#position, {
      schemas: [...this.#schemas.values()],
      channels: [...this.#channels.values()],
      statistics: this.statistics,
      metadataIndexes: this.#metadataIndexes,
      chunkIndexes: this.#chunkIndexes,
    });
    this.#flushRecords();
  }

  #checkOpen(): void {
    if (this.#state !== "open") throw unwritable(`it is ${this.#state}`);
  }

  #flushRecords(): void {
    this.#checkOpen();
    const bytes = this.#records.buffer;
    try {
      this.#sink.write(bytes);
    } catch (cause) {
      this.#state = "failed";
      throw unwritable((cause as Error).message, cause);
    }
    this.#dataCrc = crc32(bytes, this.#dataCrc);
    this.#position += bytes.length;
    this.#records.reset();
  }
}

function unwritable(why: string, cause?: unknown): FlycatcherError {
  return new FlycatcherError("FLY_RECORDING_UNWRITABLE", `The recording cannot be continued: ${why}`, {}, { cause });
}
