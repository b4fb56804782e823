import { describe, expect, it } from "vitest";
import { knownBalls } from "../../../src/flight/known-balls.js";
import { resolveConfig } from "../../../src/runtime/config.js";
import { settingsOf, trackerDefaults } from "../../../src/tracking/hypotheses/tracker-options.js";

describe("the tracker's options", () => {
  it("have the configuration's defaults", () => {
    const { tracking: options } = resolveConfig({});
    expect(trackerDefaults).toMatchObject(options);
    expect(settingsOf(options)).toMatchObject(trackerDefaults);
  });

  it("have the ball's own sigmas of drag and lift, unless they are given", () => {
    const ball = knownBalls["table-tennis"];
    expect(settingsOf({ ball })).toMatchObject({ ball, dragSigma: 0.03, liftSigma: 0.3 });
    expect(settingsOf({ ball, liftSigma: 0 })).toMatchObject({ dragSigma: 0.03, liftSigma: 0 });
    expect(settingsOf({ ball: knownBalls.golf })).toMatchObject({ dragSigma: 0, liftSigma: 0 });
    expect(settingsOf({})).toMatchObject({ ball: knownBalls.default, dragSigma: 0, liftSigma: 0 });
  });

  it("refuse a ball whose sigmas are out of range", () => {
    expect(() => settingsOf({ ball: { ...knownBalls.golf, liftSigma: Number.NaN } })).toThrow(/liftSigma/);
  });
});
