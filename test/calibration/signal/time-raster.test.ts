import { describe, expect, it } from "vitest";
import { fitRaster } from "../../../src/calibration/signal/time-raster.js";
import { Random } from "../../../src/math/random.js";
import { deep } from "../../support/deep.js";

function stampsOf(random: Random, sequence: Float64Array, jitter: number, lateShare: number): Float64Array {
  return sequence.map((k) => 100 + 0.04003 * k + jitter * random.normal() + (random.uniform() < lateShare ? 0.1 : 0));
}

describe("the raster behind jittering stamps", () => {
  it("is found to within its own standard error, with samples lost and a clock that runs fast", () => {
    const random = new Random("raster");
    const runs = deep(200, 5000);
    let squares = 0;
    for (let run = 0; run < runs; run++) {
      const sequence = Float64Array.from({ length: 800 }, (_, k) => k).filter(() => random.uniform() > 0.05);
      const raster = fitRaster(sequence, stampsOf(random, sequence, 1e-3, 0));
      const middle = sequence.reduce((sum, k) => sum + k, 0) / sequence.length;
      const error = raster.start + raster.period * middle - (100 + 0.04003 * middle);
      squares += (error / raster.standardError) ** 2;
      expect(raster.jitter).toBeCloseTo(1e-3, 3);
    }
    expect(squares / runs).toBeGreaterThan(1 - 5 * Math.sqrt(2 / runs));
    expect(squares / runs).toBeLessThan(1 + 5 * Math.sqrt(2 / runs));
  });

  it("is not moved by packets that come far too late", () => {
    const random = new Random("late");
    const sequence = Float64Array.from({ length: 2000 }, (_, k) => k);
    const raster = fitRaster(sequence, stampsOf(random, sequence, 1e-3, 0.05));
    expect(Math.abs(raster.start + raster.period * 1000 - (100 + 40.03))).toBeLessThan(2e-4);
  });

  it("is exact where nothing jitters", () => {
    const sequence = Float64Array.from({ length: 300 }, (_, k) => 7 + 2 * k);
    const raster = fitRaster(
      sequence,
      sequence.map((k) => 5 + k / 512),
    );
    expect(raster.period).toBeCloseTo(1 / 512, 15);
    expect(raster.start).toBeCloseTo(5, 12);
  });
});
