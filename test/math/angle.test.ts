import { describe, expect, it } from "vitest";
import { degrees, wrapAngle } from "../../src/math/angle.js";
import { Random } from "../../src/math/random.js";

describe("wrapAngle", () => {
  it("keeps the direction and lands in (−π, π]", () => {
    const random = new Random("angle");
    for (let i = 0; i < 2_000; i++) {
      const a = random.uniformIn(-50, 50);
      const wrapped = wrapAngle(a);
      expect(wrapped).toBeGreaterThan(-Math.PI);
      expect(wrapped).toBeLessThanOrEqual(Math.PI);
      expect(Math.abs(Math.sin(wrapped) - Math.sin(a))).toBeLessThan(3e-14);
      expect(Math.abs(Math.cos(wrapped) - Math.cos(a))).toBeLessThan(3e-14);
    }
  });

  it("leaves angles inside the interval as they are, to the bit", () => {
    for (const a of [0, 1e-300, -1e-17, 1, -3, Math.PI, -Math.PI * (1 - Number.EPSILON)]) expect(wrapAngle(a)).toBe(a);
  });

  it("gives π, not −π, for the half turn", () => {
    for (const turns of [-3, -1, 1, 3]) expect(wrapAngle(turns * Math.PI)).toBeCloseTo(Math.PI, 14);
    expect(wrapAngle(-Math.PI)).toBe(Math.PI);
  });

  it("gives NaN for what is no angle", () => {
    for (const a of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]) expect(wrapAngle(a)).toBeNaN();
  });
});

describe("degrees", () => {
  it("converts radians", () => {
    expect(degrees(Math.PI)).toBe(180);
    expect(degrees(-Math.PI / 2)).toBe(-90);
  });
});
