import { describe, expect, it } from "vitest";
import * as vec3 from "../../src/math/vec3.js";
import type { BallPrediction } from "../../src/messages/prediction.js";
import type { ItemOf } from "../../src/recording/recording.js";
import { compareWithRealTime } from "../../src/report/real-time-comparison.js";

function prediction(lastSeen: number, x: number): BallPrediction {
  const state = { time: lastSeen, position: vec3.create(x, 0, 1), velocity: vec3.create(-6, 0, 2), drag: 0.03 };
  return { track: 1, state, covariance: null, lastSeen, confirmed: true };
}

function predicted(timeNs: number, ...balls: BallPrediction[]): ItemOf<"predictions"> {
  return { topic: "predictions", timeNs, balls };
}

function answered(askedNs: number, timeNs: number): ItemOf<"plans"> {
  const question = { arm: "leftArm", id: 1, track: 1, search: "cold", askedNs, tSeen: 0.9, tStart: 1 } as const;
  return {
    topic: "plans",
    timeNs,
    ...question,
    answeredNs: timeNs,
    plan: null,
    position: null,
    approach: null,
    reason: "too far",
  };
}

describe("compareWithRealTime", () => {
  it("pairs predictions by their images, whatever their order and the rounding of packets", () => {
    const recorded = [predicted(5e7, prediction(0.04, 3)), predicted(9e7, prediction(0.08, 2.002)), predicted(9e7)];
    const made = [predicted(8e7, prediction(0.040000000001, 3.001)), predicted(12e7, prediction(0.12, 1.5))];
    const { predictions } = compareWithRealTime(recorded, made, 1e9);
    expect(predictions).toMatchObject({ recorded: 2, made: 2, paired: 1 });
    expect(predictions.apartMm?.p50).toBeCloseTo(1, 6);
  });

  it("takes the nearest of two balls in the same image", () => {
    const made = [predicted(8e7, prediction(0.04, 4), prediction(0.04, 3.01))];
    const { predictions } = compareWithRealTime([predicted(5e7, prediction(0.04, 3))], made, 1e9);
    expect(predictions.apartMm?.max).toBeCloseTo(10, 6);
  });

  it("tells how long answers took then and take now; what comes after the end does not count", () => {
    const recorded = [answered(1e8, 1.2e8), answered(2e8, 2.6e8), answered(9e8, 1.1e9)];
    const { plans } = compareWithRealTime(recorded, [answered(1e8, 1.3e8)], 1e9);
    expect(plans).toMatchObject({ recorded: 2, made: 1, modelledMs: { p50: 30, max: 30 }, tookMs: { max: 60 } });
  });

  it("has nothing to say of nothing", () => {
    const { predictions, plans } = compareWithRealTime([], [], 0);
    expect(predictions).toEqual({ recorded: 0, made: 0, paired: 0, apartMm: null });
    expect(plans).toEqual({ recorded: 0, made: 0, tookMs: null, modelledMs: null });
  });
});
