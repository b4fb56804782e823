import { describe, expect, it } from "vitest";
import { Evaluation } from "../../src/optimisation/problem-interface.js";
import { iterationBudget, SolveResult, SolveStatus } from "../../src/optimisation/solver-interface.js";
import { SqpSolver } from "../../src/optimisation/sqp.js";
import { hockSchittkowski } from "./hock-schittkowski.js";

describe("SqpSolver on the problems of Hock and Schittkowski", () => {
  for (const { number, problem, start, optimum } of hockSchittkowski) {
    it(`finds the optimum of problem ${number}`, () => {
      const result = new SolveResult(problem.n);
      const status = new SqpSolver(problem).solve(problem, start, null, iterationBudget(100), result);
      expect(status).toBe(SolveStatus.solved);
      expect(Math.abs(result.objective - optimum)).toBeLessThan(1e-6 * (1 + Math.abs(optimum)));
      expect(result.violation).toBeLessThanOrEqual(1e-8);
      expect(result.kktResidual).toBeLessThanOrEqual(1e-6);
      expect(result.iterations).toBeLessThan(40);
      expectFeasible(problem, result);
    });
  }
});

/** Feasibility by the problem itself, not by what the solver says of it. */
function expectFeasible(problem: (typeof hockSchittkowski)[number]["problem"], { x, objective }: SolveResult): void {
  const evaluation = new Evaluation(problem);
  problem.evaluate(x, evaluation);
  expect(evaluation.objective).toBe(objective);
  for (const value of evaluation.equality) expect(Math.abs(value)).toBeLessThanOrEqual(1e-8);
  for (const value of evaluation.inequality) expect(value).toBeGreaterThanOrEqual(-1e-8);
  x.forEach((value, i) => {
    expect(value).toBeGreaterThanOrEqual(problem.lower[i]!);
    expect(value).toBeLessThanOrEqual(problem.upper[i]!);
  });
}
