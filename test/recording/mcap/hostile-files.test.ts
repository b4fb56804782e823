import { describe, expect, it } from "vitest";
import { formatHistory } from "../../../src/recording/format/migrations.js";
import { openRecording } from "../../../src/recording/format/open-recording.js";
import { MemorySource } from "../../../src/recording/mcap/byte-source.js";
import { fileLimits } from "../../../src/recording/mcap/read-budget.js";
import { bytesOf, channelRecord, chunkOf, fileOf, indexedFile, repeated } from "./hostile-files.js";

/** Counts what is read. */
class CountedSource extends MemorySource {
  bytesRead = 0;

  override async read(offset: bigint, size: bigint): Promise<Uint8Array> {
    this.bytesRead += Number(size);
    return super.read(offset, size);
  }
}

describe("a small file that takes much work", () => {
  it("is refused where it has more channels than a recording", async () => {
    const file = fileOf(chunkOf(repeated(channelRecord, fileLimits.records + 1)));
    expect(file.length).toBeLessThan(3000);
    await expect(openRecording(file)).rejects.toMatchObject({ code: "FLY_RECORDING_BUDGET" });
  });

  it("is not looked into for records that are not kept", async () => {
    const unknown = Uint8Array.of(0xfe, 0, 0, 0, 0, 0, 0, 0, 0);
    const file = fileOf(chunkOf(repeated(unknown, 500_000)));
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
