import { describe, expect, it } from "vitest";
import { Random } from "../../../src/math/random.js";
import { bootstrap, compareReplays, mcNemar, pairedDifference } from "../../../src/report/compare/compare-replays.js";
import { comparisonPage } from "../../../src/report/compare/comparison-page.js";
import { replayReport } from "../../../src/report/replay-report.js";
import type { FileReport, ReplayReport, ReportedOutcome, ThrowReport } from "../../../src/report/report-types.js";

function thrown(file: string, outcome: ReportedOutcome, lateral: number | null): ThrowReport {
  return {
    file,
    ball: 0,
    labels: [],
    tracks: [1],
    firstSeen: 0,
    lastSeen: 1,
    referenceTime: 1,
    arm: null,
    verdict: { outcome, lateral, timing: lateral === null ? null : 0.001, misses: [], reason: null, judgedBy: "truth" },
    recordedOutcome: null,
    smoothed: null,
    truth: null,
    smoothedError: null,
    predictions: [],
    plans: [],
    modes: [],
    reaction: null,
    grasp: null,
  };
}

function report(throws: readonly ThrowReport[]): ReplayReport {
  const files = throws.map(
    (entry): FileReport => ({
      file: entry.file,
      title: "",
      robot: "",
      input: "points",
      clock: "lock-step",
      problems: [],
      duration: 1,
      identity: null,
      realTime: null,
      latencies: { camera: null, tracking: null, planning: null, transport: null, planningHere: null },
      safety: { monitor: "motion", distance: null, bodies: null, time: null, distances: [], brakes: 0, refused: 0 },
      throws: [entry],
    }),
  );
  return replayReport(files, {
    settings: { robot: null, monitor: "motion", changes: {} },
    failures: [],
    wallClock: null,
  });
}

describe("McNemar's exact test", () => {
  it("is the two-sided binomial probability, counted out", () => {
    for (const [gained, lost] of [
      [0, 0],
      [1, 0],
      [5, 1],
      [3, 3],
      [10, 2],
    ] as const) {
      const n = gained + lost;
      let extreme = 0;
      for (let mask = 0; mask < 2 ** n; mask++) {
        const ones = mask.toString(2).split("1").length - 1;
        if (Math.min(ones, n - ones) <= Math.min(gained, lost)) extreme++;
      }
      expect(mcNemar(gained, lost)).toBeCloseTo(extreme / 2 ** n, 12);
    }
  });
});

describe("the interval of a difference of paired shares", () => {
  it("holds the true difference in about 95 of 100 cases", () => {
    const random = new Random(7);
    let held = 0;
    const trials = 2000;
    for (let trial = 0; trial < trials; trial++) {
      let [a, b, gained, lost] = [0, 0, 0, 0];
      for (let k = 0; k < 60; k++) {
        const easy = random.uniform() < 0.6;
        const isA = easy || random.uniform() < 0.3;
        const isB = easy || random.uniform() < 0.5;
        if (isA) a++;
        if (isB) b++;
        if (isB && !isA) gained++;
        if (isA && !isB) lost++;
      }
      const { low, high } = pairedDifference(60, a, b, gained, lost);
      if (low <= 0.08 && 0.08 <= high) held++;
    }
    expect(held / trials).toBeGreaterThan(0.93);
    expect(held / trials).toBeLessThan(0.985);
  });
});

describe("the bootstrap", () => {
  it("is near the interval of a normal distribution, and the same each time", () => {
    const random = new Random(3);
    const values = Array.from({ length: 400 }, () => 2 + random.normal());
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    const [low, high] = bootstrap(values, "x");
    const sigma = Math.sqrt(
      values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1) / values.length,
    );
    expect(low).toBeCloseTo(mean - 1.96 * sigma, 1);
    expect(high).toBeCloseTo(mean + 1.96 * sigma, 1);
    expect(bootstrap(values, "x")).toEqual([low, high]);
  });
});

describe("two replays side by side", () => {
  it("shows what got better and what worse", () => {
    const names = Array.from({ length: 20 }, (_, k) => `throw-${String(k).padStart(2, "0")}`);
    const a = report(names.map((name, k) => thrown(name, k < 8 ? "caught" : "missed", 0.02 + 0.0005 * k)));
    const b = report(names.map((name, k) => thrown(name, k >= 1 && k < 18 ? "caught" : "missed", 0.01 + 0.0004 * k)));
    const comparison = compareReplays(a, b, ["a", "b"]);
    expect(comparison.caught).toMatchObject({ a: 8, b: 17, gained: 10, lost: 1 });
    expect(comparison.caught.low).toBeGreaterThan(0);
    const lateral = comparison.quantities.find(({ quantity }) => quantity === "lateral")!;
    expect(lateral.change).toBe("better");
    expect(lateral.difference).toBeCloseTo(-0.01 - 0.0001 * 9.5, 12);
    expect(comparison.quantities.find(({ quantity }) => quantity === "timing")!.change).toBe("equal");
    const html = comparisonPage(comparison);
    expect(html).toContain("throw-00");
    expect(html).not.toMatch(/<script|https?:\/\//);
  });

  it("names throws that only one of them has, and refuses replays that have none in common", () => {
    const a = report([thrown("one", "caught", 0.01), thrown("two", "caught", 0.01)]);
    const b = report([thrown("one", "caught", 0.01)]);
    expect(compareReplays(a, b, ["a", "b"]).onlyA).toEqual(["two ball 0"]);
    expect(() => compareReplays(b, report([thrown("other", "caught", 0)]), ["b", "c"])).toThrow(
      expect.objectContaining({ code: "FLY_COMPARE_INPUT" }),
    );
  });
});
