import { beforeEach, describe, expect, it } from "vitest";
import { SilenceWatch } from "../../src/transport/silence-watch.js";

describe("the watch for signs of life", () => {
  const told: string[] = [];
  const beats = [true, true];
  let running = [true, true];
  let watch: SilenceWatch;
  let nowMs = 0;
  beforeEach(() => {
    told.length = 0;
    running = [true, true];
    beats.fill(true);
    watch = new SilenceWatch(2, (part) => beats[part]!, { silentMs: 1000, hungMs: 5000 });
    nowMs = 0;
  });

  function look(looks: number, periodMs = 100): void {
    for (let k = 0; k < looks; k++) {
      nowMs += periodMs;
      watch.look(
        nowMs,
        (part) => running[part]!,
        (part, change) => told.push(`${part} ${change}`),
      );
    }
  }

  it("reports a part that is silent once, and when it is heard again", () => {
    look(20);
    beats[1] = false;
    look(9);
    expect(told).toEqual([]);
    look(20);
    expect(told).toEqual(["1 silent"]);
    beats[1] = true;
    look(20);
    expect(told).toEqual(["1 silent", "1 heard"]);
  });

  it("reports one that stays silent until it is replaced", () => {
    look(2);
    beats[0] = false;
    look(51);
    expect(told).toEqual(["0 silent", "0 hung", "0 hung"]);
    // Its thread is ended, and another is being started.
    running = [false, true];
    look(100);
    running = [true, true];
    look(9);
    expect(told).toEqual(["0 silent", "0 hung", "0 hung"]);
  });

  it("holds no part silent for a time in which it did not look itself", () => {
    look(2);
    beats.fill(false);
    look(5);
    look(1, 60_000);
    look(2);
    expect(told).toEqual([]);
    look(2);
    expect(told).toEqual(["0 silent", "1 silent"]);
  });
});
