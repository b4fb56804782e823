import { describe, expect, test } from "vitest";
import { EDGE_VARIANCE, riseAt, rootAt, slopeAt } from "../../../src/tracking/circles/edge-width.js";

/** ∫ f from −1 to 1 by the midpoint rule. */
function integrate(f: (y: number) => number): number {
  const steps = 20_000;
  let sum = 0;
  for (let n = 0; n < steps; n++) sum += f((2 * (n + 0.5)) / steps - 1);
  return (2 * sum) / steps;
}

describe("a blurred edge", () => {
  test("rises from 0 to 1, alike to both sides, with the slope that it says", () => {
    for (const x of [-1.4, -1, -0.7, -0.2, 0, 0.35, 0.99, 1, 3]) {
      expect(riseAt(x) + riseAt(-x)).toBeCloseTo(1, 12);
      expect(slopeAt(x)).toBeCloseTo((riseAt(x + 1e-5) - riseAt(x - 1e-5)) / 2e-5, 4);
    }
    expect(integrate((y) => slopeAt(y))).toBeCloseTo(1, 6);
    expect(integrate((y) => y * y * slopeAt(y))).toBeCloseTo(EDGE_VARIANCE, 6);
  });

  test("the blurred root is the convolution of a root with the slope", () => {
    for (let x = -3; x <= 1.2; x += 0.07) {
      const convolved = integrate((y) => slopeAt(y) * Math.sqrt(Math.max(0, y - x)));
      expect(Math.abs(rootAt(x) - convolved)).toBeLessThan(0.003);
    }
  });
});
