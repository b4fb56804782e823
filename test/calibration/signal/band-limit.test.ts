import { describe, expect, it } from "vitest";
import { BandLimit, decimate } from "../../../src/calibration/signal/band-limit.js";
import { Random } from "../../../src/math/random.js";

const rate = 512;
const filter = new BandLimit(rate / 52);
const { reach, value, slope, curvature } = filter.taps(rate);

/** Response of taps to cos and sin of a frequency about the middle. */
function respond(taps: Float64Array, frequency: number): { even: number; odd: number } {
  let [even, odd] = [0, 0];
  for (const [k, tap] of taps.entries()) {
    const angle = (2 * Math.PI * frequency * (k - reach)) / rate;
    even += tap * Math.cos(angle);
    odd += tap * Math.sin(angle);
  }
  return { even, odd };
}

describe("the band limit", () => {
  it("passes what is slow unchanged and in phase, with its derivatives", () => {
    for (const frequency of [0.43, 0.61, 1, 1.5, 2]) {
      const w = 2 * Math.PI * frequency;
      expect(respond(value, frequency).even).toBeCloseTo(1, 4);
      expect(respond(value, frequency).odd).toBeCloseTo(0, 12);
      expect(respond(slope, frequency).odd / w).toBeCloseTo(1, 4);
      expect(respond(curvature, frequency).even / -(w * w)).toBeCloseTo(1, 4);
    }
  });

  it("is 3 dB down at 5 Hz and lets nothing of the structure's vibration through", () => {
    expect(respond(value, filter.outputRate / 2).even).toBeCloseTo(Math.SQRT1_2, 3);
    for (const frequency of [10, 12, 19, 25, 60]) expect(Math.abs(respond(value, frequency).even)).toBeLessThan(2e-5);
  });

  it("leaves white noise white, with the same density", () => {
    const random = new Random("white");
    const samples = Float64Array.from({ length: 400_000 }, () => random.normal());
    const stride = 52;
    const out = new Float64Array(Math.floor((samples.length - 2 * reach - 1) / stride));
    decimate(samples, value, reach, stride, out);
    const variance = out.reduce((sum, x) => sum + x * x, 0) / out.length;
    // Five standard errors of a variance from so many samples.
    const tolerance = 5 * Math.sqrt(2 / out.length);
    expect(variance * stride).toBeGreaterThan(1 - tolerance);
    expect(variance * stride).toBeLessThan(1 + tolerance);
    for (const lag of [1, 2, 3]) {
      let sum = 0;
      for (let i = lag; i < out.length; i++) sum += out[i]! * out[i - lag]!;
      expect(Math.abs(sum / out.length / variance)).toBeLessThan(5 / Math.sqrt(out.length));
    }
  });

  it("has taps that are orthogonal to themselves shifted by one output period", () => {
    const inner = (shift: number) => {
      let sum = 0;
      for (let k = shift; k < value.length; k++) sum += value[k]! * value[k - shift]!;
      return sum;
    };
    for (const shift of [52, 104, 156]) expect(Math.abs(inner(shift) / inner(0))).toBeLessThan(1e-5);
  });
});
