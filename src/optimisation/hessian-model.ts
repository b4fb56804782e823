import type { Point } from "./evaluator.js";
import { lagrangianGradient } from "./optimality.js";
import type { NonlinearProblem } from "./problem-interface.js";
import type { QuadraticProgram } from "./quadratic-program.js";

/** Curvature along the step that a BFGS update must keep, as a part of what the model had (Powell 1978). */
const leastCurvature = 0.2;
/** Range of the first curvature. */
const smallestCurvature = 1e-4;
const largestCurvature = 1e4;
/** Smallest factor of one self-scaling. */
const greatestShrinking = 0.01;
/** Shortened steps up to this length add damping, meant for steps this many times as long as the one that succeeded. */
const longestShortened = 0.5;
const trustedLengths = 3;
/** What a full step leaves of the damping, and the part of the curvature below which there is none. */
const dampingDecay = 0.1;
const leastDamping = 1e-3;
/** First and last shift of a Hessian that is not positive definite, relative to its largest diagonal element. */
const firstShift = 1e-3;
const lastShift = 1e6;

/** The positive definite model of the Lagrangian's Hessian: built up by damped BFGS updates, or handed in by the problem. */
export class HessianModel {
  readonly n: number;
  /** Row-major, symmetric. */
  readonly matrix: Float64Array;
  /** Multiple of the identity that the program gets on top, to keep steps within reach of the linearisation. */
  damping = 0;
  /** How many updates the matrix has seen since it was last a multiple of the identity. */
  updates = 0;
  readonly #initialCurvature: number;
  readonly #damped: Float64Array;
  readonly #step: Float64Array;
  readonly #change: Float64Array;
  readonly #image: Float64Array;
  /** stepᵀ·change, and stepᵀ·matrix·step. */
  #along = Number.NaN;
  #modelled = Number.NaN;

  /** `initialCurvature` is the diagonal of the first matrix. */
  constructor(n: number, initialCurvature: number) {
    this.n = n;
    this.#initialCurvature = initialCurvature;
    this.matrix = new Float64Array(n * n);
    this.#damped = new Float64Array(n * n);
    this.#step = new Float64Array(n);
    this.#change = new Float64Array(n);
    this.#image = new Float64Array(n);
  }

  /** Forgets all curvature: matrix ← initialCurvature·identity. */
  reset(): void {
    const { matrix, n } = this;
    for (let i = 0; i < matrix.length; i++) matrix[i] = 0;
    for (let i = 0; i < n; i++) matrix[i * (n + 1)] = this.#initialCurvature;
    this.updates = 0;
  }

  /** Whether the matrix holds no curvature of the problem yet. */
  get isFresh(): boolean {
    return this.updates === 0;
  }

  /** Tells that `matrix` has been filled with the result of an earlier solve. */
  markSettled(): void {
    this.updates = this.n;
  }

