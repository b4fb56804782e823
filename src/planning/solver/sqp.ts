import { FlycatcherError } from "../../runtime/errors.js";
import { BestPoint } from "./best-point.js";
import { Evaluator, Point } from "./evaluator.js";
import { HessianModel } from "./hessian-model.js";
import { LineSearch, SearchOutcome } from "./line-search.js";
import { MeritFunction } from "./merit-function.js";
import { kktResidual, largestViolation } from "./optimality.js";
import type { NonlinearProblem, ProblemShape } from "./problem-interface.js";
import { QuadraticStatus } from "./quadratic-program.js";
import { type NonlinearSolver, type SolveBudget, type SolveResult, SolveStatus } from "./solver-interface.js";
import { resolveSqpOptions, type SqpOptions } from "./sqp-options.js";
import { Subproblem } from "./subproblem.js";
import { loadWarmStart, saveWarmStart, warmStartLength } from "./warm-start.js";

/** The solve goes on, with the next step of this iteration or with a new iteration. Never a result. */
const running = -1;
const startOver = -2;
type Verdict = SolveStatus | typeof running | typeof startOver;

/** Relative length of a step below which the iterate no longer moves. */
const negligibleStep = 1e-13;
/** How much less violated a point must become after its constraints' weight is raised for the search to go on. */
const worthwhileProgress = 1e-3;

/**
 * Sequential quadratic programming for small dense problems: damped BFGS (or a supplied Hessian), an elastic active-set
 * quadratic program warm-started from the last, and a line search on an ℓ1 merit function with second-order correction
 * (Powell 1978; Nocedal & Wright 2006, chapter 18).
 *
 * One instance serves problems of one shape. It allocates nothing while it solves, keeps nothing between two solves, and
 * gives the same bits for the same input, as long as no deadline cuts it short.
 *
 * @example
 * const solver = new SqpSolver(problem);
 * const result = new SolveResult(problem.n);
 * const status = solver.solve(problem, start, null, iterationBudget(100), result);
 */
export class SqpSolver implements NonlinearSolver {
  readonly shape: ProblemShape;
  readonly options: SqpOptions;
  readonly #subproblem: Subproblem;
  readonly #hessian: HessianModel;
  readonly #merit: MeritFunction;
  readonly #lineSearch: LineSearch;
  readonly #best: BestPoint;
  readonly #evaluator: Evaluator;
  /** Multipliers the convergence of the current point is judged by. */
  readonly #multipliers: Float64Array;
  readonly #scratch: Float64Array;
  #current: Point;
  #trial: Point;
  #violation = Number.NaN;
  #residual = Number.NaN;
  #iterations = 0;
  /** Violation when the elastic weight was last raised at a stationary point. */
  #stuckViolation = Number.POSITIVE_INFINITY;

  constructor(shape: ProblemShape, options: Partial<SqpOptions> = {}) {
    const { n, equalityCount, inequalityCount } = shape;
    this.shape = { n, equalityCount, inequalityCount };
    this.options = resolveSqpOptions(options);
    this.#subproblem = new Subproblem(shape);
    this.#hessian = new HessianModel(n);
    this.#merit = new MeritFunction(shape);
    this.#lineSearch = new LineSearch(shape);
    this.#best = new BestPoint(n, this.options.feasibilityTolerance);
    this.#evaluator = new Evaluator();
    this.#multipliers = new Float64Array(equalityCount + inequalityCount + n);
    this.#scratch = new Float64Array(n);
    this.#current = new Point(shape);
    this.#trial = new Point(shape);
  }

  solve(
    problem: NonlinearProblem,
    start: Float64Array,
    warmStart: Float64Array | null,
    budget: SolveBudget,
    result: SolveResult,
  ): SolveStatus {
    this.#requireShape(problem, warmStart);
    let verdict = this.#begin(problem, start, warmStart, budget);
    while (verdict < 0) {
      verdict = this.#checkBudget(budget);
      if (verdict === running) verdict = this.#solveSubproblem();
      if (verdict === running) verdict = this.#takeStep();
    }
    if (warmStart !== null) this.#save(warmStart);
    return this.#report(verdict as SolveStatus, result);
  }

