import { McapWriter as ReferenceWriter, TempBuffer } from "@mcap/core";
import { describe, expect, it } from "vitest";
import { Random } from "../../../src/math/random.js";
import { openRecording } from "../../../src/recording/format/open-recording.js";
import { RecordingWriter } from "../../../src/recording/format/recording-writer.js";
import type { ByteSink } from "../../../src/recording/mcap/byte-sink.js";
import type { RecordedItem } from "../../../src/recording/recording.js";
import { FlycatcherError } from "../../../src/runtime/errors.js";
import { deep } from "../../support/deep.js";
import { MemorySink } from "../memory-sink.js";
import { plainHeader, RandomItems } from "../random-items.js";
import { type ReadBack, readBack, recordingOf } from "../recordings.js";

const items = new RandomItems(new Random("bad files"), "finite").series(120);
const small = { chunkBytes: 3000 };
const whole = await recordingOf(items, plainHeader(), small);

/** What a file gives: items, or the code of the error. Any other error fails the test. */
async function outcomeOf(bytes: Uint8Array): Promise<ReadBack | string> {
  try {
    return await readBack(bytes);
  } catch (error) {
    if (error instanceof FlycatcherError && error.code.startsWith("FLY_RECORDING_")) return error.code;
    throw error;
  }
}

describe("a file that was cut off", () => {
  it("gives the items before the cut, and says so; or there is nothing in it", async () => {
    const random = new Random("cuts");
    const cuts = Array.from({ length: deep(50, 2000) }, () => random.integer(whole.length));
    // Beginnings and ends are of many kinds: all of them.
    const ends = Array.from({ length: 20 }, (_, k) => whole.length - 1 - k);
    const starts = Array.from({ length: 12 }, (_, k) => 1 + k);
    let partial = 0;
    for (const cut of [...starts, ...cuts, ...ends]) {
      const outcome = await outcomeOf(whole.subarray(0, cut));
      if (typeof outcome === "string") {
        expect(outcome).toBe("FLY_RECORDING_TRUNCATED");
        continue;
      }
      expect(outcome.problems.length, `cut at ${cut}`).toBe(1);
      expect(outcome.items).toStrictEqual(items.slice(0, outcome.items.length));
      partial++;
    }
    expect(partial).toBeGreaterThan(30);
  });

  it("loses no complete chunk", async () => {
    const sink = new MemorySink();
    const writer = await RecordingWriter.create(sink, plainHeader(), small);
    for (const item of items) writer.write(item);
    // The process dies here.
    const back = await readBack(sink.bytes());
    expect(back.items.length).toBeGreaterThanOrEqual(50);
    expect(back.items).toStrictEqual(items.slice(0, back.items.length));
    expect(back.problems).toEqual([expect.stringContaining("without its index")]);
  });
});

describe("a file with a damaged bit", () => {
  it("gives nothing wrong: items as they were, fewer if need be, and then says which are missing", async () => {
    const random = new Random("flips");
    const written = new Map(items.map((item) => [keyOf(item), item]));
    for (let trial = 0; trial < deep(60, 5000); trial++) {
      const bytes = Uint8Array.from(whole);
      const place = random.integer(bytes.length);
      bytes[place] = bytes[place]! ^ (1 << random.integer(8));
      const outcome = await outcomeOf(bytes);
      if (typeof outcome === "string") continue;
      for (const item of outcome.items) expect(item).toStrictEqual(written.get(keyOf(item)));
      if (outcome.items.length < items.length) expect(outcome.problems.length, `byte ${place}`).toBeGreaterThan(0);
    }
  });

  it("loses no more than the chunk with the damage, and names its time", async () => {
    const recording = await openRecording(whole);
    const chunks = await chunksOf(whole);
    const middle = chunks[chunks.length >> 1]!;
    await recording.close();
    const bytes = Uint8Array.from(whole);
    bytes[middle.offset + middle.length - 5]! ^= 0x10;
    const damaged = await openRecording(bytes);
    const found: RecordedItem[] = [];
    for await (const item of damaged.items()) found.push(item);
    expect(damaged.problemDetails).toMatchObject([
      { kind: "damaged-chunk", offset: middle.offset, fromNs: middle.startNs, toNs: middle.endNs },
    ]);
    expect(found).toStrictEqual(
      items.filter((item) => found.some((other) => other.timeNs === item.timeNs && keyOf(other) === keyOf(item))),
    );
    expect(found.length).toBeGreaterThan(items.length - 60);
    expect(found.length).toBeLessThan(items.length);
  });
});

