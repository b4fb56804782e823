import { describe, expect, it } from "vitest";
import { iterationBudget, SolveResult, SolveStatus } from "../../src/optimisation/solver-interface.js";
import { SqpSolver } from "../../src/optimisation/sqp.js";
import { createWarmStart } from "../../src/optimisation/warm-start.js";
import { FlycatcherError } from "../../src/runtime/errors.js";
import { hockSchittkowski } from "./hock-schittkowski.js";
import { product, SmoothProblem, sum } from "./smooth-problem.js";
import { hs, solve, totalViolation } from "./solve-problem.js";

describe("SqpSolver on Rosenbrock's valley", () => {
  it("follows it inside a ball to the ball's surface", () => {
    // Known from Lagrange: the minimiser on x² + y² = 1 is (0.78641515, 0.61769831) with f = 0.045674808.
    const problem = new SmoothProblem({
      n: 2,
      objective: ([x, y]) => sum(x!.minus(1).squared, y!.minus(x!.squared).squared.times(100)),
      inequalities: [([x, y]) => sum(1, x!.squared.times(-1), y!.squared.times(-1))],
    });
    const { status, x, objective } = solve(problem, [0, 0]);
    expect(status).toBe(SolveStatus.solved);
    expect(objective).toBeCloseTo(0.045674808, 7);
    expect(x[0]).toBeCloseTo(0.78641515, 5);
    expect(x[1]).toBeCloseTo(0.61769831, 5);
  });
});

describe("SqpSolver within its budget", () => {
  const { problem, start } = hs(113);

  it("spends no more iterations than it is given, and has the best point so far at any time", () => {
    let least = Infinity;
    for (let iterations = 0; iterations < 25; iterations++) {
      const result = solve(problem, [...start], iterationBudget(iterations));
      expect(result.iterations).toBeLessThanOrEqual(iterations);
      expect([SolveStatus.budget, SolveStatus.solved]).toContain(result.status);
      const violated = totalViolation(problem, result.x);
      expect(violated).toBeLessThanOrEqual(least);
      if (violated > 1e-7) least = violated;
    }
    expect(solve(problem, [...start], iterationBudget(Number.NaN)).status).toBe(SolveStatus.budget);
  });

  it("stops at the deadline, at most one evaluation late", () => {
    for (let deadline = 0; deadline < 30; deadline++) {
      let now = 0;
      const clock = () => now++;
      const result = solve(problem, [...start], { iterations: 200, clock, deadline });
      if (result.status === SolveStatus.solved) continue;
      expect(result.status).toBe(SolveStatus.deadline);
      expect(now).toBeLessThanOrEqual(deadline + 3);
      expect(result.evaluations + result.valueEvaluations).toBeLessThanOrEqual(deadline + 2);
      expect(Number.isFinite(result.objective)).toBe(true);
    }
  });

  it("stops on a clock that has stopped working", () => {
    const result = solve(problem, [...start], { iterations: 200, clock: () => Number.NaN, deadline: 1 });
    expect(result.status).toBe(SolveStatus.deadline);
  });
});

describe("SqpSolver from run to run", () => {
  it("gives the same bits, whatever it solved before", () => {
    const { problem, start } = hs(100);
    const solver = new SqpSolver(problem);
    const [first, second] = [new SolveResult(problem.n), new SolveResult(problem.n)];
    const [firstState, secondState] = [createWarmStart(problem), createWarmStart(problem)];
    solver.solve(problem, start, firstState, iterationBudget(100), first);
    const elsewhere = new SolveResult(problem.n);
    for (let k = 0; k < 5; k++)
      solver.solve(
        problem,
        start.map((value) => value + 0.3 * k),
        null,
        iterationBudget(7 * k),
        elsewhere,
      );
    solver.solve(problem, start, secondState, iterationBudget(100), second);
    expect(second).toEqual(first);
    expect([...secondState]).toEqual([...firstState]);
  });

  it("has nothing left to do at its own solution, and little beside it", () => {
    let cold = 0;
    let warm = 0;
    for (const { problem, start } of hockSchittkowski) {
      const solver = new SqpSolver(problem);
      const result = new SolveResult(problem.n);
      const state = createWarmStart(problem);
      solver.solve(problem, start, state, iterationBudget(100), result);
      const solution = result.x.slice();
      solver.solve(problem, solution, state.slice(), iterationBudget(100), result);
      expect(result.iterations).toBeLessThanOrEqual(1);
      const beside = solution.map((value) => value + 0.01 * Math.abs(value));
      solver.solve(problem, beside, null, iterationBudget(100), result);
      cold += result.iterations;
      solver.solve(problem, beside, state, iterationBudget(100), result);
      expect(result.status).toBe(SolveStatus.solved);
      warm += result.iterations;
    }
    expect(warm).toBeLessThan(0.7 * cold);
  });

  it("ignores a warm start with a NaN in it, and leaves none behind an infeasible problem", () => {
    const { problem, start } = hs(71);
    const state = createWarmStart(problem).fill(Number.NaN);
    state[0] = 1;
    const result = new SolveResult(problem.n);
    expect(new SqpSolver(problem).solve(problem, start, state, iterationBudget(50), result)).toBe(SolveStatus.solved);
    expect(state[0]).toBe(1);
    const rootless = new SmoothProblem({
      n: 1,
      objective: ([x]) => x!.squared,
      equalities: [([x]) => x!.squared.plus(1)],
    });
    const other = createWarmStart(rootless);
    new SqpSolver(rootless).solve(rootless, Float64Array.of(3), other, iterationBudget(50), new SolveResult(1));
    expect(other[0]).toBe(0);
  });

  it("meets active bounds to the last bit", () => {
    const { x } = solve(hs(71).problem, [1, 5, 5, 1]);
    expect(x[0]).toBe(1);
    const fixed = new SmoothProblem({
      n: 2,
      objective: ([x0, x1]) => sum(x0!.squared, x1!.minus(0.1).squared, product(x0!, x1!)),
      lower: [0.1 + 0.2, -1],
      upper: [0.1 + 0.2, 1],
    });
    expect(solve(fixed, [7, 0.9]).x[0]).toBe(0.1 + 0.2);
  });
});

