import { describe, expect, it } from "vitest";
import { quantile, quantiles, wilsonInterval } from "../../src/math/statistics.js";

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
