import { describe, expect, it } from "vitest";
import { Random } from "../../src/math/random.js";
import { quantile, quantiles, RunningStatistics, wilsonInterval } from "../../src/math/statistics.js";

describe("RunningStatistics", () => {
  function statisticsOf(values: Iterable<number>): RunningStatistics {
    const statistics = new RunningStatistics();
    for (const x of values) statistics.add(x);
    return statistics;
  }

  it("agrees with two passes over the numbers", () => {
    const random = new Random("running");
    const values = Float64Array.from({ length: 1000 }, () => random.normalIn(5, 2));
    const statistics = statisticsOf(values);
    const mean = values.reduce((sum, x) => sum + x, 0) / 1000;
    const variance = values.reduce((sum, x) => sum + (x - mean) ** 2, 0) / 999;
    expect(statistics.count).toBe(1000);
    expect(statistics.mean).toBeCloseTo(mean, 12);
    expect(statistics.variance).toBeCloseTo(variance, 12);
    expect(statistics.standardDeviation).toBeCloseTo(Math.sqrt(variance), 12);
    expect(statistics.min).toBe(Math.min(...values));
    expect(statistics.max).toBe(Math.max(...values));
  });

  it("keeps its digits for a small spread about a large mean", () => {
    const statistics = statisticsOf([1e9 + 4, 1e9 + 7, 1e9 + 13, 1e9 + 16]);
    expect(statistics.mean).toBe(1e9 + 10);
    expect(statistics.variance).toBe(30);
  });

  it("says what it cannot know, and starts again after reset", () => {
    const statistics = new RunningStatistics();
    const expectEmpty = (): void => {
      expect(statistics.count).toBe(0);
      expect(statistics.mean).toBeNaN();
      expect(statistics.variance).toBeNaN();
      expect(statistics.min).toBe(Number.POSITIVE_INFINITY);
      expect(statistics.max).toBe(Number.NEGATIVE_INFINITY);
    };
    expectEmpty();
    statistics.add(3);
    expect(statistics.mean).toBe(3);
    expect(statistics.variance).toBeNaN();
    statistics.add(Number.NaN);
    statistics.add(4);
    for (const value of [statistics.mean, statistics.variance, statistics.min, statistics.max]) expect(value).toBeNaN();
    statistics.reset();
    expectEmpty();
  });
});

describe("quantile", () => {
  it("interpolates between neighbours as NumPy does", () => {
    const sorted = Float64Array.of(1, 2, 4, 8);
    expect(quantile(sorted, 0)).toBe(1);
    expect(quantile(sorted, 1)).toBe(8);
    expect(quantile(sorted, 0.5)).toBe(3);
    expect(quantile(sorted, 0.25)).toBe(1.75);
    expect(quantile(sorted, 0.9)).toBeCloseTo(6.8, 14);
    expect(quantile(Float64Array.of(5), 0.3)).toBe(5);
    expect(quantile(Float64Array.of(1, Number.POSITIVE_INFINITY), 0)).toBe(1);
  });

  it("is NaN for no numbers, or no probability", () => {
    expect(quantile(new Float64Array(0), 0.5)).toBeNaN();
    for (const p of [-0.1, 1.1, Number.NaN]) expect(quantile(Float64Array.of(1, 2), p)).toBeNaN();
  });

  it("comes by the list for numbers in any order, left as they are", () => {
    const values = [10, 9, 1, 2];
    expect(quantiles(values, [0, 0.5, 1])).toEqual([1, 5.5, 10]);
    expect(values).toEqual([10, 9, 1, 2]);
  });
});

describe("wilsonInterval", () => {
  it("matches published values", () => {
    // Newcombe, "Two-sided confidence intervals for the single proportion", 1998, table I, method 3.
    for (const [successes, trials, low, high] of [
      [81, 263, 0.2553, 0.3662],
      [15, 148, 0.0624, 0.1605],
      [0, 20, 0, 0.1611],
      [1, 29, 0.0061, 0.1718],
    ] as const) {
      const interval = wilsonInterval(successes, trials);
      expect(interval.low).toBeCloseTo(low, 4);
      expect(interval.high).toBeCloseTo(high, 4);
    }
  });

  it("ends where the score test does: |p̂ − p| = z·√(p(1 − p)/n)", () => {
    const z = 2.5;
    const { low, high } = wilsonInterval(37, 50, z);
    for (const p of [low, high]) expect(Math.abs(0.74 - p)).toBeCloseTo(z * Math.sqrt((p * (1 - p)) / 50), 14);
  });

  it("stays within [0, 1], and knows nothing without trials", () => {
    expect(wilsonInterval(0, 0)).toEqual({ low: 0, high: 1 });
    expect(wilsonInterval(0, 5).low).toBe(0);
    expect(wilsonInterval(5, 5).high).toBe(1);
  });
});
