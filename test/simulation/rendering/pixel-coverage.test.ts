import { describe, expect, it } from "vitest";
import { Random } from "../../../src/math/random.js";
import type { BallKernels } from "../../../src/simulation/rendering/ball-painter.js";
import { KernelMemory } from "../../../src/simulation/rendering/kernel-memory.js";

const { halfPlaneCoverage } = new KernelMemory().load<BallKernels>("balls");

describe("coverage of a pixel by a straight edge", () => {
  it("is the share of points inside", () => {
    const random = new Random("coverage");
    const steps = 200;
    for (let i = 0; i < 100; i++) {
      const angle = random.uniformIn(0, 2 * Math.PI);
      const [nx, ny] = [Math.cos(angle), Math.sin(angle)];
      const distance = random.uniformIn(-0.8, 0.8);
      let count = 0;
      for (let k = 0; k < steps * steps; k++) {
        const x = ((k % steps) + 0.5) / steps - 0.5;
        const y = (Math.floor(k / steps) + 0.5) / steps - 0.5;
        if (distance + nx * x + ny * y > 0) count++;
      }
      expect(halfPlaneCoverage(distance, nx, ny)).toBeCloseTo(count / steps ** 2, 2);
    }
  });

  it("is right for edges along and across, and in the corners", () => {
    expect(halfPlaneCoverage(0.25, 1, 0)).toBe(0.75);
    expect(halfPlaneCoverage(-0.5, 0, -1)).toBeCloseTo(0, 6);
    expect(halfPlaneCoverage(0, Math.SQRT1_2, Math.SQRT1_2)).toBeCloseTo(0.5, 6);
    expect(halfPlaneCoverage(Math.SQRT1_2 / 2, Math.SQRT1_2, Math.SQRT1_2)).toBeCloseTo(0.875, 6);
    expect(halfPlaneCoverage(1, 0.6, 0.8)).toBe(1);
    expect(halfPlaneCoverage(-1, 0.6, 0.8)).toBe(0);
  });
});
