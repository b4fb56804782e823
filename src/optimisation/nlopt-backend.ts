import { FlycatcherError } from "../runtime/errors.js";
import { BestPoint } from "./best-point.js";
import { Evaluator, Point } from "./evaluator.js";
import { HessianModel } from "./hessian-model.js";
import { loadNlopt, type NloptLibrary, type Optimize } from "./nlopt-library.js";
import { Optimality } from "./optimality.js";
import type { NonlinearProblem, ProblemShape } from "./problem-interface.js";
import { QuadraticStatus } from "./quadratic-program.js";
import { type NonlinearSolver, type SolveBudget, type SolveResult, SolveStatus } from "./solver-interface.js";
import { Subproblem } from "./subproblem.js";
import { hasRoom, requireShape } from "./warm-start.js";

interface NloptOptions {
  /** Relative change of x that ends the search. Default 1e-8. */
  readonly stepTolerance: number;
  /** Largest violation of a constraint in a feasible answer. Default 1e-8. */
  readonly feasibilityTolerance: number;
  /**
   * Largest Karush–Kuhn–Tucker residual of a solution. The library gives no multipliers and ends on small steps, so this
   * is looser than for the SQP solver: it tells a solution from a place where the search just stopped. Default 1e-4.
   */
  readonly optimalityTolerance: number;
}

const defaults: NloptOptions = { stepTolerance: 1e-8, feasibilityTolerance: 1e-8, optimalityTolerance: 1e-4 };

/** Evaluations allowed to a solve whose budget names no sensible number. */
const mostEvaluations = 100_000;
/** Weight of the constraints when multipliers are sought at the answer: large enough never to be reached by a solution's. */
const verificationWeight = 1e8;

/**
 * NLopt's SLSQP (Kraft 1988) through nlopt-js, as a cross-check of the SQP solver and for those who prefer it. It reports
 * neither what it ended on nor whether its answer is any good, so the answer is the best point that *we* evaluated, and its
 * violation and residual are computed here. It allocates, leaks (see `isExhausted`), and knows no warm start.
 */
export class NloptSolver implements NonlinearSolver {
  readonly shape: ProblemShape;
  readonly options: NloptOptions;
  readonly #library: NloptLibrary;
  readonly #optimize: Optimize;
  readonly #evaluator = new Evaluator();
  readonly #point: Point;
  readonly #best: BestPoint;
  readonly #subproblem: Subproblem;
  readonly #hessian: HessianModel;
  readonly #optimality: Optimality;
  #isPointFinite = false;
  #lower: number[] = [];
  #upper: number[] = [];

  /** Loads the library if need be. */
  static async create(shape: ProblemShape, options: Partial<NloptOptions> = {}): Promise<NloptSolver> {
    return new NloptSolver(await loadNlopt(), shape, options);
  }

  private constructor(library: NloptLibrary, shape: ProblemShape, options: Partial<NloptOptions>) {
    const { n, equalityCount, inequalityCount } = shape;
    this.shape = { n, equalityCount, inequalityCount };
    this.options = { ...defaults, ...options };
    this.#library = library;
    this.#point = new Point(shape);
    this.#best = new BestPoint(n, this.options.feasibilityTolerance);
    this.#subproblem = new Subproblem(shape);
    this.#hessian = new HessianModel(n, 1);
    this.#hessian.reset();
    this.#optimality = new Optimality(n);
    this.#optimize = new library.nlopt.Optimize(library.nlopt.Algorithm.LD_SLSQP, n);
    this.#connect();
  }

  /** Whether the library is about to die of its leak: recycle the worker that holds it. */
  get isExhausted(): boolean {
    return this.#library.isExhausted;
  }

