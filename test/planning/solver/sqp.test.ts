import { describe, expect, it } from "vitest";
import {
  iterationBudget,
  SolveResult,
  SolveStatus,
  solveStatusNames,
} from "../../../src/planning/solver/solver-interface.js";
import { SqpSolver } from "../../../src/planning/solver/sqp.js";
import { hockSchittkowski } from "./hock-schittkowski.js";

describe("SqpSolver on the problems of Hock and Schittkowski", () => {
  for (const { number, problem, start, optimum } of hockSchittkowski) {
    it(`finds the optimum of ${number}`, () => {
      const result = new SolveResult(problem.n);
      const status = new SqpSolver(problem).solve(problem, start, null, iterationBudget(200), result);
      console.log(
        number,
        solveStatusNames[status],
        result.iterations,
        result.evaluations,
        result.valueEvaluations,
        result.objective,
        optimum,
        result.violation,
        result.kktResidual,
      );
      expect(status).toBe(SolveStatus.solved);
    });
  }
});
