import { describe, expect, it } from "vitest";
import type { Evaluation } from "../../src/optimisation/problem-interface.js";
import { iterationBudget, SolveResult, SolveStatus } from "../../src/optimisation/solver-interface.js";
import { SqpSolver } from "../../src/optimisation/sqp.js";
import { createWarmStart } from "../../src/optimisation/warm-start.js";
import { SmoothProblem, type SmoothProblemParts, sum } from "./smooth-problem.js";
import { solve } from "./solve-problem.js";

/** A problem that is only defined where `isDefined` says so: NaN in what `breaks` there. */
class Wall extends SmoothProblem {
  readonly #isDefined: (x: Float64Array) => boolean;
  readonly #breaks: "values" | "derivatives";

  constructor(parts: SmoothProblemParts, isDefined: (x: Float64Array) => boolean, breaks: "values" | "derivatives") {
    super(parts);
    this.#isDefined = isDefined;
    this.#breaks = breaks;
  }

  override evaluate(x: Float64Array, out: Evaluation): void {
    super.evaluate(x, out);
    if (this.#isDefined(x)) return;
    out.gradient.fill(Number.NaN);
    if (this.#breaks === "values") out.objective = Number.NaN;
  }

  override evaluateValues(x: Float64Array, out: Evaluation): void {
    super.evaluateValues(x, out);
    if (this.#breaks === "values" && !this.#isDefined(x)) out.constraints.fill(Number.NaN);
  }
}

describe("SqpSolver on infeasible problems", () => {
  it("ends at the least violated point of two contradictory inequalities", () => {
    const problem = new SmoothProblem({
      n: 2,
      objective: ([x, y]) => sum(x!.times(3), y!.squared),
      inequalities: [([x, y]) => sum(1, x!.squared.times(-1), y!.squared.times(-1)), ([x, y]) => sum(x!, y!, -3)],
    });
    const { status, x, violation } = solve(problem, [-2, 1]);
    expect(status).toBe(SolveStatus.infeasible);
    // On the disc nearest to the line x + y = 3.
    expect(violation).toBeCloseTo(3 - Math.SQRT2, 3);
    expect(x[0]).toBeCloseTo(Math.SQRT1_2, 2);
    expect(x[1]).toBeCloseTo(Math.SQRT1_2, 2);
  });

  it("ends at the minimum of an equality that has no root", () => {
    const problem = new SmoothProblem({
      n: 2,
      objective: ([x, y]) => sum(x!, y!),
      equalities: [([x, y]) => sum(x!.squared, y!.squared.times(2), 1)],
    });
    const { status, x, violation } = solve(problem, [2, -3]);
    expect(status).toBe(SolveStatus.infeasible);
    expect(violation).toBeCloseTo(1, 3);
    expect(Math.hypot(x[0]!, x[1]!)).toBeLessThan(0.05);
  });

  it("sees bounds that exclude each other", () => {
    const problem = new SmoothProblem({ n: 1, objective: ([x]) => x!.squared, lower: [1], upper: [0] });
    expect(solve(problem, [0.5]).status).toBe(SolveStatus.infeasible);
  });

  it("takes redundant and dependent constraints for what they are", () => {
    const problem = new SmoothProblem({
      n: 3,
      objective: ([x, y, z]) => sum(x!.squared, y!.squared, z!.minus(1).squared),
      equalities: [([x, y]) => sum(x!, y!, -1), ([x, y]) => sum(x!.times(2), y!.times(2), -2)],
      inequalities: [([x]) => x!.minus(0.5), ([x]) => x!.times(3).minus(1.5), ([, y]) => y!.times(-1).plus(0.5)],
    });
    const { status, x } = solve(problem, [3, 5, -7]);
    expect(status).toBe(SolveStatus.solved);
    expect([...x]).toEqual([0.5, 0.5, 1].map((value) => expect.closeTo(value, 6)));
  });
});

describe("SqpSolver where the problem is undefined", () => {
  const parts: SmoothProblemParts = {
    n: 2,
    objective: ([x, y]) => sum(x!.minus(1).squared, y!.squared.times(2)),
    inequalities: [([, y]) => y!.plus(10)],
  };

  for (const breaks of ["values", "derivatives"] as const) {
    it(`steps back from NaN ${breaks}`, () => {
      const problem = new Wall(parts, (x) => x[0]! < 1.001, breaks);
      const { status, x } = solve(problem, [-5, 3]);
      expect(status).toBe(SolveStatus.solved);
      expect(x[0]).toBeCloseTo(1, 5);
    });

    it(`ends at the wall of NaN ${breaks} when the optimum is behind it`, () => {
      const problem = new Wall(parts, (x) => x[0]! <= 0.5, breaks);
      const { status, x, objective } = solve(problem, [-5, 3]);
      expect(status).toBe(SolveStatus.feasibleNotOptimal);
      expect(x[0]).toBeLessThanOrEqual(0.5);
      expect(Number.isFinite(objective)).toBe(true);
    });
  }

  it("says so at the start, and works again afterwards", () => {
    const problem = new Wall(parts, (x) => x[0]! > -100, "values");
    const solver = new SqpSolver(problem);
    const result = new SolveResult(2);
    const warmStart = createWarmStart(problem);
    solver.solve(problem, Float64Array.of(0, 0), warmStart, iterationBudget(50), result);
    expect(solver.solve(problem, Float64Array.of(-200, 0), warmStart, iterationBudget(50), result)).toBe(
      SolveStatus.undefinedAtStart,
    );
    expect(result.violation).toBeNaN();
    expect(result.x[0]).toBe(-200);
    expect(solver.solve(problem, Float64Array.of(Number.NaN, 0), warmStart, iterationBudget(50), result)).toBe(
      SolveStatus.undefinedAtStart,
    );
    expect(solver.solve(problem, Float64Array.of(-5, 0), warmStart, iterationBudget(50), result)).toBe(
      SolveStatus.solved,
    );
  });

  it("does not follow an objective to minus infinity for ever", () => {
    const problem = new SmoothProblem({ n: 1, objective: ([x]) => x!.power(3) });
    const { status, iterations } = solve(problem, [-1], iterationBudget(100));
    expect([SolveStatus.budget, SolveStatus.feasibleNotOptimal]).toContain(status);
    expect(iterations).toBeLessThanOrEqual(100);
  });
});

describe("SqpSolver on kinks", () => {
  const atRest: readonly SolveStatus[] = [SolveStatus.solved, SolveStatus.feasibleNotOptimal];

  it("comes to rest in a V", () => {
    const problem = new SmoothProblem({ n: 1, objective: ([x]) => x!.minus(0.3).magnitude });
    const { status, x } = solve(problem, [2.17]);
    expect(atRest).toContain(status);
    expect(x[0]).toBeCloseTo(0.3, 4);
  });

  it("comes to rest on the ridge of a V across an equality", () => {
    // On the circle the objective falls towards the kink x = 0.6 from both sides.
    const problem = new SmoothProblem({
      n: 2,
      objective: ([x, y]) => sum(x!.minus(0.6).magnitude, y!.times(0.1)),
      equalities: [([x, y]) => sum(x!.squared, y!.squared, -1)],
      lower: [-2, 0],
    });
    const { status, x, violation } = solve(problem, [0.1, 0.9]);
    expect(atRest).toContain(status);
    expect(violation).toBeLessThanOrEqual(1e-8);
    expect(x[0]).toBeCloseTo(0.6, 3);
  });
});
