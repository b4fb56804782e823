import { describe, expect, it } from "vitest";
import { openRecording } from "../../src/recording/format/open-recording.js";
import { readPoints } from "../../src/recording/import/import-recording.js";
import type { RecordedItem } from "../../src/recording/recording.js";
import { loadRobot } from "../../src/robot/loading/load-robot.js";
import { replayRecording } from "../../src/run/replay/replay-run.js";
import { plainHeader } from "./random-items.js";
import { recordingOf } from "./recordings.js";

const FAR = expect.objectContaining({ code: "FLY_RECORDING_TIME" });

function pointsAt(seconds: number, frame: number): RecordedItem {
  const ns = Math.round(1e9 * seconds);
  const position = Float64Array.of(5, 0, 1.5);
  const covariance = Float64Array.of(1e-4, 0, 0, 0, 1e-4, 0, 0, 0, 1e-4);
  return { topic: "points", timeNs: ns, frame, exposureNs: ns, arrivalNs: ns, position, covariance };
}

const robot = loadRobot("lwr-arm");
const near = Array.from({ length: 20 }, (_, k) => 0.01 * k);
const header = { ...plainHeader(), perception: "points", readings: null, clock: "real-time" } as const;
const opened = async (times: readonly number[]) => openRecording(await recordingOf(times.map(pointsAt), header));

describe("a message far in time", () => {
  it("is refused at an upload; so is a recording of more than a day", async () => {
    await expect((await opened([...near, 1e6])).checkTimes()).rejects.toThrow(FAR);
    const days = Array.from({ length: 200 }, (_, k) => 500 * k);
    await expect((await opened(days)).checkTimes()).rejects.toThrow(FAR);
    // A run's clock may have gone on for long before it was recorded.
    await (await opened(near.map((time) => time + 1e6))).checkTimes();
  });

  it("is refused in a replay, before the time to it is simulated", async () => {
    const recording = await opened([...near, 1e6]);
    await expect(replayRecording(recording, { robot })).rejects.toThrow(FAR);
    const part = await replayRecording(recording, { robot, toNs: 200_000_000 });
    expect(part.toNs).toBeLessThanOrEqual(200_000_000);
  });

  it("is refused at an import", () => {
    const lines = [...near, 1e5].map((time) => `${time},5,0,1.5`);
    expect(() => readPoints(["time,x,y,z", ...lines].join("\n"), "throws.csv")).toThrow(FAR);
    expect(readPoints(["time,x,y,z", ...lines.slice(0, -1)].join("\n"), "throws.csv").items).toHaveLength(20);
  });
});
