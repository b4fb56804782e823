import { expect, it } from "vitest";
import { Random } from "../../src/math/random.js";
import { iterationBudget, SolveResult, SolveStatus } from "../../src/optimisation/solver-interface.js";
import { SqpSolver } from "../../src/optimisation/sqp.js";
import { createWarmStart } from "../../src/optimisation/warm-start.js";
import { boxedNumbers, heapBytesPerCall } from "../support/heap.js";
import { createStandIn, firstTask, makeReplans, type Replan } from "./catch-scenario.js";

it("a warm solve allocates nothing", () => {
  const problem = createStandIn(firstTask(new Random("any"), "soft"));
  const solver = new SqpSolver(problem);
  const result = new SolveResult(8);
  const state = createWarmStart(problem);
  const budget = iterationBudget(60);
  const solve = ({ task, start, warmStart }: Replan): SolveStatus => {
    problem.begin(task);
    state.set(warmStart);
    return solver.solve(problem, start, state, budget, result);
  };
  // Conflicts are too rare for their code to be compiled soon; what is not compiled keeps its numbers on the heap.
  const replans = makeReplans(new Random("heap"), 8).filter((replan) => solve(replan) === SolveStatus.solved);
  const bytes = heapBytesPerCall((index) => {
    solve(replans[index % replans.length]!);
  }, 2_000);
  expect(replans.length).toBeGreaterThan(10);
  expect(bytes).toBeLessThan(boxedNumbers);
});
