import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { writeAnswer } from "../../../src/catching/live/answer-codec.module.js";
import { createChannel } from "../../../src/channels/channel.js";
import { PlanAnswer } from "../../../src/messages/plan-answer.js";
import { openRecording } from "../../../src/recording/format/open-recording.js";
import type { PlanItem } from "../../../src/recording/recorded-messages.js";
import { planItem } from "../../../src/recording/recorder/packet-items.module.js";
import { throwsFolder } from "../../../src/report/jobs/replay-files.js";
import { replayRecording } from "../../../src/run/replay/replay-run.js";

/** What becomes of a question and its answer on their way through a channel into a recording. */
function throughChannel(question: Parameters<typeof writeAnswer>[0], nowNs: number): PlanItem {
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
    const plans = made.filter((item): item is PlanItem => item.topic === "plans");
    const expected = plans.find(({ arm, id }) => arm === question?.arm && id === question.request.id);
    const item = throughChannel(question!, expected!.timeNs);
    const { tCatch, arrival, ...others } = expected!.catch!;
    expect(item).toMatchObject({ ...expected, catch: others });
    // Times are whole nanoseconds in packets.
    expect(item.catch?.tCatch).toBeCloseTo(tCatch, 8);
    expect(item.catch?.arrival).toBeCloseTo(arrival, 8);
    const reason = "too fast: a joint stays 1° behind";
    const refused = { id: 7, plan: null, reason, approach: null, answeredNs: 2e9 } as const;
    expect(throughChannel({ ...question!, answer: refused }, 2e9)).toMatchObject({ catch: null, reason, timeNs: 2e9 });
  });
});