  solve(
    problem: NonlinearProblem,
    start: Float64Array,
    _warmStart: Float64Array | null,
    budget: SolveBudget,
    result: SolveResult,
  ): SolveStatus {
    requireShape(this.shape, problem, null);
    if (this.isExhausted) throw new FlycatcherError("FLY_SOLVER_EXHAUSTED", "The NLopt back end has no memory left");
    this.#evaluator.begin(problem, budget);
    this.#best.reset();
    this.#optimality.kktResidual = Number.NaN;
    this.#point.x.fill(Number.NaN);
    const inside = Array.from(start, (value, i) => Math.min(Math.max(value, problem.lower[i]!), problem.upper[i]!));
    this.#evaluateAt(Float64Array.from(inside));
    if (!this.#isPointFinite) return this.#report(SolveStatus.undefinedAtStart, result);
    if (!hasRoom(problem)) return this.#report(SolveStatus.infeasible, result);
    if (this.#evaluator.isOutOfTime()) return this.#report(SolveStatus.deadline, result);
    this.#setBounds(problem);
    this.#optimize.setMaxeval(boundedEvaluations(budget.iterations));
    this.#optimize.setMaxtime(budget.clock === null ? 0 : Math.max(1e-6, budget.deadline - budget.clock()));
    this.#search(inside);
    return this.#report(this.#judge(budget), result);
  }

  #connect(): void {
    const { equalityCount, inequalityCount } = this.shape;
    const tolerance = this.options.feasibilityTolerance;
    this.#optimize.setMinObjective((x, gradient) => {
      this.#evaluateAt(x);
      if (gradient !== null) gradient.set(this.#point.evaluation.gradient);
      return this.#point.evaluation.objective;
    }, this.options.stepTolerance);
    this.#library.countVectors(1, equalityCount);
    this.#library.countVectors(1, inequalityCount);
    if (equalityCount > 0)
      this.#optimize.addEqualityMConstraint((x, jacobian, values) => {
        this.#evaluateAt(x);
        values.set(this.#point.evaluation.equality);
        if (jacobian !== null) jacobian.set(this.#point.evaluation.equalityJacobian);
      }, new Array<number>(equalityCount).fill(tolerance));
    if (inequalityCount > 0)
      this.#optimize.addInequalityMConstraint((x, jacobian, values) => {
        this.#evaluateAt(x);
        negate(this.#point.evaluation.inequality, values);
        if (jacobian !== null) negate(this.#point.evaluation.inequalityJacobian, jacobian);
      }, new Array<number>(inequalityCount).fill(tolerance));
  }

  /** The library asks for objective and constraints one after the other at the same place: evaluate it once. */
  #evaluateAt(x: Float64Array): void {
    const point = this.#point;
    if (isSame(x, point.x)) return;
    point.x.set(x);
    this.#isPointFinite = this.#evaluator.evaluate(point);
    if (!this.#isPointFinite || !this.#isInside(x)) return;
    this.#optimality.measureViolation(point.evaluation);
    this.#best.offer(point, this.#optimality);
  }

  #isInside(x: Float64Array): boolean {
    const { lower, upper } = this.#evaluator.problem;
    for (let i = 0; i < x.length; i++) if (!(x[i]! >= lower[i]! && x[i]! <= upper[i]!)) return false;
    return true;
  }

  #setBounds({ lower, upper, n }: NonlinearProblem): void {
    if (!isSame(lower, this.#lower)) {
      this.#lower = Array.from(lower);
      this.#optimize.setLowerBounds(this.#lower);
      this.#library.countVectors(1, n);
    }
    if (!isSame(upper, this.#upper)) {
      this.#upper = Array.from(upper);
      this.#optimize.setUpperBounds(this.#upper);
      this.#library.countVectors(1, n);
    }
  }

  /** The library throws strings, for roundoff too: whatever it ends on, the best point evaluated is kept. */
  #search(start: number[]): void {
    this.#library.countVectors(2, this.shape.n);
    try {
      this.#optimize.optimize(start);
    } catch (error) {
      if (typeof error !== "string") throw error;
    }
  }

  #judge(budget: SolveBudget): SolveStatus {
    const best = this.#best;
    this.#evaluateAt(best.x);
    this.#measureResidual();
    best.kktResidual = this.#optimality.kktResidual;
    if (best.isFeasible && best.kktResidual <= this.options.optimalityTolerance) return SolveStatus.solved;
    if (this.#evaluator.isOutOfTime()) return SolveStatus.deadline;
    if (this.#evaluator.evaluations > budget.iterations) return SolveStatus.budget;
    return best.isFeasible ? SolveStatus.feasibleNotOptimal : SolveStatus.infeasible;
  }

  /** Multipliers at the answer from a quadratic program with a unit Hessian, and the residual they leave. */
  #measureResidual(): void {
    const { problem } = this.#evaluator;
    const { program } = this.#subproblem;
    this.#hessian.factorInto(program);
    program.forgetActivity();
    this.#subproblem.setWeights(verificationWeight, verificationWeight);
    this.#subproblem.linearise(this.#point, problem);
    if (this.#subproblem.solve() === QuadraticStatus.solved)
      this.#optimality.measureResidual(this.#point, this.#subproblem.multipliers, problem);
  }

  #report(status: SolveStatus, result: SolveResult): SolveStatus {
    const best = this.#best;
    result.status = status;
    result.x.set(best.isEmpty ? this.#point.x : best.x);
    result.objective = best.objective;
    result.violation = best.violation;
    result.kktResidual = best.kktResidual;
    result.iterations = this.#evaluator.evaluations;
    result.evaluations = this.#evaluator.evaluations;
    result.valueEvaluations = 0;
    return status;
  }
}

/** The library takes 0 and anything that is no 32-bit integer for "no limit", and without one hangs on a NaN. */
function boundedEvaluations(iterations: number): number {
  return Math.max(1, Math.min(Math.floor(iterations) || 1, mostEvaluations));
}

function isSame(a: ArrayLike<number>, b: ArrayLike<number>): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

function negate(from: Float64Array, to: Float64Array): void {
  for (let i = 0; i < from.length; i++) to[i] = -from[i]!;
}