describe("files that are no recordings", () => {
  it.each([
    ["nothing", new Uint8Array(0), "FLY_RECORDING_EMPTY"],
    ["text", Buffer.from("time,x,y,z\n0,1,2,3\n"), "FLY_RECORDING_NOT_MCAP"],
    ["zeros", new Uint8Array(4096), "FLY_RECORDING_NOT_MCAP"],
    ["three bytes of the magic", Uint8Array.of(0x89, 0x4d, 0x43), "FLY_RECORDING_TRUNCATED"],
    ["the magic alone", whole.subarray(0, 8), "FLY_RECORDING_TRUNCATED"],
  ])("are refused: %s", async (_, bytes, code) => {
    await expect(openRecording(bytes)).rejects.toMatchObject({ code });
  });

  it("are refused: an MCAP file of somebody else, whose topics are named", async () => {
    const buffer = new TempBuffer();
    const writer = new ReferenceWriter({ writable: buffer });
    await writer.start();
    const schemaId = await writer.registerSchema({ name: "other", encoding: "jsonschema", data: Buffer.from("{}") });
    const metadata = new Map<string, string>();
    const channelId = await writer.registerChannel({ topic: "/odom", schemaId, messageEncoding: "json", metadata });
    const data = Buffer.from("{}");
    await writer.addMessage({ channelId, sequence: 0, logTime: 5n, publishTime: 5n, data });
    await writer.end();
    const opened = openRecording(buffer.get());
    await expect(opened).rejects.toMatchObject({ code: "FLY_RECORDING_FOREIGN" });
    await expect(opened).rejects.toThrow("/odom");
  });

  it("are refused: a path that leads nowhere", async () => {
    await expect(openRecording("/nowhere/at/all.mcap")).rejects.toMatchObject({ code: "FLY_FILE_UNREADABLE" });
  });

  it("are refused before memory is taken: a chunk that says it is enormous", async () => {
    const [first] = await chunksOf(whole);
    const bytes = Buffer.from(whole);
    bytes.writeBigUInt64LE(2n ** 50n, first!.offset + 9 + 16);
    await expect(openRecording(bytes)).rejects.toMatchObject({ code: "FLY_RECORDING_DAMAGED" });
  });
});

describe("a full disk", () => {
  it("is told once, and what was written before can be read", async () => {
    const chunks = await chunksOf(whole);
    // Room for half of the chunks and some bytes of the next.
    const sink = new FullDisk(chunks[chunks.length >> 1]!.offset + 100);
    const writer = await RecordingWriter.create(sink, plainHeader(), small);
    const write = (): void => {
      for (const item of items) writer.write(item);
    };
    expect(write).toThrow(expect.objectContaining({ code: "FLY_RECORDING_UNWRITABLE" }));
    expect(write).toThrow(expect.objectContaining({ code: "FLY_RECORDING_UNWRITABLE" }));
    writer.close();
    expect(sink.isClosed).toBe(true);
    const back = await readBack(sink.bytes());
    expect(back.items.length).toBeGreaterThan(20);
    expect(back.items).toStrictEqual(items.slice(0, back.items.length));
    expect(back.problems).toEqual([expect.stringMatching(/the file ends/)]);
  });
});

/** Takes what there is room for, and fails as a disk does: amid a write. */
class FullDisk implements ByteSink {
  readonly #kept = new MemorySink();
  #room: number;
  isClosed = false;

  constructor(room: number) {
    this.#room = Math.floor(room);
  }

  write(bytes: Uint8Array): void {
    this.#kept.write(bytes.subarray(0, this.#room));
    this.#room -= bytes.length;
    if (this.#room < 0) throw Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
  }

  close(): void {
    this.isClosed = true;
  }

  bytes(): Uint8Array {
    return this.#kept.bytes();
  }
}

function keyOf(item: RecordedItem): string {
  return JSON.stringify(Object.entries({ ...item, pixels: undefined }).sort());
}

async function chunksOf(bytes: Uint8Array) {
  const { readIndex } = await import("../../../src/recording/mcap/mcap-index.js");
  const { MemorySource } = await import("../../../src/recording/mcap/byte-source.js");
  const { ReadBudget } = await import("../../../src/recording/mcap/read-budget.js");
  return (await readIndex(new MemorySource(bytes), new ReadBudget())).chunks;
}
