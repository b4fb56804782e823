import { Matrix, solve } from "ml-matrix";
import { describe, expect, it } from "vitest";
import { JacobianColumns } from "../../../src/calibration/measurements/jacobian-columns.js";
import { ParameterBlock } from "../../../src/calibration/parameters/parameter-block.js";
import { ParameterSet } from "../../../src/calibration/parameters/parameter-set.js";
import { lossOf, weightOf } from "../../../src/calibration/solver/calibration-problem.js";
import {
  defaultSolverOptions,
  type LeastSquaresProblem,
  LevenbergMarquardt,
} from "../../../src/calibration/solver/levenberg-marquardt.js";
import { NormalBlock, NormalEquations } from "../../../src/calibration/solver/normal-equations.js";
import { Random } from "../../../src/math/random.js";
import { deep } from "../../support/deep.js";

/** Residuals and derivatives of plain parameters. */
interface PlainProblem {
  readonly start: readonly number[];
  residuals(x: Float64Array): number[];
  jacobian(x: Float64Array): number[][];
}

function wrap({ start, residuals, jacobian }: PlainProblem): LeastSquaresProblem & { readonly x: Float64Array } {
  const x = Float64Array.from(start);
  const kept = x.slice();
  const cost = () => 0.5 * residuals(x).reduce((sum, r) => sum + r * r, 0);
  return {
    x,
    cost,
    linearize(normal) {
      const [r, j] = [residuals(x), new Matrix(jacobian(x))];
      normal.matrix.set(j.transpose().mmul(j).to1DArray());
      normal.gradient.set(j.transpose().mmul(Matrix.columnVector(r)).to1DArray());
      return cost();
    },
    variables: {
      retract(step) {
        for (const [i, d] of step.entries()) x[i] = x[i]! + d;
      },
      save: () => void kept.set(x),
      restore: () => void x.set(kept),
    },
  };
}

const tight = { ...defaultSolverOptions, gainTolerance: 1e-20, maxSteps: 500 };

describe("Levenberg and Marquardt", () => {
  it("finds Rosenbrock's minimum along the curved valley", () => {
    const problem = wrap({
      start: [-1.2, 1],
      residuals: (x) => [10 * (x[1]! - x[0]! ** 2), 1 - x[0]!],
      jacobian: (x) => [
        [-20 * x[0]!, 10],
        [-1, 0],
      ],
    });
    expect(new LevenbergMarquardt(new NormalEquations(2), tight).solve(problem).reason).toBe("converged");
    expect(problem.x[0]).toBeCloseTo(1, 8);
    expect(problem.x[1]).toBeCloseTo(1, 8);
  });

  it("solves linear problems as ml-matrix does", () => {
    const random = new Random("linear");
    for (let run = 0; run < deep(50, 2000); run++) {
      const n = 1 + random.integer(8);
      const a = Array.from({ length: n + 5 }, () => Array.from({ length: n }, () => random.normal()));
      const b = a.map(() => random.normal());
      const problem = wrap({
        start: new Array<number>(n).fill(0),
        residuals: (x) => a.map((row, i) => row.reduce((sum, value, k) => sum + value * x[k]!, 0) - b[i]!),
        jacobian: () => a,
      });
      new LevenbergMarquardt(new NormalEquations(n), tight).solve(problem);
      const reference = solve(new Matrix(a), Matrix.columnVector(b)).to1DArray();
      for (let i = 0; i < n; i++) expect(problem.x[i]).toBeCloseTo(reference[i]!, 6);
    }
  });

  it("says so where there is no number, and where steps run out", () => {
    const nowhere = wrap({ start: [1], residuals: () => [Number.NaN], jacobian: () => [[1]] });
    expect(new LevenbergMarquardt(new NormalEquations(1)).solve(nowhere).reason).toBe("not-finite");
    const long = wrap({
      start: [-1.2, 1],
      residuals: (x) => [10 * (x[1]! - x[0]! ** 2), 1 - x[0]!],
      jacobian: (x) => [
        [-20 * x[0]!, 10],
        [-1, 0],
      ],
    });
    const options = { ...tight, maxSteps: 3 };
    expect(new LevenbergMarquardt(new NormalEquations(2), options).solve(long).reason).toBe("step-limit");
  });

  it("never leaves a point for a worse one, whatever the slope claims", () => {
    const lying = wrap({ start: [3], residuals: (x) => [x[0]!], jacobian: () => [[-1]] });
    const result = new LevenbergMarquardt(new NormalEquations(1)).solve(lying);
    expect(result.reason).not.toBe("step-limit");
    expect(lying.x[0]).toBe(3);
  });
});

describe("blocks of normal equations", () => {
  const component = (name: string, free: boolean) => ({
    name,
    words: name,
    unit: "",
    family: "all",
    spread: 1,
    free,
    priorSigma: Number.POSITIVE_INFINITY,
  });

  it("add up to JᵀJ and Jᵀr of the whole", () => {
    const random = new Random("blocks");
    const blocks = ["a", "b", "c"].map((name, k) => {
      const components = [0, 1, 2].map((i) => component(`${name}${i}`, !(k === 1 && i === 1)));
      return new ParameterBlock(name, "vector", new Float64Array(3), components);
    });
    const set = new ParameterSet(blocks);
    const kinds = [
      [blocks[2]!, blocks[0]!],
      [blocks[1]!, blocks[2]!],
    ];
    const normal = new NormalEquations(set.columnCount);
    const whole = new Matrix(set.columnCount, set.columnCount);
    const slope = new Float64Array(set.columnCount);
    for (const kind of kinds) {
      const columns = new JacobianColumns(kind);
      const part = new NormalBlock(columns);
      for (let m = 0; m < 10; m++) {
        const jacobian = Float64Array.from({ length: 2 * columns.width }, () => random.normal());
        const [first, second, weight] = [random.normal(), random.normal(), random.uniform()];
        part.add(jacobian, 0, columns.width, first, second, weight);
        for (const [row, residual] of [first, second].entries()) {
          const full = new Float64Array(set.columnCount);
          for (const [k, i] of columns.active.entries()) full[columns.columns[k]!] = jacobian[row * columns.width + i]!;
          const line = Matrix.columnVector(full);
          whole.add(line.mmul(line.transpose()).mul(weight));
          for (const [k, value] of full.entries()) slope[k] = slope[k]! + weight * residual * value;
        }
      }
      part.scatterInto(normal);
    }
    normal.finish();
    expect(set.columnCount).toBe(8);
    for (const [k, value] of whole.to1DArray().entries()) expect(normal.matrix[k]).toBeCloseTo(value, 12);
    for (const [k, value] of slope.entries()) expect(normal.gradient[k]).toBeCloseTo(value, 12);
  });
});

describe("robust losses", () => {
  it.each([Number.POSITIVE_INFINITY, 1.7])("have their weight as derivative: scale %s", (scale) => {
    for (const s of [0.01, 1, 2.8, 3, 50, 4000]) {
      const h = 1e-6 * s;
      expect((lossOf(scale, s + h) - lossOf(scale, s - h)) / (2 * h)).toBeCloseTo(weightOf(scale, s), 5);
    }
  });
});
