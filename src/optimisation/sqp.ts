import { BestPoint } from "./best-point.js";
import { Evaluator, Point } from "./evaluator.js";
import { HessianModel } from "./hessian-model.js";
import { LineSearch, SearchOutcome } from "./line-search.js";
import { MeritFunction } from "./merit-function.js";
import { Optimality } from "./optimality.js";
import type { NonlinearProblem, ProblemShape } from "./problem-interface.js";
import { QuadraticStatus } from "./quadratic-program.js";
import { type NonlinearSolver, type SolveBudget, type SolveResult, SolveStatus } from "./solver-interface.js";
import { resolveSqpOptions, type SqpOptions } from "./sqp-options.js";
import { Subproblem } from "./subproblem.js";
import { hasRoom, isFilled, loadWarmStart, requireHessian, requireShape, saveWarmStart } from "./warm-start.js";

/** The solve goes on, with the next step of this iteration or with a new iteration. Never a result. */
const running = -1;
const startOver = -2;
type Verdict = SolveStatus | typeof running | typeof startOver;

/** Relative length of a step below which the iterate no longer moves. */
const negligibleStep = 1e-13;
/** Predicted decrease of the merit function, relative to it, below which it is rounding. */
const negligibleDecrease = 1e-14;
/** Longest step, and its greatest promise relative to the merit function, by which an objective's kink is recognised. */
const longestKinkStep = 0.5;
const kinkDecrease = 1e-9;
/** Least size of the objective's gradient that the elastic weights are made for. */
const smallestGradient = 0.1;
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
  readonly #evaluator = new Evaluator();
  /** Multipliers the convergence of the current point is judged by. */
  readonly #multipliers: Float64Array;
  readonly #optimality: Optimality;
  #current: Point;
  #trial: Point;
  #iterations = 0;
  /** Whether the Hessian has learnt under elastic constraints. */
  #wasElastic = false;
  /** Violation when the elastic weight was last raised at a stationary point. */
  #stuckViolation = Number.POSITIVE_INFINITY;

  constructor(shape: ProblemShape, options: Partial<SqpOptions> = {}) {
    const { n, equalityCount, inequalityCount } = shape;
    this.shape = { n, equalityCount, inequalityCount };
    this.options = resolveSqpOptions(options);
    this.#subproblem = new Subproblem(shape);
    this.#hessian = new HessianModel(n, this.options.initialCurvature);
    this.#merit = new MeritFunction(shape);
    this.#lineSearch = new LineSearch(shape);
    this.#best = new BestPoint(n, this.options.feasibilityTolerance);
    this.#multipliers = new Float64Array(equalityCount + inequalityCount + n);
    this.#optimality = new Optimality(n);
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
    requireShape(this.shape, problem, warmStart);
    if (this.options.hessian === "supplied") requireHessian(problem);
    let verdict = this.#begin(problem, start, warmStart, budget);
    while (verdict < 0) {
      verdict = this.#checkBudget(budget);
      if (verdict === running) verdict = this.#solveSubproblem();
      if (verdict === running) verdict = this.#takeStep();
    }
    if (warmStart !== null) this.#save(warmStart, verdict);
    return this.#report(verdict as SolveStatus, result);
  }

  #begin(problem: NonlinearProblem, start: Float64Array, warmStart: Float64Array | null, budget: SolveBudget): Verdict {
    this.#iterations = 0;
    this.#best.reset();
    this.#merit.reset();
    this.#evaluator.begin(problem, budget);
    this.#optimality.reset();
    this.#current.moveTo(start, problem);
    if (!this.#evaluator.evaluate(this.#current)) return SolveStatus.undefinedAtStart;
    this.#load(warmStart);
    return hasRoom(problem) ? this.#judgePoint() : SolveStatus.infeasible;
  }

  /** Hessian, multipliers, active set and elastic weight from the warm start, or their defaults. */
  #load(warmStart: Float64Array | null): void {
    const { elasticWeight, elasticWeightLimit } = this.options;
    const { activity } = this.#subproblem.program.constraints;
    const { gradient } = this.#current.evaluation;
    let scale = smallestGradient;
    for (let i = 0; i < gradient.length; i++) scale = Math.max(scale, Math.abs(gradient[i]!));
    this.#wasElastic = false;
    this.#stuckViolation = Number.POSITIVE_INFINITY;
    activity.fill(0);
    this.#multipliers.fill(0);
    this.#hessian.reset();
    this.#hessian.damping = 0;
    this.#subproblem.setWeights(elasticWeight * scale, elasticWeightLimit * scale);
    if (warmStart === null || !isFilled(warmStart)) return;
    this.#hessian.markSettled();
    loadWarmStart(warmStart, this.#hessian.matrix, this.#multipliers, activity);
  }

  #checkBudget(budget: SolveBudget): Verdict {
    if (!(this.#iterations < budget.iterations)) return SolveStatus.budget;
    return this.#evaluator.isOutOfTime() ? SolveStatus.deadline : running;
  }

  /** Measures the current point with the multipliers at hand, and keeps it if it is the best so far. */
  #judgePoint(): Verdict {
    const point = this.#current;
    this.#optimality.measureViolation(point.evaluation);
    this.#optimality.measureResidual(point, this.#multipliers, this.#evaluator.problem);
    this.#best.offer(point, this.#optimality);
    return this.#isFeasible() && this.#isStationary() ? SolveStatus.solved : running;
  }

  #isFeasible(): boolean {
    return this.#optimality.violation <= this.options.feasibilityTolerance;
  }

  #isStationary(): boolean {
    return this.#optimality.kktResidual <= this.options.optimalityTolerance;
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
    this.#optimality.measureResidual(this.#current, this.#multipliers, problem);
    if (this.#isStationary() && this.#isFeasible()) return SolveStatus.solved;
    const isStuck = subproblem.leftViolation > 0 && (this.#isStationary() || this.#isStepNegligible());
    return isStuck ? this.#judgeConflict() : running;
  }

  #prepareHessian(): void {
    const { program } = this.#subproblem;
    if (this.options.hessian === "bfgs") this.#hessian.factorInto(program);
    else this.#hessian.takeSupplied(this.#evaluator.problem, this.#current, this.#multipliers, program);
  }

  /** Searches along the step and moves there, learning the curvature on the way. */
  #takeStep(): Verdict {
    const merit = this.#merit;
    merit.followMultipliers(this.#multipliers);
    merit.evaluateSlope(this.#current.evaluation, this.#subproblem);
    if (this.#isStepNegligible() || this.#isDecreaseNegligible()) return this.#recover();
    const outcome = this.#lineSearch.run(this.#current, this.#trial, this.#subproblem, merit, this.#evaluator);
    if (outcome === SearchOutcome.outOfTime) return SolveStatus.deadline;
    if (outcome === SearchOutcome.failed) return this.#recover();
    this.#hessian.dampAfter(this.#subproblem.step, this.#lineSearch.length);
    if (this.options.hessian === "bfgs") this.#learnCurvature();
    this.#swapPoints();
    const verdict = this.#judgePoint();
    return verdict === running && this.#isCaughtInKink() ? SolveStatus.feasibleNotOptimal : verdict;
  }

  #swapPoints(): void {
    const previous = this.#current;
    this.#current = this.#trial;
    this.#trial = previous;
  }

  /** Smooth problems end with full steps: a step cut short though it promised next to nothing means a kink. */
  #isCaughtInKink(): boolean {
    const { length } = this.#lineSearch;
    const { slope, value } = this.#merit;
    return length < longestKinkStep && -slope < kinkDecrease * (1 + Math.abs(value)) && this.#isFeasible();
  }

  /** Curvature learnt under the large multipliers of conflicting constraints is of no use once the conflict is over. */
  #learnCurvature(): void {
    const isElastic = this.#subproblem.leftViolation > 0;
    if (this.#wasElastic && !isElastic) {
      this.#hessian.reset();
      this.#merit.reset();
    } else this.#hessian.update(this.#current, this.#trial, this.#multipliers);
    this.#wasElastic = isElastic;
  }

  /** Near feasible points with vanishing multipliers the violation is no longer seen in φ: there a small decrease is one. */
  #isDecreaseNegligible(): boolean {
    const merit = this.#merit;
    if (!(merit.slope < 0)) return true;
    const isAtRest = this.#isFeasible() || this.#subproblem.leftViolation > 0;
    merit.evaluate(this.#current.evaluation);
    return isAtRest && -merit.slope < negligibleDecrease * (1 + Math.abs(merit.value));
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
      this.#hessian.reset();
      this.#subproblem.program.forgetActivity();
      return startOver;
    }
    if (this.#best.isFeasible) return SolveStatus.feasibleNotOptimal;
    if (this.#subproblem.leftViolation === 0 && this.#stepToFeasible()) return startOver;
    return this.#judgeConflict();
  }

  /** Where no step leads down but the constraints do not conflict, the full step at least halves the violation, or nothing. */
  #stepToFeasible(): boolean {
    const { violation } = this.#optimality;
    this.#trial.moveAlong(this.#current.x, this.#subproblem.step, 1, this.#evaluator.problem);
    if (!this.#evaluator.evaluate(this.#trial)) return false;
    this.#optimality.measureViolation(this.#trial.evaluation);
    if (this.#optimality.violation <= 0.5 * violation) this.#swapPoints();
    this.#judgePoint();
    return this.#optimality.violation <= 0.5 * violation;
  }

  /** Stationary with violations left: weigh the constraints more, unless the last time has not helped. */
  #judgeConflict(): Verdict {
    const hasHelped = this.#optimality.violation < (1 - worthwhileProgress) * this.#stuckViolation;
    if (!hasHelped || !this.#subproblem.canRaiseWeight) return SolveStatus.infeasible;
    this.#stuckViolation = this.#optimality.violation;
    this.#subproblem.raiseWeight();
    return startOver;
  }

  /** What was learnt among conflicting constraints would only mislead the next solve. */
  #save(warmStart: Float64Array, verdict: Verdict): void {
    if (verdict === SolveStatus.undefinedAtStart || verdict === SolveStatus.infeasible) {
      warmStart.fill(0);
      return;
    }
    const { activity } = this.#subproblem.program.constraints;
    saveWarmStart(warmStart, this.#hessian.matrix, this.#multipliers, activity);
  }

  #report(verdict: SolveStatus, result: SolveResult): SolveStatus {
    const best = this.#best;
    if (verdict === SolveStatus.solved || best.isEmpty) best.take(this.#current, this.#optimality);
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
}
