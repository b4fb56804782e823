import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openRecording } from "../../../src/recording/format/open-recording.js";
import { MemoryRecording } from "../../../src/recording/memory-recording.js";
import { throwsFolder } from "../../../src/report/jobs/replay-files.js";
import { replayRecording } from "../../../src/run/replay/replay-run.js";
import { fileReport } from "../../../src/report/replay-report.js";

/** How long a run's clock had run when the recording began [ns]. */
const LATER_NS = 30e9;

/** A recording of points as if it had been made in real time, its clock having run for a while. */
async function laterRecording(): Promise<MemoryRecording> {
  const original = await openRecording(join(throwsFolder, "points", "01.mcap"));
  const later = new MemoryRecording({ ...original.header, clock: "real-time" });
  for await (const item of original.items({ topics: ["points"] })) {
    if (item.topic !== "points") continue;
    const { timeNs, exposureNs, arrivalNs } = item;
    const times = { timeNs: timeNs + LATER_NS, exposureNs: exposureNs + LATER_NS, arrivalNs: arrivalNs + LATER_NS };
    later.write({ ...item, ...times });
  }
  await original.close();
  return later;
}

describe("the replay of a run in real time", () => {
  it("begins where the recording does, and is not held against it bit by bit", async () => {
    const replay = await replayRecording(await laterRecording());
    expect(replay.fromNs).toBeGreaterThanOrEqual(LATER_NS);
    expect(replay.fromNs).toBe(replay.beginNs);
    const { duration, identity, realTime, throws } = fileReport(replay, "later.mcap", "left out");
    expect(duration).toBeLessThan(5);
    expect(identity).toBeNull();
    expect(realTime?.predictions).toMatchObject({ recorded: 0, paired: 0 });
    expect(throws.map(({ verdict }) => verdict.outcome)).toEqual(["caught"]);
  });

  it("that is cut short while a hand is on its way says so", async () => {
    const whole = await replayRecording(await laterRecording());
    const [grasp] = whole.grasps;
    const cut = await replayRecording(await laterRecording(), { toNs: 1e9 * grasp!.time - 1e8 });
    const [thrown] = fileReport(cut, "cut.mcap", "left out").throws;
    expect(thrown?.verdict.reason).toContain("ends before the hand closed");
  });
});
