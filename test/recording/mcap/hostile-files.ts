import { McapRecordBuilder } from "@mcap/core";
import { compressChunk, loadZstd } from "../../../src/recording/mcap/zstd.js";

await loadZstd();

type Build = (records: McapRecordBuilder) => void;

export function bytesOf(build: Build): Uint8Array {
  const builder = new McapRecordBuilder();
  build(builder);
  return builder.buffer.slice();
}

const channel = { id: 1, topic: "/other", schemaId: 0, messageEncoding: "json", metadata: new Map<string, string>() };

/** A chunk of these records, compressed. */
export function chunkOf(records: Uint8Array): Uint8Array {
  return bytesOf((builder) =>
    builder.writeChunk({
      messageStartTime: 0n,
      messageEndTime: 0n,
      uncompressedSize: BigInt(records.length),
      uncompressedCrc: 0,
      compression: "zstd",
      records: compressChunk(records),
    }),
  );
}

export function repeated(record: Uint8Array, count: number): Uint8Array {
  const bytes = new Uint8Array(record.length * count);
  for (let k = 0; k < count; k++) bytes.set(record, k * record.length);
  return bytes;
}

/** A file of these chunks without an index. */
export function fileOf(...chunks: Uint8Array[]): Uint8Array {
  const start = bytesOf((builder) => {
    builder.writeMagic();
    builder.writeHeader({ profile: "", library: "" });
  });
  return Buffer.concat([start, ...chunks]);
}

/** A record of a channel that holds no items. */
export const channelRecord = bytesOf((builder) => void builder.writeChannel(channel));

/** A closed file of one chunk, to which the index leads `times` times. */
export function indexedFile(chunk: Uint8Array, times: number): Uint8Array {
  const start = fileOf(chunk);
  const dataEnd = bytesOf((builder) => void builder.writeDataEnd({ dataSectionCrc: 0 }));
  const index = {
    messageStartTime: 0n,
    messageEndTime: 0n,
    chunkStartOffset: BigInt(start.length - chunk.length),
    chunkLength: BigInt(chunk.length),
    messageIndexOffsets: new Map<number, bigint>(),
    messageIndexLength: 0n,
    compression: "zstd",
    compressedSize: 0n,
    uncompressedSize: 0n,
  };
  const summary = bytesOf((builder) => {
    builder.writeChannel({ ...channel, topic: "/flycatcher/header", metadata: new Map([["version", "2"]]) });
    for (let k = 0; k < times; k++) builder.writeChunkIndex(index);
  });
  const summaryStart = BigInt(start.length + dataEnd.length);
  const end = bytesOf((builder) => {
    builder.writeFooter({ summaryStart, summaryOffsetStart: 0n, summaryCrc: 0 });
    builder.writeMagic();
  });
  return Buffer.concat([start, dataEnd, summary, end]);
}

/** A file of few bytes that unpacks to `megabytes` MB, in chunks of 50 MB full of empty records. */
export function bombOf(megabytes: number): Uint8Array {
  const chunk = chunkOf(new Uint8Array(50_000_000));
  return fileOf(...new Array(Math.ceil(megabytes / 50)).fill(chunk));
}
