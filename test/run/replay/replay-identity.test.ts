import { describe, expect, it, vi } from "vitest";
import { dataSetFiles } from "../../../bench/recording/throw-kinds.js";
import type { MemoryRecording } from "../../../src/recording/memory-recording.js";
import { compareOutputs, type Identity } from "../../../src/report/identity.js";
import { type Replay, replayRecording } from "../../../src/run/replay/replay-run.js";
import type { ReplayOptions } from "../../../src/run/replay/replay-settings.js";
import type { SimulatedRecordingOptions } from "../../../src/run/simulated-recording.js";
import { deep } from "../../support/deep.js";
import { recordInMemory } from "./record-in-memory.js";

vi.setConfig({ testTimeout: 240_000 });

async function replayed(recording: MemoryRecording, options: ReplayOptions = {}): Promise<[Replay, Identity]> {
  const replay = await replayRecording(recording, options);
  return [replay, compareOutputs(replay.recorded, replay.made, replay.toNs)];
}

/** Everything there was is there again, and there was something. */
function expectSame({ topics, first }: Identity): void {
  expect(first).toBeNull();
  expect(topics.predictions.recorded).toBeGreaterThan(3);
  expect(topics.plans.recorded).toBeGreaterThan(3);
  expect(topics.handovers.recorded).toBeGreaterThan(1);
}

const kinds: readonly [string, SimulatedRecordingOptions][] = [
  ["points", { robot: "lwr-arm", perception: "points", world: "kinematic", seed: "same points" }],
  ["the truth", { robot: "lwr-arm", perception: "truth", world: "kinematic", seed: 1, first: 1 }],
  [
    "circles, two balls",
    { robot: "agile-justin", perception: "circles", world: "kinematic", seed: 3, balls: 2, throws: 2 },
  ],
];

describe("a replay of an unchanged run", () => {
  it.each(kinds)("of %s gives the same predictions and plans, bit by bit", async (_, options) => {
    const recording = await recordInMemory(options);
    const [, identity] = await replayed(recording);
    expectSame(identity);
    // Again, with what the first replay has made of the robot, and with the monitor at every tick.
    const [, again] = await replayed(recording, { monitor: "full" });
    expectSame(again);
  });

  it("of images finds the same circles in them again", async () => {
    const { options } = dataSetFiles().find(({ kind }) => kind === "images")!;
    const recording = await recordInMemory({ ...options, imageFrames: deep(3, 100) });
    const [replay, identity] = await replayed(recording);
    expectSame(identity);
    expect(replay.imagesSearched).toBe(2 * deep(3, replay.imagesSearched / 2));
    const [detections, same] = await replayed(recording, { input: "circles" });
    expectSame(same);
    expect(detections.imagesSearched).toBe(0);
  });

  it("of a shaking robot in physics, joints recorded at every tick, is the same with the monitor", async () => {
    const recording = await recordInMemory({
      robot: "agile-justin",
      perception: "circles",
      world: "physics",
      seed: 5,
      settlingNs: 600_000_000,
      jointPeriodNs: 1_000_000,
    });
    const [, identity] = await replayed(recording, { monitor: "full" });
    expectSame(identity);
  });
});

describe("a replay with something changed", () => {
  it("follows its own plans, and sees what was seen", async () => {
    const recording = await recordInMemory(kinds[0]![1]);
    const [before] = await replayed(recording);
    const [after, identity] = await replayed(recording, { changes: { mode: "latest" } });
    expect(after.settings.isUnchanged).toBe(false);
    expect(identity.topics.predictions.different).toBe(0);
    expect(identity.topics.plans.different).toBeGreaterThan(0);
    // The recording ends as the hand closes; the later catch is seen through all the same.
    expect(after.grasps[0]!.time).toBeGreaterThan(before.grasps[0]!.time);
  });

  it("of the tracker's settings changes the predictions", async () => {
    const recording = await recordInMemory(kinds[0]![1]);
    const [, identity] = await replayed(recording, { changes: { tracker: { accelerationNoise: 0.5 } } });
    expect(identity.topics.predictions.different).toBeGreaterThan(0);
  });

  it("begins and ends where it is told", async () => {
    const recording = await recordInMemory(kinds[0]![1]);
    const [part] = await replayed(recording, { fromNs: 400_000_000, toNs: 900_000_000 });
    const times = part.seen.map(({ exposureNs }) => exposureNs);
    expect(Math.min(...times)).toBeGreaterThanOrEqual(400_000_000);
    expect(part.toNs).toBe(900_000_000);
    expect(part.made.every(({ timeNs }) => timeNs <= 900_000_000)).toBe(true);
  });

  it("refuses to see by what was not recorded", async () => {
    const recording = await recordInMemory(kinds[1]![1]);
    await expect(replayRecording(recording, { input: "images" })).rejects.toThrow(
      expect.objectContaining({ code: "FLY_REPLAY_INPUT" }),
    );
  });
});
