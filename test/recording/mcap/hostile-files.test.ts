import { McapRecordBuilder } from "@mcap/core";
import { describe, expect, it } from "vitest";
import { formatHistory } from "../../../src/recording/format/migrations.js";
import { openRecording } from "../../../src/recording/format/open-recording.js";
import { MemorySource } from "../../../src/recording/mcap/byte-source.js";
import { fileLimits } from "../../../src/recording/mcap/read-budget.js";
import { compressChunk, loadZstd } from "../../../src/recording/mcap/zstd.js";

await loadZstd();

type Build = (records: McapRecordBuilder) => void;

function bytesOf(build: Build): Uint8Array {
  const builder = new McapRecordBuilder();
  build(builder);
  return builder.buffer.slice();
}

const channel = { id: 1, topic: "/other", schemaId: 0, messageEncoding: "json", metadata: new Map<string, string>() };

/** A chunk of these records, compressed. */
function chunkOf(records: Uint8Array): Uint8Array {
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

function repeated(record: Uint8Array, count: number): Uint8Array {
  const bytes = new Uint8Array(record.length * count);
  for (let k = 0; k < count; k++) bytes.set(record, k * record.length);
  return bytes;
}

/** A file of these chunks without an index. */
function fileOf(...chunks: Uint8Array[]): Uint8Array {
  const start = bytesOf((builder) => {
    builder.writeMagic();
    builder.writeHeader({ profile: "", library: "" });
  });
  return Buffer.concat([start, ...chunks]);
}

/** Counts what is read. */
class CountedSource extends MemorySource {
  bytesRead = 0;

  override async read(offset: bigint, size: bigint): Promise<Uint8Array> {
    this.bytesRead += Number(size);
    return super.read(offset, size);
  }
}

const channelRecord = bytesOf((builder) => void builder.writeChannel(channel));

describe("a small file that takes much work", () => {
  it("is refused where it has more channels than a recording", async () => {
    const file = fileOf(chunkOf(repeated(channelRecord, fileLimits.records + 1)));
    expect(file.length).toBeLessThan(3000);
    await expect(openRecording(file)).rejects.toMatchObject({ code: "FLY_RECORDING_BUDGET" });
  });

  it("is not looked into for records that are not kept", async () => {
    const unknown = Uint8Array.of(0xfe, 0, 0, 0, 0, 0, 0, 0, 0);
    const file = fileOf(chunkOf(repeated(unknown, 5_000_000)));
    await expect(openRecording(file)).rejects.toMatchObject({ code: "FLY_RECORDING_FOREIGN" });
  });

  it("is refused where it unpacks to more than is allowed, or has too many chunks", async () => {
    const zeros = chunkOf(repeated(channelRecord, 100));
    const file = fileOf(...new Array(20).fill(zeros));
    const limits = { ...fileLimits, unpackedBytes: 10_000 };
    await expect(openRecording(file, formatHistory, limits)).rejects.toMatchObject({ code: "FLY_RECORDING_BUDGET" });
    const fewChunks = { ...fileLimits, chunks: 19 };
    await expect(openRecording(file, formatHistory, fewChunks)).rejects.toMatchObject({ code: "FLY_RECORDING_BUDGET" });
    await expect(openRecording(file)).rejects.toMatchObject({ code: "FLY_RECORDING_FOREIGN" });
  });
});

/** A closed file of one chunk, to which the index leads `times` times. */
function indexedFile(chunk: Uint8Array, times: number): Uint8Array {
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

describe("an index", () => {
  it("that leads to the same chunk many times is not followed", async () => {
    const chunk = chunkOf(new Uint8Array(1_000_000));
    const limits = { ...fileLimits, chunks: 3 };
    const opened = openRecording(indexedFile(chunk, 1000), formatHistory, limits);
    await expect(opened).rejects.toMatchObject({ code: expect.stringMatching(/^FLY_RECORDING_(DAMAGED|FOREIGN)$/) });
  });
});

describe("a chunk of 200,000 messages", () => {
  it("is read like any other", async () => {
    const message = bytesOf((builder) => {
      builder.writeMessage({ channelId: 1, sequence: 0, logTime: 0n, publishTime: 0n, data: new Uint8Array(0) });
    });
    const { McapFile } = await import("../../../src/recording/mcap/mcap-file.js");
    const records = Buffer.concat([channelRecord, repeated(message, 200_000)]);
    const source = new CountedSource(fileOf(chunkOf(records)));
    const file = await McapFile.open(source);
    let count = 0;
    for await (const _message of file.messages()) count++;
    expect(count).toBe(200_000);
    expect(source.bytesRead).toBeLessThan(4 * source.byteLength);
  });
});
