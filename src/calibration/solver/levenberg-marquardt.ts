import { factor, MatrixStatus, solve } from "../../math/cholesky.js";
import type { ParameterSet } from "../parameters/parameter-set.js";
import type { NormalEquations } from "./normal-equations.js";

/** A least-squares problem over parameters that step on their own manifold. Cost is ½·Σ loss(|whitened residual|²). */
export interface LeastSquaresProblem {
  /** At the parameters as they are; Infinity or NaN where the model does not exist. */
  cost(): number;
  /** Fills the normal equations at the parameters as they are; returns the cost. */
  linearize(normal: NormalEquations): number;
  /** The parameters. */
  readonly variables: Pick<ParameterSet, "retract" | "save" | "restore">;
}

export const defaultSolverOptions = {
  /** Linearisations after which to give up. */
  maxSteps: 60,
  /**
   * A step is small if the squares it still promises to gain are below this, in units of variance: 1e-6 is a thousandth of a
   * standard deviation.
   */
  gainTolerance: 1e-6,
  /** Damping to start with, as a part of the diagonal. */
  initialDamping: 1e-4,
};
export type SolverOptions = Readonly<typeof defaultSolverOptions>;

/** Why the solver ended; only `converged` is a success. */
export type StopReason = "converged" | "step-limit" | "no-descent" | "not-finite";

export interface SolverResult {
  readonly reason: StopReason;
  /** Linearisations. */
  readonly steps: number;
  readonly initialCost: number;
  readonly cost: number;
}

const MAX_DAMPING = 1e12;
const MIN_DAMPING = 1e-14;

/**
 * Levenberg's and Marquardt's method with Nielsen's damping by gain ratio (Madsen, Nielsen, Tingleff, "Methods for
 * non-linear least squares problems", 2004, §3.2): (JᵀJ + λ·diag(JᵀJ))·δ = −Jᵀr. The diagonal makes it independent of the
 * parameters' units. All memory is made by the constructor.
 */
export class LevenbergMarquardt {
  readonly #normal: NormalEquations;
  readonly #options: SolverOptions;
  readonly #damped: Float64Array;
  readonly #step: Float64Array;
  #damping = 0;
  #growth = 2;

  constructor(normal: NormalEquations, options: SolverOptions = defaultSolverOptions) {
    this.#normal = normal;
    this.#options = options;
    this.#damped = new Float64Array(normal.matrix.length);
    this.#step = new Float64Array(normal.size);
  }

  /** Leaves the parameters at the best found and the normal equations linearised there. */
  solve(problem: LeastSquaresProblem): SolverResult {
    const { maxSteps, gainTolerance, initialDamping } = this.#options;
    const initialCost = problem.linearize(this.#normal);
    let cost = initialCost;
    this.#damping = initialDamping;
    this.#growth = 2;
    let steps = 1;
    const end = (reason: StopReason): SolverResult => ({ reason, steps, initialCost, cost });
    if (!Number.isFinite(cost)) return end("not-finite");
    while (this.#damping < MAX_DAMPING) {
      if (!this.#solveDamped()) {
        this.#tighten();
        continue;
      }
      const promised = this.#promisedGain();
      if (promised < gainTolerance) return end("converged");
      problem.variables.save();
      problem.variables.retract(this.#step);
      const trial = problem.cost();
      const gain = (cost - trial) / promised;
      if (!(gain > 0)) {
        problem.variables.restore();
        this.#tighten();
        continue;
      }
      this.#loosen(gain);
      cost = problem.linearize(this.#normal);
      if (++steps > maxSteps) return end("step-limit");
    }
    return end("no-descent");
  }

  /** The damped step to #step; false if the matrix is not positive definite. */
  #solveDamped(): boolean {
    const { matrix, gradient, size: n } = this.#normal;
    this.#damped.set(matrix);
    for (let i = 0; i < n; i++) {
      const diagonal = matrix[i * n + i]!;
      // A parameter that nothing sees has an empty row: it stays.
      this.#damped[i * n + i] = diagonal > 0 ? diagonal * (1 + this.#damping) : 1;
      this.#step[i] = -gradient[i]!;
    }
    if (factor(this.#damped, n, this.#damped) !== MatrixStatus.ok) return false;
    solve(this.#damped, this.#step, n, this.#step);
    return true;
  }

  /** What the linear model promises the cost to fall by: −gᵀδ − ½·δᵀ·JᵀJ·δ = ½·δᵀ(λ·D·δ − g). */
  #promisedGain(): number {
    const { matrix, gradient, size: n } = this.#normal;
    let gain = 0;
    for (let i = 0; i < n; i++) {
      const d = this.#step[i]!;
      gain += 0.5 * d * (this.#damping * matrix[i * n + i]! * d - gradient[i]!);
    }
    return gain;
  }

  #loosen(gain: number): void {
    this.#damping = Math.max(MIN_DAMPING, this.#damping * Math.max(1 / 3, 1 - (2 * gain - 1) ** 3));
    this.#growth = 2;
  }

  #tighten(): void {
    this.#damping *= this.#growth;
    this.#growth *= 2;
  }
}
