import { describe, expect, it } from "vitest";
import { JointRange } from "../../../src/robot/inverse-kinematics/spherical-joint.js";

const fitted = (lower: number, upper: number, angle: number): number | undefined => {
  const angles = Float64Array.of(angle);
  return new JointRange([lower], [upper]).fit(0, angles, 0) ? angles[0] : undefined;
};

describe("fitting an angle into a joint's range", () => {
  it("turns it by whole turns to where it is nearest to the middle", () => {
    expect(fitted(-3, 3, 2 + 4 * Math.PI)).toBeCloseTo(2, 12);
    expect(fitted(4, 7, -1)).toBeCloseTo(2 * Math.PI - 1, 12);
    expect(fitted(-6, 6, 5)).toBeCloseTo(5 - 2 * Math.PI, 12);
    expect(fitted(-20, -14, 0)).toBeCloseTo(-6 * Math.PI, 12);
  });

  it("refuses what is outside for every number of turns", () => {
    expect(fitted(-2, 2, 3)).toBeUndefined();
    expect(fitted(-2, 2, 3 + 2 * Math.PI)).toBeUndefined();
    expect(fitted(-2, 2, Number.NaN)).toBeUndefined();
  });

  it("sets what rounding put beyond a limit onto it", () => {
    expect(fitted(-2, 2, 2 + 5e-11)).toBe(2);
    expect(fitted(-2, 2, -2 - 5e-11)).toBe(-2);
    expect(fitted(-2, 2, 2 + 1e-9)).toBeUndefined();
  });

  it("knows ranges open on one side or both", () => {
    const infinity = Number.POSITIVE_INFINITY;
    expect(fitted(-infinity, infinity, 7)).toBeCloseTo(7 - 2 * Math.PI, 12);
    expect(fitted(1, infinity, 0.5)).toBeCloseTo(0.5 + 2 * Math.PI, 12);
    expect(fitted(-infinity, -1, 0.5)).toBeCloseTo(0.5 - 2 * Math.PI, 12);
  });
});
