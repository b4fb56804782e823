import { describe, expect, it } from "vitest";
import { summarize, type ThrowResult } from "../../src/catching/run-summary.js";

function result(id: number, outcome: ThrowResult["outcome"], lateral = 0, timing = 0): ThrowResult {
  const verdict = { caught: outcome === "caught", misses: [], lateral, timing, facing: 0, handSpeed: 0 };
  return {
    id,
    aim: [0.5, 0, 1],
    flightTime: 1,
    speed: 7,
    arm: null,
    outcome,
    reason: null,
    reactionTime: 0.25,
    catchTime: 0.9,
    verdict: outcome === "no-plan" ? null : verdict,
    hold: null,
    errors: null,
    firstObjective: 0.1,
    objective: 0.1,
    searches: 1,
    replans: 10,
    unsolved: 1,
    refused: 2,
  };
}

describe("the summary of a run", () => {
  it("counts what was reachable and what was caught, of the reachable and of all", () => {
    const outcomes = ["caught", "caught", "caught", "missed", "no-plan"] as const;
    const summary = summarize(outcomes.map((outcome, id) => result(id, outcome)));
    expect(summary.reachable).toMatchObject({ count: 4, of: 5, rate: 0.8 });
    expect(summary.caughtOfReachable).toMatchObject({ count: 3, of: 4, rate: 0.75 });
    expect(summary.caughtOfAll).toMatchObject({ count: 3, of: 5, rate: 0.6 });
    // Wilson's interval for 3 of 4, worked out by hand.
    expect(summary.caughtOfReachable.low).toBeCloseTo(0.3006, 4);
    expect(summary.caughtOfReachable.high).toBeCloseTo(0.9544, 4);
    expect(summary).toMatchObject({ throws: 5, replans: 50, unsolved: 5, refused: 10 });
  });

  it("gives errors over all grasps, early and late ones alike", () => {
    const { lateralMm, timingMs } = summarize([
      result(0, "caught", 0.001, -0.004),
      result(1, "missed", 0.05, 0.002),
      result(2, "caught", 0.003, 0.001),
    ]);
    expect(lateralMm).toMatchObject({ p50: 3, max: 50 });
    expect(timingMs).toMatchObject({ p50: 2, max: 4 });
  });

  it("counts the gate and what physics says beside the catches", () => {
    const held = { ...result(0, "caught"), hold: "held" as const };
    const bounced = { ...result(1, "missed"), verdict: held.verdict, hold: "bounced out" as const };
    const summary = summarize([held, bounced, result(2, "no-plan")]);
    expect(summary.caughtOfReachable).toMatchObject({ count: 1, of: 2 });
    expect(summary.gateOfReachable).toMatchObject({ count: 2, of: 2 });
    expect(summary.holds).toEqual({ held: 1, "bounced out": 1 });
  });

  it("has nothing to say of errors where nothing was grasped", () => {
    const summary = summarize([result(0, "no-plan")]);
    expect(summary.lateralMm).toBeNull();
    expect(summary.caughtOfReachable.rate).toBeNull();
  });
});
