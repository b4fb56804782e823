import { describe, expect, it } from "vitest";
import { Random } from "../../src/math/random.js";
import { Histogram, LoopStatistics } from "../../src/transport/loop-statistics.js";

const fresh = () => new Histogram(new SharedArrayBuffer(Histogram.bytes));

describe("a histogram", () => {
  it("gives every quantile to 4 % of what sorting gives, small ones exactly", () => {
    const random = new Random(1);
    for (const scale of [20, 500, 30_000]) {
      const histogram = fresh();
      const values = Array.from({ length: 5000 }, () => Math.round(scale * -Math.log(1 - random.uniform())));
      for (const value of values) histogram.record(value);
      const sorted = values.toSorted((a, b) => a - b);
      expect(histogram.count).toBe(values.length);
      expect(histogram.max).toBe(sorted.at(-1));
      for (const p of [0.01, 0.5, 0.9, 0.99, 0.999, 1]) {
        const exact = sorted[Math.ceil(p * sorted.length) - 1]!;
        const found = histogram.quantile(p);
        expect(found).toBeGreaterThanOrEqual(exact < 64 ? exact : exact - 1);
        expect(found).toBeLessThanOrEqual(exact < 64 ? exact : 1.04 * exact + 1);
      }
    }
  });

  it("takes nonsense for zero, and nothing for no number", () => {
    const histogram = fresh();
    expect(histogram.quantile(0.5)).toBeNaN();
    for (const value of [-3, Number.NaN, Number.NEGATIVE_INFINITY]) histogram.record(value);
    expect(histogram.quantile(1)).toBe(0);
    histogram.record(1e12);
    expect(histogram.count).toBe(4);
  });

  it("is seen by whoever has its memory", () => {
    const memory = LoopStatistics.memory();
    new LoopStatistics(memory).record(0.05, 0.1, 2);
    const reader = new LoopStatistics(memory);
    expect([reader.ticks, reader.missed]).toEqual([1, 2]);
    expect([reader.lateness.max, reader.work.max]).toEqual([50, 100]);
    reader.reset();
    expect(reader.ticks + reader.missed + reader.lateness.count).toBe(0);
  });
});
