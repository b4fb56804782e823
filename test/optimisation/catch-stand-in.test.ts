import { describe, expect, it } from "vitest";
import { Random } from "../../src/math/random.js";
import { NloptSolver } from "../../src/optimisation/nlopt-backend.js";
import { Evaluation } from "../../src/optimisation/problem-interface.js";
import { iterationBudget, SolveResult, SolveStatus } from "../../src/optimisation/solver-interface.js";
import { SqpSolver } from "../../src/optimisation/sqp.js";
import { deep } from "../support/deep.js";
import { createStandIn, firstTask, makeReplans, type Replan, randomStart } from "./catch-scenario.js";

describe("the stand-in for the catch problem", () => {
  it("has the derivatives it says", () => {
    const random = new Random("derivatives");
    const task = firstTask(random, "soft");
    const problem = createStandIn(task);
    const [at, above, below] = [new Evaluation(problem), new Evaluation(problem), new Evaluation(problem)];
    let worst = 0;
    for (let trial = 0; trial < 200; trial++) {
      problem.begin({ ...task, w0: Float64Array.from({ length: 7 }, () => random.uniformIn(-1, 1)) });
      const x = randomStart(random);
      problem.evaluate(x, at);
      for (let i = 0; i < 8; i++) {
        const step = 1e-6;
        problem.evaluateValues(x.with(i, x[i]! + step), above);
        problem.evaluateValues(x.with(i, x[i]! - step), below);
        const slope = (above.objective - below.objective) / (2 * step);
        worst = Math.max(worst, Math.abs(slope - at.gradient[i]!) / (1 + Math.abs(slope)));
        above.constraints.forEach((value, k) => {
          const rate = (value - below.constraints[k]!) / (2 * step);
          worst = Math.max(worst, Math.abs(rate - at.jacobian[k * 8 + i]!) / (1 + Math.abs(rate)));
        });
      }
    }
    expect(worst).toBeLessThan(1e-5);
  });

  it("is solved warm in a handful of iterations, to the optimum that NLopt finds", async () => {
    const replans = makeReplans(new Random("replans"), deep(24, 200));
    const problem = createStandIn(replans[0]!.task);
    const solver = new SqpSolver(problem);
    const nlopt = await NloptSolver.create(problem);
    const [ours, theirs] = [new SolveResult(8), new SolveResult(8)];
    const iterations: number[] = [];
    let solved = 0;
    let both = 0;
    let same = 0;
    for (const { task, start, warmStart } of replans) {
      problem.begin(task);
      const status = solver.solve(problem, start, warmStart.slice(), iterationBudget(60), ours);
      if (status !== SolveStatus.solved) continue;
      solved++;
      iterations.push(ours.iterations);
      expect(ours.violation).toBeLessThanOrEqual(1e-8);
      if (nlopt.solve(problem, start, null, iterationBudget(200), theirs) !== SolveStatus.solved) continue;
      both++;
      if (ours.objective < theirs.objective + 1e-5 * (0.01 + Math.abs(theirs.objective))) same++;
    }
    iterations.sort((a, b) => a - b);
    expect(replans.length).toBeGreaterThan(50);
    expect(solved / replans.length).toBeGreaterThan(0.9);
    expect(iterations[iterations.length >> 1]).toBeLessThanOrEqual(7);
    expect(both).toBeGreaterThan(0.8 * solved);
    expect(same / both).toBeGreaterThan(0.97);
  });

  it("gives the same bits in any order", () => {
    const replans = makeReplans(new Random("bits"), 6);
    const problem = createStandIn(replans[0]!.task);
    const solveAll = (order: readonly Replan[]) => {
      const solver = new SqpSolver(problem);
      const answers = new Map<Replan, string>();
      for (const replan of order) {
        const result = new SolveResult(8);
        const state = replan.warmStart.slice();
        problem.begin(replan.task);
        solver.solve(problem, replan.start, state, iterationBudget(60), result);
        answers.set(replan, [...result.x, ...state, result.status, result.iterations].join());
      }
      return answers;
    };
    const forwards = solveAll(replans);
    const backwards = solveAll([...replans].reverse());
    for (const replan of replans) expect(backwards.get(replan)).toBe(forwards.get(replan));
  });
});
