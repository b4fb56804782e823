import type { Point } from "./evaluator.js";
import { lagrangianGradient } from "./optimality.js";
import type { NonlinearProblem } from "./problem-interface.js";
import type { QuadraticProgram } from "./quadratic-program.js";

/** Curvature along the step that a BFGS update must keep, as a part of what the model had (Powell 1978). */
const leastCurvature = 0.2;
/** First shift of a Hessian that is not positive definite, relative to its largest diagonal element. */
const firstShift = 1e-3;

/** The positive definite model of the Lagrangian's Hessian: built up by damped BFGS updates, or handed in by the problem. */
export class HessianModel {
  readonly n: number;
  /** Row-major, symmetric. */
  readonly matrix: Float64Array;
  /** Whether the matrix holds no curvature of the problem yet. */
  isFresh = true;
  readonly #step: Float64Array;
  readonly #change: Float64Array;
  readonly #image: Float64Array;

  constructor(n: number) {
    this.n = n;
    this.matrix = new Float64Array(n * n);
    this.#step = new Float64Array(n);
    this.#change = new Float64Array(n);
    this.#image = new Float64Array(n);
  }

  /** matrix ← scale·identity. */
  reset(scale: number): void {
    this.matrix.fill(0);
    for (let i = 0; i < this.n; i++) this.matrix[i * (this.n + 1)] = scale;
    this.isFresh = true;
  }

  /** Takes a matrix from an earlier solve. */
  load(matrix: Float64Array): void {
    this.matrix.set(matrix);
    this.isFresh = false;
  }

  /** Gives the matrix to the program; one that is not positive definite any more (rounding) is started anew. */
  factorInto(program: QuadraticProgram): void {
    if (program.setHessian(this.matrix)) return;
    this.reset(1);
    program.setHessian(this.matrix);
  }

  /** Takes the problem's own Hessian, shifted by a multiple of the identity until it is positive definite. */
  takeSupplied(problem: NonlinearProblem, point: Point, multipliers: Float64Array, program: QuadraticProgram): void {
    problem.lagrangianHessian!(point.x, multipliers, this.matrix);
    this.isFresh = false;
    if (program.setHessian(this.matrix)) return;
    let largest = 1e-8;
    for (let i = 0; i < this.n; i++) largest = Math.max(largest, Math.abs(this.matrix[i * (this.n + 1)]!));
    for (let shift = firstShift * largest; shift < 1e6 * largest; shift *= 10) {
      for (let i = 0; i < this.n; i++) this.matrix[i * (this.n + 1)] = this.matrix[i * (this.n + 1)]! + shift;
      if (program.setHessian(this.matrix)) return;
    }
    this.reset(1);
    program.setHessian(this.matrix);
  }

  /** The damped BFGS update for the move between two evaluated points, with the multipliers of the newer one. */
  update(from: Point, to: Point, multipliers: Float64Array): void {
    const n = this.n;
    const step = this.#step;
    const change = this.#change;
    lagrangianGradient(from.evaluation, multipliers, this.#image);
    lagrangianGradient(to.evaluation, multipliers, change);
    let along = 0;
    let squaredStep = 0;
    for (let i = 0; i < n; i++) {
      step[i] = to.x[i]! - from.x[i]!;
      change[i] = change[i]! - this.#image[i]!;
      along += step[i]! * change[i]!;
      squaredStep += step[i]! * step[i]!;
    }
    if (!(squaredStep > 0)) return;
    if (this.isFresh && along > 0) this.#rescale(along / squaredStep);
    this.#applyDamped(along);
  }

  /** The first curvature seen sets the size of the whole matrix (Shanno & Phua 1978). */
  #rescale(curvature: number): void {
    this.reset(Math.min(Math.max(curvature, 1e-4), 1e4));
  }

  #applyDamped(along: number): void {
    const n = this.n;
    const { matrix } = this;
    const step = this.#step;
    const change = this.#change;
    const image = this.#image;
    let modelled = 0;
    for (let i = 0; i < n; i++) {
      let sum = 0;
      for (let j = 0; j < n; j++) sum += matrix[i * n + j]! * step[j]!;
      image[i] = sum;
      modelled += sum * step[i]!;
    }
    if (!(modelled > 0)) return;
    if ((process.env.MODE ?? "").includes("c") && along > 0 && along < modelled) {
      const tau = Math.max(along / modelled, 0.01);
      for (let i = 0; i < n * n; i++) matrix[i] = matrix[i]! * tau;
      for (let i = 0; i < n; i++) image[i] = image[i]! * tau;
      modelled *= tau;
    }
    let theta = 1;
    if (along < leastCurvature * modelled) theta = ((1 - leastCurvature) * modelled) / (modelled - along);
    const damped = theta * along + (1 - theta) * modelled;
    for (let i = 0; i < n; i++) change[i] = theta * change[i]! + (1 - theta) * image[i]!;
    for (let i = 0; i < n; i++) {
      for (let j = 0; j <= i; j++) {
        const value = matrix[i * n + j]! + (change[i]! * change[j]!) / damped - (image[i]! * image[j]!) / modelled;
        matrix[i * n + j] = value;
        matrix[j * n + i] = value;
      }
    }
    this.isFresh = false;
  }
}