  #begin(problem: NonlinearProblem, start: Float64Array, warmStart: Float64Array | null, budget: SolveBudget): Verdict {
    this.#iterations = 0;
    this.#stuckViolation = Number.POSITIVE_INFINITY;
    this.#best.reset();
    this.#merit.reset();
    this.#evaluator.begin(problem, budget);
    this.#current.moveTo(start, problem);
    const isDefined = this.#evaluator.evaluate(this.#current);
    this.#load(warmStart);
    if (!isDefined) return SolveStatus.undefinedAtStart;
    return this.#judgePoint();
  }

  /** Hessian, multipliers, active set and elastic weight from the warm start, or their defaults. */
  #load(warmStart: Float64Array | null): void {
    const { elasticWeight, elasticWeightLimit, initialCurvature } = this.options;
    const { activity } = this.#subproblem.program.constraints;
    activity.fill(0);
    this.#multipliers.fill(0);
    this.#hessian.reset(initialCurvature);
    let scale = 0;
    const { gradient } = this.#current.evaluation;
    for (let i = 0; i < gradient.length; i++) scale = Math.max(scale, Math.abs(gradient[i]!));
    if (!(scale > 0 && scale < Number.POSITIVE_INFINITY)) scale = 1;
    this.#hessian.reset(initialCurvature * Math.min(1,scale)); this.wasElastic=false; this.scale=scale; this.#subproblem.leftViolation=0;
    let weight = elasticWeight * scale;
    if (warmStart !== null) {
      const kept = loadWarmStart(warmStart, this.#hessian.matrix, this.#multipliers, activity);
      if (kept > 0) {
        this.#hessian.isFresh = false;
        weight = Math.max(weight, kept);
      }
    }
    this.#subproblem.setWeights(weight, elasticWeightLimit * scale);
  }

  #checkBudget(budget: SolveBudget): Verdict {
    if (this.#iterations >= budget.iterations) return SolveStatus.budget;
    return this.#evaluator.isOutOfTime() ? SolveStatus.deadline : running;
  }

  /** Measures the current point with the multipliers at hand, and keeps it if it is the best so far. */
  #judgePoint(): Verdict {
    const point = this.#current;
    this.#violation = largestViolation(point.evaluation);
    this.#residual = kktResidual(point, this.#multipliers, this.#evaluator.problem, this.#scratch);
    this.#best.offer(point, this.#violation, this.#residual);
    return this.#isSolved() ? SolveStatus.solved : running;
  }

  #isSolved(): boolean {
    return this.#violation <= this.options.feasibilityTolerance && this.#residual <= this.options.optimalityTolerance;
  }

  /** A step and new multipliers from the quadratic program at the current point, which these may prove optimal. */
  #solveSubproblem(): Verdict {
    const subproblem = this.#subproblem;
    const { problem } = this.#evaluator;
    this.#iterations++;
    this.#prepareHessian();
    subproblem.linearise(this.#current, problem);
    if (subproblem.solve() !== QuadraticStatus.solved) return this.#recover();
    this.#multipliers.set(subproblem.multipliers);
    this.#residual = kktResidual(this.#current, this.#multipliers, problem, this.#scratch);
    if (this.#isSolved()) return SolveStatus.solved;
    const isStationary = this.#residual <= this.options.optimalityTolerance || this.#isStepNegligible();
    return isStationary && subproblem.leftViolation > 0 ? this.#judgeConflict() : running;
  }

  wasElastic = false; scale=1;
  #prepareHessian(): void {
    if ((process.env.MODE ?? "").includes("a") && this.wasElastic && this.#subproblem.leftViolation === 0) { this.wasElastic = false; this.#hessian.reset(this.options.initialCurvature*Math.min(1,this.scale)); }
    const { program } = this.#subproblem;
    if (this.options.hessian === "bfgs") this.#hessian.factorInto(program);
    else this.#hessian.takeSupplied(this.#evaluator.problem, this.#current, this.#multipliers, program);
  }

  /** Searches along the step and moves there, learning the curvature on the way. */
  #takeStep(): Verdict {
    const merit = this.#merit;
    merit.followMultipliers(this.#multipliers);
    const slope = merit.slope(this.#current.evaluation, this.#subproblem);
    if (!(slope < 0) || this.#isStepNegligible()) return this.#recover();
    const outcome = this.#lineSearch.run(this.#current, this.#trial, this.#subproblem, merit, slope, this.#evaluator);
    if (outcome === SearchOutcome.outOfTime) return SolveStatus.deadline;
    if (outcome === SearchOutcome.failed) return this.#recover();
    if (this.options.hessian === "bfgs") {
      const M = process.env.MODE ?? "";
      if (M.includes("b") && this.#subproblem.leftViolation > 0) { /* skip */ }
      else { this.#hessian.update(this.#current, this.#trial, this.#multipliers); if (this.#subproblem.leftViolation > 0) this.wasElastic = true; }
    }
    const previous = this.#current;
    this.#current = this.#trial;
    this.#trial = previous;
    return this.#judgePoint();
  }

  #isStepNegligible(): boolean {
    const { step } = this.#subproblem;
    const { x } = this.#current;
    for (let i = 0; i < x.length; i++) if (Math.abs(step[i]!) > negligibleStep * (1 + Math.abs(x[i]!))) return false;
    return true;
  }

  /** No step leads down: forget the curvature learnt and try once more; after that, this is as far as it goes. */
  #recover(): Verdict {
    if (!this.#hessian.isFresh && this.options.hessian === "bfgs") {
      this.#hessian.reset(this.options.initialCurvature);
      this.#subproblem.program.forgetActivity();
      return startOver;
    }
    if (this.#violation <= this.options.feasibilityTolerance) return SolveStatus.feasibleNotOptimal;
    return this.#best.isFeasible ? SolveStatus.feasibleNotOptimal : this.#judgeConflict();
  }

  /** Stationary with violations left: weigh the constraints more, unless the last time has not helped. */
  #judgeConflict(): Verdict {
    const hasHelped = this.#violation < (1 - worthwhileProgress) * this.#stuckViolation;
    if (!hasHelped || !this.#subproblem.canRaiseWeight) return SolveStatus.infeasible;
    this.#stuckViolation = this.#violation;
    this.#subproblem.raiseWeight();
    return startOver;
  }

  #save(warmStart: Float64Array): void {
    const { program, weight } = this.#subproblem;
    saveWarmStart(warmStart, weight, this.#hessian.matrix, this.#multipliers, program.constraints.activity);
  }

  #report(verdict: SolveStatus, result: SolveResult): SolveStatus {
    const best = this.#best;
    if (verdict === SolveStatus.solved || verdict === SolveStatus.undefinedAtStart)
      best.take(this.#current, this.#violation, this.#residual);
    result.status = verdict;
    result.x.set(best.x);
    result.objective = best.objective;
    result.violation = best.violation;
    result.kktResidual = best.kktResidual;
    result.iterations = this.#iterations;
    result.evaluations = this.#evaluator.evaluations;
    result.valueEvaluations = this.#evaluator.valueEvaluations;
    return verdict;
  }

  #requireShape(problem: NonlinearProblem, warmStart: Float64Array | null): void {
    const { n, equalityCount, inequalityCount } = this.shape;
    const isSame =
      problem.n === n && problem.equalityCount === equalityCount && problem.inequalityCount === inequalityCount;
    if (isSame && (warmStart === null || warmStart.length === warmStartLength(this.shape))) return;
    throw new FlycatcherError("FLY_SOLVER_SHAPE_MISMATCH", "The solver was made for problems of another shape", {
      expected: `${n} unknowns, ${equalityCount} equalities, ${inequalityCount} inequalities`,
      found: `${problem.n}, ${problem.equalityCount}, ${problem.inequalityCount}`,
    });
  }
}
