import { describe, expect, it } from "vitest";
import { readPoints } from "../../../src/recording/import/import-recording.js";
import { loadRobot } from "../../../src/robot/loading/load-robot.js";
import { replaySettings } from "../../../src/run/replay/replay-settings.js";

const robot = loadRobot("lwr-arm");

describe("settings of a replay", () => {
  it("has the gravity that a recording of balls alone was imported with, unless it is changed", () => {
    const { header } = readPoints("t,x,y,z\n0,1,2,3\n", "a.csv", { gravity: [0, 0, -9.5] });
    expect([...replaySettings(header, { robot }).run.tracker.gravity!]).toEqual([0, 0, -9.5]);
    const changes = { tracker: { accelerationNoise: 0.1 } };
    const { tracker } = replaySettings(header, { robot, changes }).run;
    expect(tracker.accelerationNoise).toBe(0.1);
    expect([...tracker.gravity!]).toEqual([0, 0, -9.5]);
    const plain = readPoints("t,x,y,z\n0,1,2,3\n", "a.csv");
    expect(replaySettings(plain.header, { robot }).run.tracker).toEqual({});
  });
});
