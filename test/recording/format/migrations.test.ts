import { describe, expect, it } from "vitest";
import { type FormatHistory, formatHistory, migrate } from "../../../src/recording/format/migrations.js";
import { openRecording } from "../../../src/recording/format/open-recording.js";
import { McapWriter } from "../../../src/recording/mcap/mcap-writer.js";
import { loadZstd } from "../../../src/recording/mcap/zstd.js";
import { RECORDING_VERSION } from "../../../src/recording/recording.js";
import { MemorySink } from "../memory-sink.js";
import { plainHeader } from "../random-items.js";
import { readBack } from "../recordings.js";

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
  const writer = new McapWriter(sink);
  const write = (topic: string, timeNs: number, json: object): void => {
    const metadata = new Map([["version", version]]);
    writer.write({ topic, name: "any", schema: {}, metadata }, timeNs, Buffer.from(JSON.stringify(json)));
  };
  write("/flycatcher/header", 0, header);
  for (const [k, [topic, json]] of messages.entries()) write(topic, 1000 * k, json);
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

  it("of version 1 become today's, with fixed values where they held nothing", async () => {
    const exact = { caught: true, misses: [], lateral: 0.01, timing: "NaN", facing: 0.1, handSpeed: 0 };
    const counts = { searches: 1, replans: 0, unsolved: 0, refused: 0 };
    const times = {
      flightTime: 1,
      speed: 6,
      reactionTime: null,
      catchTime: 0.9,
      firstObjective: null,
      objective: null,
    };
    const result = {
      id: 4,
      aim: [0.5, "-0", 1],
      arm: "left",
      outcome: "caught",
      reason: null,
      hold: null,
      errors: null,
    };
    const bytes = await fileOf("1", plainHeader({ formatVersion: 1 }), [
      ["/flycatcher/head", { time: 1, worldFromHead: new Array(12).fill(1), covariance: new Array(36).fill(0) }],
      ["/flycatcher/monitor", { phase: "braking", distance: 0.02, bodies: ["hand", "chest"], reason: "collision" }],
      ["/flycatcher/states", { arm: "left", from: "watching", event: "planned", to: "reaching" }],
      ["/flycatcher/results", { result: { ...result, ...times, ...counts, verdict: { ...exact, more: 1 } } }],
      [
        "/flycatcher/cameras/circles",
        {
          camera: "left",
          frame: 1,
          exposureNs: 2,
          arrivalNs: 3,
          circles: [1, 2, 3, 4, 5, 6],
          covariance: [],
          score: [0.5, 1],
        },
      ],
      [
        "/flycatcher/plans",
        { arm: "left", id: 1, track: 2, search: "cold", askedNs: 3, tStart: 1, catch: null, reason: "too far" },
      ],
    ]);
    const { items, problems } = await readBack(bytes);
    expect(problems).toEqual([]);
    const columns = { u: Float64Array.of(1, 4), v: Float64Array.of(2, 5), r: Float64Array.of(3, 6) };
    expect(items).toMatchObject([
      { topic: "head", time: 1, twist: new Float64Array(6).fill(Number.NaN) },
      { topic: "monitor", bodies: { a: "hand", b: "chest" }, phase: "braking", reason: "collision" },
      { topic: "states", timeNs: 2000, to: "reaching", reason: "" },
      { topic: "results", id: 4, aim: Float64Array.of(0.5, -0, 1), verdict: { ...exact, timing: Number.NaN } },
      { topic: "cameras/circles", ...columns, score: Float64Array.of(0.5, 1) },
      { topic: "plans", plan: null, position: null, approach: null, tSeen: Number.NaN, answeredNs: 5000 },
    ]);
  });

  it("have a way to today from each version", () => {
    const steps = Array.from({ length: formatHistory.version - 1 }, (_, k) => k + 1);
    expect(steps.filter((step) => !formatHistory.migrations.has(step))).toEqual([]);
  });
});
