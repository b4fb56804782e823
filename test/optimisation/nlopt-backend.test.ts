import { describe, expect, it } from "vitest";
import { Random } from "../../src/math/random.js";
import { NloptSolver } from "../../src/optimisation/nlopt-backend.js";
import { loadNlopt, NloptLibrary } from "../../src/optimisation/nlopt-library.js";
import { iterationBudget, SolveResult, SolveStatus } from "../../src/optimisation/solver-interface.js";
import { SqpSolver } from "../../src/optimisation/sqp.js";
import { deep } from "../support/deep.js";
import { hockSchittkowski } from "./hock-schittkowski.js";
import { RandomProblem } from "./random-problem.js";
import { SmoothProblem } from "./smooth-problem.js";

describe("NloptSolver", () => {
  it("leaves no process-wide exception listeners behind, and keeps those of others", async () => {
    const ours = () => undefined;
    process.on("unhandledRejection", ours);
    const before = process.listeners("uncaughtException").length;
    await loadNlopt();
    expect(process.listeners("uncaughtException").length).toBe(before);
    expect(process.listeners("unhandledRejection")).toContain(ours);
    process.off("unhandledRejection", ours);
  });

  it("solves most of Hock and Schittkowski, and never calls a wrong answer solved", async () => {
    let solved = 0;
    for (const { problem, start, optimum } of hockSchittkowski) {
      const result = new SolveResult(problem.n);
      const solver = await NloptSolver.create(problem);
      const status = solver.solve(problem, start, null, iterationBudget(300), result);
      if (status !== SolveStatus.solved) continue;
      solved++;
      expect(result.violation).toBeLessThanOrEqual(1e-8);
      expect(result.objective).toBeLessThan(optimum + 1e-3 * (1 + Math.abs(optimum)));
    }
    expect(solved).toBeGreaterThanOrEqual(18);
  });

  it("agrees with the SQP solver on random problems of the catch problem's size", async () => {
    const random = new Random("agreement");
    const first = new RandomProblem(random);
    const nlopt = await NloptSolver.create(first);
    const sqp = new SqpSolver(first);
    const [ours, theirs] = [new SolveResult(8), new SolveResult(8)];
    const count = deep(200, 2_000);
    let solved = 0;
    let both = 0;
    let same = 0;
    for (let trial = 0; trial < count; trial++) {
      const problem = new RandomProblem(random);
      const start = Float64Array.from({ length: 8 }, () => random.uniformIn(-2, 2));
      if (sqp.solve(problem, start, null, iterationBudget(100), ours) === SolveStatus.solved) solved++;
      nlopt.solve(problem, start, null, iterationBudget(200), theirs);
      if (ours.status !== SolveStatus.solved || theirs.status !== SolveStatus.solved) continue;
      both++;
      if (Math.abs(ours.objective - theirs.objective) < 1e-5 * (1 + Math.abs(theirs.objective))) same++;
    }
    expect(solved).toBeGreaterThan(0.97 * count);
    // The library gives up at once where the first linearised constraints contradict each other.
    expect(both).toBeGreaterThan(0.6 * count);
    expect(same).toBeGreaterThan(0.97 * both);
  });

  it("ends on NaN, at its budget and at its deadline", async () => {
    const hollow = new SmoothProblem({ n: 2, objective: ([x]) => x!.minus(1).log, inequalities: [([, y]) => y!] });
    const solver = await NloptSolver.create(hollow);
    const result = new SolveResult(2);
    expect(solver.solve(hollow, Float64Array.of(0, 1), null, iterationBudget(50), result)).toBe(
      SolveStatus.undefinedAtStart,
    );
    // log(x − 1) falls towards x = 1 and is NaN beyond.
    solver.solve(hollow, Float64Array.of(3, 1), null, iterationBudget(50), result);
    expect(result.evaluations).toBeLessThanOrEqual(60);
    expect(Number.isFinite(result.objective)).toBe(true);
    const { problem, start } = hockSchittkowski.find(({ number }) => number === 113)!;
    const other = await NloptSolver.create(problem);
    const answer = new SolveResult(10);
    expect(other.solve(problem, start, null, iterationBudget(3), answer)).toBe(SolveStatus.budget);
    const late = { iterations: 100, clock: () => 2, deadline: 1 };
    expect(other.solve(problem, start, null, late, answer)).toBe(SolveStatus.deadline);
  });

  it("finds no feasible point where there is none", async () => {
    const rootless = new SmoothProblem({
      n: 1,
      objective: ([x]) => x!.squared,
      equalities: [([x]) => x!.squared.plus(1)],
    });
    const solver = await NloptSolver.create(rootless);
    const status = solver.solve(rootless, Float64Array.of(2), null, iterationBudget(100), new SolveResult(1));
    expect([SolveStatus.infeasible, SolveStatus.budget]).toContain(status);
  });
});

describe("NloptLibrary", () => {
  it("is exhausted well before the 62,014 solves after which it was seen to die", () => {
    const library = new NloptLibrary({ HEAPF64: new Float64Array(1) } as NloptLibrary["nlopt"]);
    let solves = 0;
    while (!library.isExhausted) {
      library.countVectors(2, 8);
      solves++;
    }
    expect(solves).toBeGreaterThan(40_000);
    expect(solves).toBeLessThan(55_000);
  });

  it("is exhausted once its memory has grown away", () => {
    const library = new NloptLibrary({ HEAPF64: new Float64Array(0) } as NloptLibrary["nlopt"]);
    expect(library.isExhausted).toBe(true);
  });
});
