import { describe, expect, it } from "vitest";
import { Random } from "../../../src/math/random.js";
import { Evaluation } from "../../../src/optimisation/problem-interface.js";
import { CatchProblem } from "../../../src/planning/problem/catch-problem.js";
import type { CatchMode } from "../../../src/planning/problem/objectives.js";
import { SuccessCurve } from "../../../src/planning/problem/success-curve.js";
import { catchSetup, catchTask } from "../catch-setup.js";

const setup = catchSetup("agile-justin", "rightArm");
const modes: CatchMode[] = ["soft", "latest", "cool", "sure"];
const success = new SuccessCurve(
  0,
  0.04,
  Float64Array.from({ length: 46 }, (_, i) => -3 * Math.exp(-i / 12) - i / 60),
);

function randomStart(random: Random): Float64Array {
  return Float64Array.from(setup.arm.maxVelocity, (wmax) => random.uniformIn(-0.6, 0.6) * wmax);
}

function randomPoint(random: Random, problem: CatchProblem): Float64Array {
  const x = new Float64Array(problem.n);
  for (let i = 0; i < problem.dofs; i++) x[i] = setup.ready[i]! + random.uniformIn(-0.7, 0.7);
  x[problem.dofs] = random.uniformIn(0.45, 1.1);
  return x;
}

describe.each(modes)("the catch problem, mode %s", (mode) => {
  const random = new Random(`gradients ${mode}`);

  it("has the derivatives of finite differences", () => {
    const comparison = { worst: 0, compared: 0, leftOut: 0 };
    for (let k = 0; k < 200; k++) {
      const task = { ...catchTask(setup, mode, setup.throwBall(random), randomStart(random)), success };
      const problem = new CatchProblem(setup.arm, task);
      compareDerivatives(problem, randomPoint(random, problem), comparison);
    }
    expect(comparison.worst).toBeLessThan(1e-6);
    expect(comparison.leftOut).toBeLessThan(0.01 * comparison.compared);
  });

  it("gives the same values with and without derivatives", () => {
    const problem = new CatchProblem(setup.arm, catchTask(setup, mode, setup.throwBall(random), randomStart(random)));
    const full = new Evaluation(problem);
    const values = new Evaluation(problem);
    for (let k = 0; k < 50; k++) {
      const x = randomPoint(random, problem);
      problem.evaluate(x, full);
      problem.evaluateValues(x, values);
      expect(values.objective).toBe(full.objective);
      expect(values.constraints).toEqual(full.constraints);
    }
  });
});

/** How far the differences of two step widths may part before the function counts as not smooth between them. */
const SMOOTH = 2e-7;

interface Comparison {
  /** Largest relative difference of an analytic derivative and its central difference. */
  worst: number;
  /** Entries compared, and those left out: a kink or a step of curvature lies within the difference's reach. */
  compared: number;
  leftOut: number;
}

function compareDerivatives(problem: CatchProblem, x: Float64Array, out: Comparison): void {
  const analytic = new Evaluation(problem);
  problem.evaluate(x, analytic);
  for (let column = 0; column < problem.n; column++) {
    const coarse = centralDifference(problem, x, column, 2e-5);
    const fine = centralDifference(problem, x, column, 1e-5);
    const slopes = [analytic.gradient[column]!, ...columnOf(analytic, problem.n, column)];
    slopes.forEach((slope, row) => {
      const scale = 1 + Math.abs(slope);
      if (Math.abs(coarse[row]! - fine[row]!) > SMOOTH * scale) out.leftOut++;
      else {
        out.compared++;
        out.worst = Math.max(out.worst, Math.abs(fine[row]! - slope) / scale);
      }
    });
  }
}

function centralDifference(problem: CatchProblem, x: Float64Array, column: number, h: number): number[] {
  const plus = shifted(problem, x, column, h);
  const minus = shifted(problem, x, column, -h);
  return plus.map((value, row) => (value - minus[row]!) / (2 * h));
}

function shifted(problem: CatchProblem, x: Float64Array, column: number, by: number): number[] {
  const moved = Float64Array.from(x);
  moved[column] = x[column]! + by;
  const out = new Evaluation(problem);
  problem.evaluateValues(moved, out);
  return [out.objective, ...out.constraints];
}

function columnOf(evaluation: Evaluation, n: number, column: number): number[] {
  return Array.from(evaluation.constraints, (_, row) => evaluation.jacobian[row * n + column]!);
}
