import { describe, expect, it } from "vitest";
import { Random } from "../../src/math/random.js";
import { QuadraticProgram, QuadraticStatus } from "../../src/optimisation/quadratic-program.js";
import { deep } from "../support/deep.js";
import {
  enumerateActiveSets,
  makeFeasible,
  optimalityError,
  type QuadraticCase,
  randomQuadratic,
} from "./quadratic-reference.js";

/** Loads a case and solves it from the activity the program holds. */
function solve(program: QuadraticProgram, quadratic: QuadraticCase): QuadraticStatus {
  const { constraints } = program;
  constraints.lower.set(quadratic.rowLower);
  constraints.upper.set(quadratic.rowUpper);
  constraints.cap.set(quadratic.cap);
  constraints.lower.set(quadratic.lower, quadratic.rowCount);
  constraints.upper.set(quadratic.upper, quadratic.rowCount);
  if (!program.setHessian(quadratic.hessian)) return QuadraticStatus.notConvex;
  return program.solve(quadratic.gradient, quadratic.rows);
}

function programFor(quadratic: QuadraticCase): QuadraticProgram {
  return new QuadraticProgram(quadratic.n, quadratic.rowCount);
}

/** Two unknowns, H = identity, no bounds: a case to fill by hand. */
function plane(gradient: number[], rows: number[][], rowLower: number[], rowUpper: number[], cap = Infinity) {
  const rowCount = rows.length;
  return {
    n: 2,
    rowCount,
    hessian: Float64Array.of(1, 0, 0, 1),
    gradient: Float64Array.from(gradient),
    rows: Float64Array.from(rows.flat()),
    rowLower: Float64Array.from(rowLower),
    rowUpper: Float64Array.from(rowUpper),
    cap: new Float64Array(rowCount).fill(cap),
    lower: new Float64Array(2).fill(-Infinity),
    upper: new Float64Array(2).fill(Infinity),
  } satisfies QuadraticCase;
}

describe("QuadraticProgram against enumeration of all active sets", () => {
  it("finds the same minimiser, or the same infeasibility", () => {
    const random = new Random("enumeration");
    let infeasible = 0;
    for (let trial = 0; trial < deep(400, 20_000); trial++) {
      const quadratic = randomQuadratic(random, 1 + random.integer(3), random.integer(2), random.integer(5));
      const program = programFor(quadratic);
      const status = solve(program, quadratic);
      const expected = enumerateActiveSets(quadratic);
      if (expected === null) {
        infeasible++;
        expect(status).toBe(QuadraticStatus.infeasible);
        continue;
      }
      expect(status).toBe(QuadraticStatus.solved);
      for (let i = 0; i < quadratic.n; i++) expect(program.step[i]).toBeCloseTo(expected[i]!, 7);
    }
    expect(infeasible).toBeGreaterThan(10);
  });
});

describe("QuadraticProgram at the size of the catch problem", () => {
  it("meets the optimality conditions, bounds to the last bit", () => {
    const random = new Random("catch-size");
    let worst = 0;
    let isOutside = false;
    for (let trial = 0; trial < deep(1_000, 20_000); trial++) {
      const quadratic = makeFeasible(randomQuadratic(random, 8, 5, 31), random);
      const program = programFor(quadratic);
      expect(solve(program, quadratic)).toBe(QuadraticStatus.solved);
      worst = Math.max(worst, optimalityError(quadratic, program));
      isOutside ||= program.step.some((value, i) => value < quadratic.lower[i]! || value > quadratic.upper[i]!);
    }
    expect(worst).toBeLessThan(1e-7);
    expect(isOutside).toBe(false);
  });

  it("always has an elastic answer, and it is optimal for the penalised problem", () => {
    const random = new Random("elastic");
    const count = deep(1_000, 20_000);
    let saturated = 0;
    let worst = 0;
    for (let trial = 0; trial < count; trial++) {
      const quadratic = randomQuadratic(random, 8, 5, 31);
      quadratic.cap.fill(10 ** random.uniformIn(-1, 3));
      const program = programFor(quadratic);
      expect(solve(program, quadratic)).toBe(QuadraticStatus.solved);
      worst = Math.max(worst, optimalityError(quadratic, program));
      if (program.constraints.saturatedCount > 0) saturated++;
    }
    expect(worst).toBeLessThan(1e-7);
    expect(saturated).toBeGreaterThan(count / 2);
  });

  it("gives the same answer from any active set, and takes no step when started at its own", () => {
    const random = new Random("warm");
    let worst = 0;
    for (let trial = 0; trial < deep(500, 10_000); trial++) {
      const quadratic = randomQuadratic(random, 8, 5, 31);
      quadratic.cap.fill(100);
      const program = programFor(quadratic);
      solve(program, quadratic);
      const answer = program.step.slice();
      solve(program, quadratic);
      expect(program.iterations).toBe(0);
      for (let k = 0; k < 44; k++) program.constraints.activity[k] = random.integer(5) - 2;
      expect(solve(program, quadratic)).toBe(QuadraticStatus.solved);
      answer.forEach((value, i) => {
        worst = Math.max(worst, Math.abs(value - program.step[i]!));
      });
    }
    expect(worst).toBeLessThan(1e-7);
  });
});

