import { describe, expect, it } from "vitest";
import { type FormatHistory, formatHistory, migrate } from "../../../src/recording/format/migrations.js";
import { openRecording } from "../../../src/recording/format/open-recording.js";
import { MemorySink } from "../../../src/recording/mcap/byte-sink.js";
import { McapWriter } from "../../../src/recording/mcap/mcap-writer.js";
import { loadZstd } from "../../../src/recording/mcap/zstd.js";
import { RECORDING_VERSION } from "../../../src/recording/recording.js";
import { plainHeader } from "../random-items.js";

/** A history in which there was a version 1 with other words, and a version 2 with a wrong unit; today is 3. */
const history: FormatHistory = {
  version: 3,
  migrations: new Map([
    [
      1,
      {
        header: ({ name, ...rest }) => ({ ...rest, title: name, labels: [] }),
        items: { points: ({ xyz, ...rest }) => ({ ...rest, position: xyz }) },
      },
    ],
    [
      2,
      {
        items: {
          points: ({ position, ...rest }) => ({ ...rest, position: (position as number[]).map((x) => x / 1e3) }),
        },
      },
    ],
  ]),
};

/** A file of some version, written by hand. */
async function fileOf(version: string, header: object, messages: readonly (readonly [topic: string, json: object])[]) {
  await loadZstd();
  const sink = new MemorySink();
  const writer = new McapWriter(sink, { profile: "flycatcher", library: "an old one" });
  const schema = { name: "any", encoding: "jsonschema", data: Buffer.from("{}") } as const;
  const add = (topic: string): number =>
    writer.addTopic({ topic, messageEncoding: "json", schema, metadata: new Map([["version", version]]) });
  writer.write(add("/flycatcher/header"), 0, Buffer.from(JSON.stringify(header)));
  for (const [k, [topic, json]] of messages.entries())
    writer.write(add(topic), 1000 * k, Buffer.from(JSON.stringify(json)));
  writer.close();
  return sink.bytes();
}

const { title: _, labels: __, ...untitled } = plainHeader();
const oldHeader = { ...untitled, formatVersion: 1, name: "an old throw" };
const oldPoints = { frame: 3, exposureNs: 5, arrivalNs: 6, xyz: [1500, "-0", 2000], covariance: [] };

describe("recordings of older versions", () => {
  it("are read as today's, step by step", async () => {
    const bytes = await fileOf("1", oldHeader, [
      ["/flycatcher/points", oldPoints],
      ["/flycatcher/cameras/lost", { frame: 1, exposureNs: 2 }],
    ]);
    const recording = await openRecording(bytes, history);
    expect(recording.header).toStrictEqual(plainHeader({ formatVersion: 3, title: "an old throw", labels: [] }));
    const items = [];
    for await (const item of recording.items()) items.push(item);
    expect(recording.problems).toEqual([]);
    expect(items).toStrictEqual([
      // The text "-0" divided by a thousand is −0 as a number.
      {
        topic: "points",
        timeNs: 0,
        frame: 3,
        exposureNs: 5,
        arrivalNs: 6,
        position: Float64Array.of(1.5, -0, 2),
        covariance: new Float64Array(0),
      },
      { topic: "cameras/lost", timeNs: 1000, frame: 1, exposureNs: 2 },
    ]);
  });

  it("enter the migrations where they stand", () => {
    const points = { frame: 0, position: [1000] };
    expect(migrate(points, "points", 0, 2, history)).toEqual({ frame: 0, position: [1] });
    expect(migrate(points, "points", 0, 3, history)).toBe(points);
    expect(migrate({ frame: 1 }, "cameras/lost", 0, 1, history)).toEqual({ frame: 1 });
  });

  it("without their migration are not taken for today's", async () => {
    const bytes = await fileOf("1", oldHeader, []);
    await expect(openRecording(bytes)).rejects.toMatchObject({ code: "FLY_RECORDING_DAMAGED" });
    await expect(openRecording(bytes)).rejects.toThrow("header");
  });

  it.each(["4", "0", "x", "-1"])("that claim version %s are refused", async (version) => {
    const bytes = await fileOf(version, oldHeader, []);
    await expect(openRecording(bytes, history)).rejects.toMatchObject({ code: "FLY_RECORDING_VERSION" });
  });

  it("with a message that is none are read but for it", async () => {
    const bytes = await fileOf(String(RECORDING_VERSION), plainHeader(), [
      ["/flycatcher/points", oldPoints],
      ["/flycatcher/cameras/lost", { frame: 1, exposureNs: 2 }],
    ]);
    const recording = await openRecording(bytes);
    const items = [];
    for await (const item of recording.items()) items.push(item);
    expect(items).toEqual([{ topic: "cameras/lost", timeNs: 1000, frame: 1, exposureNs: 2 }]);
    expect(recording.problemDetails).toMatchObject([{ kind: "damaged-message", fromNs: 0 }]);
    expect(recording.problems[0]).toContain("/flycatcher/points at 0.000 s");
  });

  it("have a way to today from each version", () => {
    const steps = Array.from({ length: formatHistory.version - 1 }, (_, k) => k + 1);
    expect(steps.filter((step) => !formatHistory.migrations.has(step))).toEqual([]);
  });
});
