import { describe, expect, it } from "vitest";
import { Random } from "../../../src/math/random.js";
import { openRecording } from "../../../src/recording/format/open-recording.js";
import { buildRecordedRobot, recordedRobotOf } from "../../../src/recording/recorded-robot.js";
import { recordedTopics } from "../../../src/recording/recording.js";
import { loadRobot } from "../../../src/robot/loading/load-robot.js";
import { deep } from "../../support/deep.js";
import { plainHeader, RandomItems } from "../random-items.js";
import { readBack, recordingOf } from "../recordings.js";

describe("a recording", () => {
  it("gives back every item, bit by bit, in order", async () => {
    for (let seed = 0; seed < deep(8, 200); seed++) {
      const items = new RandomItems(new Random(`round trip ${seed}`)).series(150);
      // Small chunks: many of them.
      const bytes = await recordingOf(items, plainHeader(), { chunkBytes: 4096 });
      const back = await readBack(bytes);
      expect(back.problems).toEqual([]);
      // toStrictEqual tells −0 from 0 and NaN from null.
      expect(back.items).toStrictEqual(items);
    }
  });

  it("holds every topic", async () => {
    const random = new RandomItems(new Random(1));
    const items = recordedTopics.map((topic, k) => random.item(topic, 1000 * k));
    expect((await readBack(await recordingOf(items))).items).toStrictEqual(items);
  });

  it("keeps the header, from which the robot can be built", async () => {
    const header = plainHeader({
      robot: recordedRobotOf("lwr-arm"),
      seed: "a seed",
      configuration: null,
      run: {
        mode: "soft",
        arms: ["arm"],
        body: "rule",
        afterCatch: "return",
        latestCatch: 1.8,
        commitment: { sigma: 0.15, hurry: Number.POSITIVE_INFINITY },
        times: {
          tickNs: 1e6,
          framePeriodNs: 4e7,
          framesToConfirm: 3,
          cameraNs: 4e7,
          trackingNs: 35e6,
          coldBudgetNs: 6e7,
          searchNs: 24_000_000,
          warmBudgetNs: 15e6,
          transportNs: 17e6,
          holdNs: 5e8,
        },
        planner: { starts: 8, coldIterations: 60, warmIterations: 20 },
        tracker: { dragSigma: -0, gravity: Float64Array.of(0, 0, -9.55) as never },
      },
    });
    const back = await readBack(await recordingOf([], header));
    expect(back.header).toStrictEqual(header);
    expect(buildRecordedRobot(back.header.robot!).model.dofCount).toBe(loadRobot("lwr-arm").model.dofCount);
  });

  it("gives the items of a time and of topics alone", async () => {
    const items = new RandomItems(new Random("selection"), "finite").series(400);
    const recording = await openRecording(await recordingOf(items, plainHeader(), { chunkBytes: 2048 }));
    const fromNs = items[100]!.timeNs;
    const toNs = items[250]!.timeNs;
    const topics = ["joints", "cameras/images", "plans"] as const;
    const found = [];
    for await (const item of recording.items({ fromNs, toNs, topics })) found.push(item);
    const wanted = items.filter(
      ({ topic, timeNs }) => timeNs >= fromNs && timeNs <= toNs && topics.some((name) => name === topic),
    );
    expect(wanted.length).toBeGreaterThan(10);
    expect(found).toStrictEqual(wanted);
  });

  it("sorts what was written out of order by time, and keeps the order of equal times", async () => {
    const random = new Random("disorder");
    const make = new RandomItems(random, "finite");
    const items = Array.from({ length: 300 }, () => make.item("cameras/lost", 1e6 * random.integer(60)));
    const back = await readBack(await recordingOf(items, plainHeader(), { chunkBytes: 1024 }));
    // Array.sort is stable.
    expect(back.items).toStrictEqual([...items].sort((a, b) => a.timeNs - b.timeNs));
  });

  it("has the same bytes for the same items", async () => {
    const items = new RandomItems(new Random("bytes")).series(100);
    expect(Buffer.compare(await recordingOf(items), await recordingOf(items))).toBe(0);
  });

  it.each([-1, 0.5, Number.NaN, 2 ** 60])("refuses the time %s", async (timeNs) => {
    const item = { topic: "cameras/lost", timeNs, frame: 0, exposureNs: 0 } as const;
    await expect(recordingOf([item])).rejects.toMatchObject({ code: "FLY_RECORDING_ITEM" });
  });
});