describe("QuadraticProgram on degenerate cases", () => {
  it("takes an equality twice, and refuses it with two different right sides", () => {
    const twice = plane(
      [1, 1],
      [
        [1, 1],
        [2, 2],
      ],
      [1, 2],
      [1, 2],
    );
    const program = programFor(twice);
    expect(solve(program, twice)).toBe(QuadraticStatus.solved);
    expect([...program.step]).toEqual([expect.closeTo(0.5, 12), expect.closeTo(0.5, 12)]);
    const contradictory = plane(
      [1, 1],
      [
        [1, 1],
        [2, 2],
      ],
      [1, 3],
      [1, 3],
    );
    expect(solve(programFor(contradictory), contradictory)).toBe(QuadraticStatus.infeasible);
  });

  it("meets many constraints through one vertex", () => {
    const normals = Array.from({ length: 12 }, (_, k) => [Math.cos(0.1 * k), Math.sin(0.1 * k)]);
    const fan = plane([5, 3], normals, new Array(12).fill(0), new Array(12).fill(Infinity));
    const program = programFor(fan);
    expect(solve(program, fan)).toBe(QuadraticStatus.solved);
    expect(optimalityError(fan, program)).toBeLessThan(1e-9);
    expect(Math.hypot(program.step[0]!, program.step[1]!)).toBeLessThan(1e-9);
  });

  it("sees that nothing satisfies a row of zeros with a positive limit", () => {
    const empty = plane([0, 0], [[0, 0]], [1], [Infinity]);
    expect(solve(programFor(empty), empty)).toBe(QuadraticStatus.infeasible);
    const elastic = plane([1, 0], [[0, 0]], [1], [Infinity], 10);
    const program = programFor(elastic);
    expect(solve(program, elastic)).toBe(QuadraticStatus.solved);
    expect(program.step[0]).toBeCloseTo(-1, 12);
  });

  it("keeps a fixed unknown fixed, to the last bit", () => {
    const fixed = plane([-3, 1], [[1, 1]], [0.1], [0.1]);
    fixed.lower[0] = 0.3;
    fixed.upper[0] = 0.3;
    const program = programFor(fixed);
    expect(solve(program, fixed)).toBe(QuadraticStatus.solved);
    expect(program.step[0]).toBe(0.3);
    expect(program.step[1]).toBeCloseTo(-0.2, 12);
  });

  it("splits contradictory elastic rows at the least violation", () => {
    // x ≥ 1 and x ≤ −1 with the same weight: any x between violates by 2; the objective then decides.
    const contradictory = plane(
      [0.5, 0],
      [
        [1, 0],
        [1, 0],
      ],
      [1, -Infinity],
      [Infinity, -1],
      10,
    );
    const program = programFor(contradictory);
    expect(solve(program, contradictory)).toBe(QuadraticStatus.solved);
    expect(program.step[0]).toBeCloseTo(-0.5, 12);
  });

  it("says so when the Hessian is not positive definite, or not a number", () => {
    const saddle = plane([0, 0], [], [], []);
    saddle.hessian.set([1, 2, 2, 1]);
    expect(solve(programFor(saddle), saddle)).toBe(QuadraticStatus.notConvex);
    saddle.hessian.set([1, Number.NaN, Number.NaN, 1]);
    expect(solve(programFor(saddle), saddle)).toBe(QuadraticStatus.notConvex);
  });

  it("ends on NaN in gradient or rows", () => {
    const broken = plane([Number.NaN, 0], [[1, Number.NaN]], [1], [1]);
    expect(() => solve(programFor(broken), broken)).not.toThrow();
  });
});

it("survives nearly dependent constraints and badly scaled Hessians", () => {
  const random = new Random("ill-conditioned");
  let worst = 0;
  for (let trial = 0; trial < deep(500, 20_000); trial++) {
    const quadratic = randomQuadratic(random, 6, 2, 12);
    quadratic.cap.fill(1e4);
    for (let i = 0; i < 6; i++) quadratic.rows[6 * 3 + i] = quadratic.rows[6 * 2 + i]! * (1 + 1e-9 * random.normal());
    for (let i = 0; i < 6; i++) {
      const scale = 10 ** random.uniformIn(-3, 3);
      for (let j = 0; j < 6; j++) {
        quadratic.hessian[i * 6 + j] = quadratic.hessian[i * 6 + j]! * scale;
        quadratic.hessian[j * 6 + i] = quadratic.hessian[j * 6 + i]! * scale;
      }
    }
    const program = programFor(quadratic);
    expect(solve(program, quadratic)).toBe(QuadraticStatus.solved);
    worst = Math.max(worst, optimalityError(quadratic, program));
  }
  // Elements up to 1e6: the error is that of the arithmetic.
  expect(worst).toBeLessThan(1e-4);
});
