import { describe, expect, it } from "vitest";
import { answerOf } from "../../src/transport/stop-answer.js";
import { StopLine } from "../../src/transport/stop-line.js";

/** A clock that goes on by so much each time it is read [ms]. */
function clock(stepMs: number) {
  let now = 1000;
  return () => {
    now += stepMs;
    return now;
  };
}

describe("the line of the emergency stop", () => {
  it("holds the robot from any thread's stop until all stops are released", () => {
    const line = new StopLine();
    const other = new StopLine(line.memory);
    expect([line.isHeld, line.asked]).toEqual([false, 0]);
    expect([line.ask(), other.ask()]).toEqual([1, 2]);
    expect([line.isHeld, other.isHeld]).toEqual([true, true]);
    other.release();
    expect(line.isHeld).toBe(false);
    expect(line.ask()).toBe(3);
    expect(other.isHeld).toBe(true);
  });

  it("notes how far a stop has come, each step once, with its time", () => {
    let now = 10;
    const line = new StopLine(StopLine.memory(), () => now);
    const number = line.ask();
    expect(line.reached(number)).toBe("asked");
    line.noteBraked(number);
    now = 11;
    line.noteBraked(number);
    line.noteSent(number);
    now = 15;
    line.noteConfirmed(number);
    expect(line.reached(number)).toBe("confirmed");
    expect(["braked", "sent", "confirmed"].map((stage) => line.timeOf(stage as "sent"))).toEqual([10, 11, 15]);
    expect(line.reached(line.ask())).toBe("asked");
  });
});

describe("the answer to a stop", () => {
  it("counts from the arrival of the request until the braking command was sent", async () => {
    let now = 100;
    const line = new StopLine(StopLine.memory(), () => now);
    line.attachDriver();
    const number = line.ask();
    for (const [at, note] of [
      [103, "noteBraked"],
      [104, "noteSent"],
      [109, "noteConfirmed"],
    ] as const) {
      now = at;
      line[note](number);
    }
    const { braked } = await answerOf(line, number, 90, () => now);
    expect(braked).toMatchObject({ afterMs: 14, confirmedAfterMs: 19, confirmedBy: "robot" });
    expect(Math.abs(braked!.at - Date.now())).toBeLessThan(60_000);
  });

  it("says what the driver sent where the robot does not answer", async () => {
    const nowMs = clock(7);
    const line = new StopLine(StopLine.memory(), () => 1000);
    line.attachDriver();
    const number = line.ask();
    line.noteBraked(number);
    line.noteSent(number);
    const { braked, detail } = await answerOf(line, number, 1000, nowMs);
    expect(braked).toMatchObject({ afterMs: 0, confirmedBy: "driver", confirmedAfterMs: null });
    expect(detail).toContain("has not answered");
  });

  it("is that nothing left where the driver sent nothing, whatever control says", async () => {
    const line = new StopLine();
    line.attachDriver();
    const number = line.ask();
    line.noteBraked(number);
    expect(await answerOf(line, number, 0, clock(50))).toEqual({
      braked: null,
      detail: expect.stringContaining("has not left"),
    });
  });

  it("is control's word where the driver notes nothing, and none where control is silent", async () => {
    const line = new StopLine();
    const number = line.ask();
    expect(await answerOf(line, number, 0, clock(50))).toEqual({
      braked: null,
      detail: expect.stringContaining("Nothing was confirmed"),
    });
    line.noteBraked(number);
    expect((await answerOf(line, number, 0, clock(50))).braked).toMatchObject({ confirmedBy: "control" });
  });
});
