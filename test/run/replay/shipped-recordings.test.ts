import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { dataSetFiles, throwKinds } from "../../../bench/recording/throw-kinds.js";
import { openRecording } from "../../../src/recording/format/open-recording.js";
import { RecordingWriter } from "../../../src/recording/format/recording-writer.js";
import { MemoryRecording } from "../../../src/recording/memory-recording.js";
import { RECORDING_VERSION, type RecordedItem, recordedMessages } from "../../../src/recording/recording.js";
import { comparedTopics, compareOutputs } from "../../../src/report/identity.js";
import { throwsFolder } from "../../../src/report/jobs/replay-files.js";
import { replayRecording } from "../../../src/run/replay/replay-run.js";
import { recordSimulatedThrows } from "../../../src/run/simulated-recording.js";
import { packageRoot } from "../../../src/runtime/package-root.js";
import { toJson } from "../../../src/transport/message-json.js";
import { MemorySink } from "../../recording/memory-sink.js";

vi.setConfig({ testTimeout: 240_000 });

describe("a shipped recording", () => {
  it.each(throwKinds)("of kind %s opens without a problem and replays with the decisions it had", async (kind) => {
    const { path } = dataSetFiles().find((file) => file.kind === kind)!;
    const recording = await openRecording(join(throwsFolder, path));
    expect(recording.writtenVersion).toBe(RECORDING_VERSION);
    const { recorded, made, toNs, writtenVersion, problems } = await replayRecording(recording);
    await recording.close();
    expect(problems).toEqual([]);
    const { topics, first } = compareOutputs(recorded, made, toNs, writtenVersion);
    expect(first).toBeNull();
    for (const topic of comparedTopics) expect(topics[topic].different, topic).toBe(0);
    expect(topics.predictions.recorded).toBeGreaterThan(3);
    expect(topics.plans.recorded).toBeGreaterThan(0);
    expect(topics.states.recorded).toBeGreaterThan(0);
  });
});

describe("a recording of version 1", () => {
  const folder = join(packageRoot, "test", "run", "replay", "version-1");

  // The tracker is another one since: what it decides is near to what was recorded, not the same.
  it.each(["circles", "points", "images"])(
    "of %s opens without a problem, and today's pipeline catches its ball",
    async (kind) => {
      const recording = await openRecording(join(folder, `${kind}.mcap`));
      expect(recording.writtenVersion).toBe(1);
      const { recorded, made, toNs, writtenVersion, problems } = await replayRecording(recording);
      await recording.close();
      expect(problems).toEqual([]);
      const { topics } = compareOutputs(recorded, made, toNs, writtenVersion);
      expect(topics.predictions.recorded).toBeGreaterThan(3);
      const confirmed = (items: readonly RecordedItem[]): number =>
        items.filter((item) => item.topic === "predictions" && item.balls.some((ball) => ball.confirmed)).length;
      expect(confirmed(recorded)).toBeGreaterThan(3);
      expect(confirmed(made)).toBeGreaterThanOrEqual(confirmed(recorded) - 2);
      expect(made.some(({ topic }) => topic === "plans")).toBe(true);
    },
  );
});

/** An item as its message in a file has it. */
function jsonOf(item: RecordedItem): string {
  const { topic, timeNs } = item;
  return JSON.stringify([topic, timeNs, toJson<object>(recordedMessages[topic], item)]);
}

describe("a new recording", () => {
  it("is of today's version, and holds in memory what it holds in a file", async () => {
    const bytes = new MemorySink();
    const sinks: { readonly writer: RecordingWriter; readonly memory: MemoryRecording }[] = [];
    const options = { robot: "agile-justin", perception: "circles", world: "kinematic", seed: 3 } as const;
    await recordSimulatedThrows({ ...options, settlingNs: 200_000_000, end: "balls are over" }, async (header) => {
      const writer = await RecordingWriter.create(bytes, header, { foxglove: "none" });
      const memory = new MemoryRecording(header);
      sinks.push({ writer, memory });
      return {
        write: (item) => {
          writer.write(item);
          memory.write(item);
        },
      };
    });
    const [{ writer, memory }] = sinks as [(typeof sinks)[number]];
    writer.close();
    const file = await openRecording(bytes.bytes());
    expect(file.writtenVersion).toBe(RECORDING_VERSION);
    const written: string[] = [];
    for await (const item of file.items()) written.push(jsonOf(item));
    const kept = Array.from(memory.items());
    // A message that its node has changed after putting it would differ here.
    expect(kept.map(jsonOf)).toEqual(written);
    const topics = new Set(kept.map(({ topic }) => topic));
    for (const topic of ["states", "truth/flights", "results", "head", "sensors/readings"] as const) {
      expect(topics).toContain(topic);
    }
  });
});