describe("SqpSolver with a supplied Hessian", () => {
  /** ½·|residuals|² of a nonlinear fit, with its Gauss–Newton Hessian. */
  class Fit extends SmoothProblem {
    lagrangianHessian(x: Float64Array, _multipliers: Float64Array, out: Float64Array): void {
      out.fill(0);
      for (let k = 0; k < 8; k++) {
        const growth = Math.exp(0.3 * k * x[1]!);
        const row = [growth, 0.3 * k * x[0]! * growth];
        for (let i = 0; i < 4; i++) out[i] = out[i]! + row[i >> 1]! * row[i & 1]!;
      }
    }
  }
  const fit = new Fit({
    n: 2,
    objective: ([a, b]) =>
      sum(
        ...Array.from({ length: 8 }, (_, k) =>
          b!
            .times(0.3 * k)
            .exp.times(a!)
            .minus(2 * Math.exp(-0.15 * k))
            .squared.times(0.5),
        ),
      ),
    inequalities: [([a]) => a!.times(-1).plus(5)],
  });

  it("needs fewer iterations than without", () => {
    const supplied = solve(fit, [1, 0.5], iterationBudget(100), { hessian: "supplied" });
    const learnt = solve(fit, [1, 0.5]);
    expect(supplied.status).toBe(SolveStatus.solved);
    expect([...supplied.x]).toEqual([expect.closeTo(2, 6), expect.closeTo(-0.5, 6)]);
    expect(supplied.iterations).toBeLessThan(learnt.iterations);
  });

  it("shifts one that is not positive definite", () => {
    class Saddle extends SmoothProblem {
      lagrangianHessian(_x: Float64Array, _multipliers: Float64Array, out: Float64Array): void {
        out.set([2, 0, 0, -2]);
      }
    }
    const saddle = new Saddle({
      n: 2,
      objective: ([x, y]) => sum(x!.squared, y!.squared.times(-1)),
      lower: [-1, -1],
      upper: [1, 2],
    });
    const { status, x } = solve(saddle, [0.5, 0.3], iterationBudget(100), { hessian: "supplied" });
    expect(status).toBe(SolveStatus.solved);
    expect([...x]).toEqual([expect.closeTo(0, 5), 2]);
  });

  it("is refused where the problem has none", () => {
    expect(() => solve(hs(71).problem, [1, 5, 5, 1], iterationBudget(9), { hessian: "supplied" })).toThrow(
      FlycatcherError,
    );
  });
});

describe("SqpSolver at its boundary", () => {
  it("refuses problems and warm starts of another shape", () => {
    const solver = new SqpSolver(hs(71).problem);
    const { problem, start } = hs(65);
    const result = new SolveResult(3);
    expect(() => solver.solve(problem, start, null, iterationBudget(1), result)).toThrow(/FLY_|shape/);
    const own = new SqpSolver(problem);
    expect(() => own.solve(problem, start, new Float64Array(3), iterationBudget(1), result)).toThrow(/shape/);
  });

  it("refuses options that are not positive numbers", () => {
    for (const value of [0, -1, Number.NaN, Infinity])
      expect(() => new SqpSolver(hs(71).problem, { optimalityTolerance: value })).toThrow(/optimalityTolerance/);
  });
});
