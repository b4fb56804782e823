import { describe, expect, it } from "vitest";
import { timesOf } from "../../src/catching/catch-times.js";
import { defaultBall } from "../../src/flight/ball.js";
import { knownBalls } from "../../src/flight/known-balls.js";
import { loadRobot } from "../../src/robot/loading/load-robot.js";
import { nodeData } from "../../src/run/node-data.js";
import { type RealTimeOptions, realTimeDefaults } from "../../src/run/real-time-options.js";
import { runSettingsOf } from "../../src/run/run-settings.js";
import { resolveConfig } from "../../src/runtime/config.js";

const run = {
  arms: ["arm"],
  times: timesOf(loadRobot("lwr-arm")),
  posture: null,
  address: null,
  faults: new SharedArrayBuffer(8),
  stopLine: new SharedArrayBuffer(8),
  challenges: new SharedArrayBuffer(8),
  warmUp: null,
};

function ballOf(options: Partial<RealTimeOptions>) {
  return nodeData({ ...realTimeDefaults, robot: "lwr-arm", ...options }, [], run).settings.ball;
}

describe("what threads of a run in real time are started with", () => {
  it("has the ball of the configuration, the usual one by default", () => {
    expect(ballOf({})).toEqual(defaultBall);
    expect(ballOf(runSettingsOf(resolveConfig({})))).toEqual(defaultBall);
    expect(ballOf(runSettingsOf(resolveConfig({ overrides: ["ball.kind=tennis"] })))).toEqual(knownBalls.tennis);
  });
});
