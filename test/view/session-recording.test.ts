import { describe, expect, it } from "vitest";
import type { SessionRecorder } from "../../src/view/session.js";
import { SessionRecording } from "../../src/view/session-recording.js";
import { eventually } from "../support/eventually.js";

/** A recorder that takes its time, and notes what it is asked. */
class TrialRecorder implements SessionRecorder<string> {
  readonly asked: string[] = [];
  cut: (reason: string) => void = () => undefined;
  ends: Promise<void> = Promise.resolve();
  #files = 0;

  async begin(run: string, cut: (reason: string) => void): Promise<string> {
    this.cut = cut;
    this.asked.push(`begin ${run}`);
    await new Promise(setImmediate);
    return `file ${++this.#files}`;
  }
  thrown(): void {}
  async end(): Promise<void> {
    this.asked.push("end");
    await this.ends;
  }
}

function scene() {
  const recorder = new TrialRecorder();
  const names: (string | null)[] = [];
  const cuts: string[] = [];
  const recording = new SessionRecording(recorder, "run", {
    changed: (name) => names.push(name),
    cut: (text) => cuts.push(text),
  });
  return { recorder, recording, names, cuts };
}

describe("the recordings of a live run", () => {
  it("begin one at a time: twenty requests at once make one file", async () => {
    const { recorder, recording, names } = scene();
    await Promise.all(Array.from({ length: 20 }, () => recording.begin()));
    expect([recorder.asked, names]).toEqual([["begin run"], ["file 1"]]);
    await Promise.all([recording.end(), recording.begin(), recording.end()]);
    expect(recorder.asked).toEqual(["begin run", "end", "begin run", "end"]);
    expect(names.at(-1)).toBeNull();
  });

  it("that end early are reported at once, answered once, and can be begun again", async () => {
    const { recorder, recording, names, cuts } = scene();
    await recording.begin();
    recorder.cut("ENOSPC");
    expect([names.at(-1), cuts]).toEqual([null, ["the recording file 1 ended early: ENOSPC"]]);
    await expect(recording.end()).rejects.toMatchObject({ code: "FLY_RECORDING_CUT" });
    await recording.end();
    await recording.begin();
    expect(names.at(-1)).toBe("file 2");
    expect(recorder.asked).toEqual(["begin run", "end", "begin run"]);
  });

  it("do not keep a run from its end", async () => {
    const { recorder, recording } = scene();
    await recording.begin();
    recorder.ends = new Promise(() => undefined);
    void recording.end();
    await eventually(() => recorder.asked.includes("end"));
    await recording.close();
  });
});
