import { describe, expect, it } from "vitest";
import { Random } from "../../../src/math/random.js";
import { openRecording } from "../../../src/recording/format/open-recording.js";
import { RecordingWriter } from "../../../src/recording/format/recording-writer.js";
import { BackgroundFile } from "../../../src/recording/recorder/background-file.js";
import { DROPS, DropPolicy, PrioritisedWriter } from "../../../src/recording/recorder/prioritised-writer.js";
import { MemorySink } from "../memory-sink.js";
import { plainHeader, RandomItems } from "../random-items.js";
import { readBack } from "../recordings.js";

/** A disk that takes nothing until it is told to. */
class StuckDisk {
  readonly kept = new MemorySink();
  #release: () => void = () => undefined;
  #gate: Promise<void> = Promise.resolve();

  readonly write = async (bytes: Uint8Array): Promise<void> => {
    await this.#gate;
    this.kept.write(bytes);
  };

  stick(): void {
    this.#gate = new Promise((resolve) => {
      this.#release = resolve;
    });
  }

  free(): void {
    this.#release();
    this.#gate = Promise.resolve();
  }
}

describe("DropPolicy", () => {
  it("leaves out bulky things first, then useful ones, and essential ones at last", () => {
    const policy = new DropPolicy(1000);
    const admitted = (backlog: number): boolean[] =>
      (["plans", "joints", "cameras/images"] as const).map((topic) => policy.admits(topic, backlog));
    expect(admitted(0)).toEqual([true, true, true]);
    expect(admitted(249)).toEqual([true, true, true]);
    expect(admitted(250)).toEqual([true, true, false]);
    expect(admitted(500)).toEqual([true, false, false]);
    expect(admitted(1000)).toEqual([false, false, false]);
    expect(admitted(Number.NaN)).toEqual([false, false, false]);
  });

  it("counts by topic, bytes by the mean of what was written", () => {
    const policy = new DropPolicy(1);
    policy.wrote("a", 100);
    policy.wrote("a", 200);
    policy.lose("a", 3);
    policy.lose("b", 2);
    policy.wrote("c", 50);
    expect(policy.drops).toEqual([
      { topic: "a", messages: 3, bytes: 450 },
      { topic: "b", messages: 2, bytes: 0 },
    ]);
    expect(policy.written).toBe(3);
  });
});

describe("a disk that cannot keep up", () => {
  it("loses pictures before joints and joints before what a replay needs, and the file says how many", async () => {
    const disk = new StuckDisk();
    const file = new BackgroundFile(disk.write);
    const recording = await RecordingWriter.create(file, plainHeader(), { chunkBytes: 2000 });
    const room = 40_000;
    const writer = new PrioritisedWriter(recording, () => file.backlog, room);
    const make = new RandomItems(new Random("stuck"), "finite");
    const cycle = ["cameras/images", "joints", "plans"] as const;
    disk.stick();
    const offered = Array.from({ length: 240 }, (_, k) => make.item(cycle[k % 3]!, 1e7 * k));
    for (const item of offered) writer.write(item);
    // What is queued never grows far beyond the room, however long the disk is stuck.
    expect(file.backlog).toBeLessThan(2 * room);
    disk.free();
    const report = writer.close();
    await file.drained();
    expect(report.failure).toBeNull();
    const { items, problems } = await readBack(disk.kept.bytes());
    expect(problems).toEqual([]);
    const lost = (topic: string): number => report.drops.find((drop) => drop.topic === topic)?.messages ?? 0;
    expect(lost("cameras/images")).toBeGreaterThan(lost("joints"));
    expect(lost("joints")).toBeGreaterThan(lost("plans"));
    for (const topic of cycle) {
      expect(items.filter((item) => item.topic === topic).length + lost(topic)).toBe(80);
    }
    const told = items.filter((item) => item.topic === "recorder/drops").at(-1);
    expect(told).toMatchObject({ drops: report.drops });
    const { metadata, close } = await openRecording(disk.kept.bytes()).then((opened) => ({
      metadata: opened.metadata,
      close: () => opened.close(),
    }));
    expect([...metadata.get(DROPS)!.keys()].sort()).toEqual(report.drops.map(({ topic }) => topic).sort());
    await close();
  });

  it("takes everything again when it recovers", async () => {
    const disk = new StuckDisk();
    const file = new BackgroundFile(disk.write);
    const recording = await RecordingWriter.create(file, plainHeader(), { chunkBytes: 500 });
    const writer = new PrioritisedWriter(recording, () => file.backlog, 2000);
    const make = new RandomItems(new Random("recovers"), "finite");
    await file.drained();
    disk.stick();
    for (let k = 0; k < 60; k++) writer.write(make.item("joints", 1e6 * k));
    disk.free();
    await file.drained();
    expect(file.backlog).toBe(0);
    const last = make.item("joints", 2e9);
    writer.write(last);
    writer.close();
    await file.drained();
    const { items } = await readBack(disk.kept.bytes());
    expect(items.filter(({ topic }) => topic === "joints").at(-1)).toStrictEqual(last);
  });
});

describe("a disk that is full", () => {
  it("ends the recording and nothing else; what was written before can be read", async () => {
    const kept = new MemorySink();
    let room = 30_000;
    const file = new BackgroundFile(async (bytes) => {
      kept.write(bytes.subarray(0, room));
      room -= bytes.length;
      if (room < 0) throw new Error("ENOSPC: no space left on device, write");
    });
    const recording = await RecordingWriter.create(file, plainHeader(), { chunkBytes: 1000 });
    const writer = new PrioritisedWriter(recording, () => file.backlog);
    const items = new RandomItems(new Random("full"), "finite").series(300, ["joints", "plans"]);
    for (const item of items) {
      writer.write(item);
      await new Promise(setImmediate);
    }
    const report = writer.close();
    expect(report.failure).toContain("ENOSPC");
    await expect(file.drained()).rejects.toThrow("ENOSPC");
    const lost = report.drops.reduce((sum, { messages }) => sum + messages, 0);
    expect(lost).toBeGreaterThan(0);
    const back = await readBack(kept.bytes());
    expect(back.items.length).toBeGreaterThan(10);
    expect(back.items).toStrictEqual(items.slice(0, back.items.length));
    expect(back.problems.length).toBe(1);
  });
});
