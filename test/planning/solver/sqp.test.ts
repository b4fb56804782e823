import { describe, expect, it } from "vitest";
import { Evaluation, type NonlinearProblem } from "../../../src/planning/solver/problem-interface.js";
import {
  iterationBudget,
  type SolveBudget,
  SolveResult,
  SolveStatus,
} from "../../../src/planning/solver/solver-interface.js";
import { SqpSolver } from "../../../src/planning/solver/sqp.js";
import type { SqpOptions } from "../../../src/planning/solver/sqp-options.js";
import { createWarmStart } from "../../../src/planning/solver/warm-start.js";
import { FlycatcherError } from "../../../src/runtime/errors.js";
import { hockSchittkowski } from "./hock-schittkowski.js";
import { product, SmoothProblem, type SmoothProblemParts, sum } from "./smooth-problem.js";

function solve(
  problem: NonlinearProblem,
  start: readonly number[],
  budget: SolveBudget = iterationBudget(200),
  options: Partial<SqpOptions> = {},
): SolveResult {
  const result = new SolveResult(problem.n);
  new SqpSolver(problem, options).solve(problem, Float64Array.from(start), null, budget, result);
  return result;
}

function totalViolation(problem: NonlinearProblem, x: Float64Array): number {
  const evaluation = new Evaluation(problem);
  problem.evaluateValues(x, evaluation);
  const equalities = evaluation.equality.reduce((total, value) => total + Math.abs(value), 0);
  return evaluation.inequality.reduce((total, value) => total + Math.max(0, -value), equalities);
}

const hs = (wanted: number) => hockSchittkowski.find(({ number }) => number === wanted)!;

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
