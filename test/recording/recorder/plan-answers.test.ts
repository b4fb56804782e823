import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { writeAnswer } from "../../../src/catching/live/answer-codec.module.js";
import { createChannel } from "../../../src/channels/channel.js";
import { PlanAnswer } from "../../../src/messages/plan-answer.js";
import { rampFields } from "../../../src/motion/joint-ramps.js";
import { openRecording } from "../../../src/recording/format/open-recording.js";
import { planItem } from "../../../src/recording/recorder/packet-items.module.js";
import { type ItemOf, itemsOf } from "../../../src/recording/recording.js";
import { throwsFolder } from "../../../src/report/jobs/replay-files.js";
import { replayRecording } from "../../../src/run/replay/replay-run.js";

/** What becomes of a question and its answer on their way through a channel into a recording. */
function throughChannel(question: Parameters<typeof writeAnswer>[0], nowNs: number): ItemOf<"plans"> {
  const channel = createChannel(PlanAnswer, { ringSize: 4 });
  const [put, get] = [channel.openPutPort(), channel.openGetPort("every")];
  writeAnswer(question, nowNs, put.reserve());
  put.publish();
  const packet = get.tryReceive()!;
  const item = planItem(packet);
  get.release(packet);
  return item;
}

describe("planners' answers on a channel", () => {
  it("are recorded as a run in lock-step records them", async () => {
    const recording = await openRecording(join(throwsFolder, "points", "01.mcap"));
    const { questions, made } = await replayRecording(recording, { toNs: 1.2e9 });
    await recording.close();
    const [question] = questions;
    const expected = itemsOf(made, "plans").find(({ arm, id }) => arm === question?.arm && id === question?.request.id);
    const item = throughChannel(question!, expected!.timeNs);
    const { arm, id, track, search, askedNs, answeredNs, position, plan } = expected!;
    expect(item).toMatchObject({ arm, id, track, search, askedNs, answeredNs, position, reason: null });
    expect(item.plan).toMatchObject({ id, objective: plan!.objective, shortfall: 0 });
    for (const field of rampFields) expect(item.plan?.ramps[field]).toEqual(plan!.ramps[field]);
    // Times are whole nanoseconds in packets.
    expect(item.plan?.tCatch).toBeCloseTo(plan!.tCatch, 8);
    expect(item.plan?.arrival).toBeCloseTo(plan!.arrival, 8);
    const reason = "too fast: a joint stays 1° behind";
    const refused = { id: 7, plan: null, reason, approach: null, answeredNs: 2e9 } as const;
    expect(throughChannel({ ...question!, answer: refused }, 2e9)).toMatchObject({ plan: null, reason, timeNs: 2e9 });
  });
});