  /** Gives matrix and damping to the program; a matrix that is not positive definite any more (rounding) is started anew. */
  factorInto(program: QuadraticProgram): void {
    this.#addDamping(this.damping);
    if (program.setHessian(this.#damped)) return;
    this.reset();
    program.setHessian(this.matrix);
  }

  /** Takes the problem's own Hessian, shifted by a multiple of the identity until it is positive definite. */
  takeSupplied(problem: NonlinearProblem, point: Point, multipliers: Float64Array, program: QuadraticProgram): void {
    problem.lagrangianHessian!(point.x, multipliers, this.matrix);
    this.markSettled();
    this.#addDamping(this.damping);
    if (program.setHessian(this.#damped)) return;
    let largest = 1e-8;
    for (let i = 0; i < this.n; i++) largest = Math.max(largest, Math.abs(this.matrix[i * (this.n + 1)]!));
    for (let shift = firstShift * largest; shift < lastShift * largest; shift *= 2) {
      this.#addDamping(this.damping + shift);
      if (program.setHessian(this.#damped)) return;
    }
    this.reset();
    program.setHessian(this.matrix);
  }

  /**
   * After a search along the program's step: a step that had to be shortened was longer than the linearised constraints can
   * be trusted, which no curvature of the Lagrangian says. As much damping as would have made it a few times shorter keeps
   * the next one in reach (Levenberg–Marquardt); full steps take it away again.
   */
  dampAfter(step: Float64Array, length: number): void {
    if (length > longestShortened && length < 1) return;
    const n = this.n;
    const damped = this.#damped;
    let squaredStep = 0;
    let modelled = 0;
    for (let i = 0, at = 0; i < n; i++) {
      let sum = 0;
      for (let j = 0; j < n; j++, at++) sum += damped[at]! * step[j]!;
      modelled += sum * step[i]!;
      squaredStep += step[i]! * step[i]!;
    }
    const curvature = modelled / squaredStep;
    if (length < 1) this.damping += curvature * (1 / Math.min(1, trustedLengths * length) - 1);
    else this.damping *= dampingDecay;
    if (!(this.damping > leastDamping * curvature)) this.damping = 0;
  }

  #addDamping(damping: number): void {
    const { matrix, n } = this;
    const damped = this.#damped;
    for (let i = 0; i < matrix.length; i++) damped[i] = matrix[i]!;
    for (let i = 0; i < n; i++) damped[i * (n + 1)] = damped[i * (n + 1)]! + damping;
  }

  /** The damped BFGS update for the move between two evaluated points, with the multipliers of the newer one. */
  update(from: Point, to: Point, multipliers: Float64Array): void {
    const n = this.n;
    const step = this.#step;
    const change = this.#change;
    const image = this.#image;
    lagrangianGradient(from.evaluation, multipliers, image);
    lagrangianGradient(to.evaluation, multipliers, change);
    let along = 0;
    let squaredStep = 0;
    for (let i = 0; i < n; i++) {
      const moved = to.x[i]! - from.x[i]!;
      change[i] = change[i]! - image[i]!;
      step[i] = moved;
      along += moved * change[i]!;
      squaredStep += moved * moved;
    }
    if (!(squaredStep > 0)) return;
    this.#along = along;
    if (this.isFresh && along > 0) {
      // The first curvature seen sets the size of the whole matrix (Shanno & Phua 1978).
      const curvature = Math.min(Math.max(along / squaredStep, smallestCurvature), largestCurvature);
      for (let i = 0; i < n; i++) this.matrix[i * (n + 1)] = curvature;
    }
    this.#imageOfStep();
    if (!(this.#modelled > 0)) return;
    if (this.updates < n && along > 0 && along < this.#modelled) this.#shrink();
    this.#dampChange();
    this.#addRankTwo();
    this.updates++;
  }

  #imageOfStep(): void {
    const n = this.n;
    const matrix = this.matrix;
    const step = this.#step;
    let modelled = 0;
    for (let i = 0, at = 0; i < n; i++) {
      let sum = 0;
      for (let j = 0; j < n; j++, at++) sum += matrix[at]! * step[j]!;
      this.#image[i] = sum;
      modelled += sum * step[i]!;
    }
    this.#modelled = modelled;
  }

  /**
   * A young matrix that overestimates the curvature along the step is likely to do so elsewhere, and BFGS alone takes long to
   * unlearn it: shrink it as a whole (Al-Baali 1998, the restricted self-scaling).
   */
  #shrink(): void {
    const factor = Math.max(this.#along / this.#modelled, greatestShrinking);
    const matrix = this.matrix;
    for (let i = 0; i < matrix.length; i++) matrix[i] = matrix[i]! * factor;
    for (let i = 0; i < this.n; i++) this.#image[i] = this.#image[i]! * factor;
    this.#modelled *= factor;
  }

  /** Powell's damping: mixes in what the model expected until the curvature along the step is safely positive. */
  #dampChange(): void {
    const modelled = this.#modelled;
    if (this.#along >= leastCurvature * modelled) return;
    const theta = ((1 - leastCurvature) * modelled) / (modelled - this.#along);
    for (let i = 0; i < this.n; i++) this.#change[i] = theta * this.#change[i]! + (1 - theta) * this.#image[i]!;
    this.#along = theta * this.#along + (1 - theta) * modelled;
  }

  #addRankTwo(): void {
    const n = this.n;
    const matrix = this.matrix;
    const change = this.#change;
    const image = this.#image;
    const gain = 1 / this.#along;
    const loss = 1 / this.#modelled;
    for (let i = 0; i < n; i++) {
      const gained = gain * change[i]!;
      const lost = loss * image[i]!;
      for (let j = 0; j <= i; j++) {
        const value = matrix[i * n + j]! + gained * change[j]! - lost * image[j]!;
        matrix[i * n + j] = value;
        matrix[j * n + i] = value;
      }
    }
  }
}
