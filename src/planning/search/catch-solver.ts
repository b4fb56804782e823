import { JointRamps } from "../../motion/joint-ramps.js";
import { RampStatus } from "../../motion/ramp.js";
import {
  type NonlinearSolver,
  type SolveBudget,
  SolveResult,
  SolveStatus,
} from "../../optimisation/solver-interface.js";
import { SqpSolver } from "../../optimisation/sqp.js";
import { createWarmStart } from "../../optimisation/warm-start.js";
import type { CatchArm } from "../problem/catch-arm.js";
import { CatchProblem, type CatchTask } from "../problem/catch-problem.js";
import { ALL_CHECKS } from "../problem/checks.js";
import { everyStart, type SearchPatience, SearchTally } from "./search-patience.js";
import { defaultSeedGrid, type SeedGrid, SeedSearch } from "./seeds.js";
import { CatchVerifier, type PlannedCatch, Verdict } from "./verify.js";

/** The best catch of one search, preallocated by the caller and overwritten by each search. */
export class CatchSolution {
  /** Whether `x` and `ramps` are a catch that passed the verifier. */
  found = false;
  /** Whether it is a local optimum within the solver's tolerances. */
  optimal = false;
  /** (q, t): joint positions at the catch, and when the ball is there. */
  readonly x: Float64Array;
  readonly ramps: JointRamps;
  /** The mode's objective as the thesis defines it. */
  objective = Number.NaN;
  /** Value that was minimised, for comparing solutions of one task. */
  cost = Number.POSITIVE_INFINITY;
  /** Least distance of the hand to a keep-out shape [m]. */
  clearance = Number.NaN;
  /** When the hand is at the catch, at rest [s]. */
  arrival = Number.NaN;
  /** What the verifier said of the last candidate that was not good enough. */
  refusal: Verdict = Verdict.ok;
  /** Whether a deadline or budget ended the search before all starts were polished. */
  cutShort = false;
  starts = 0;
  iterations = 0;
  evaluations = 0;
  /** For the next, similar task. */
  warmStart: Float64Array;
  /** The start that violates the constraints least, polished: what a report of an unreachable ball looks at. */
  readonly leastViolated: Float64Array;
  leastViolation = Number.POSITIVE_INFINITY;

  constructor(dofs: number, warmStart: Float64Array) {
    this.x = new Float64Array(dofs + 1);
    this.ramps = new JointRamps(dofs);
    this.warmStart = warmStart;
    this.leastViolated = new Float64Array(dofs + 1);
  }

  reset(): void {
    this.found = false;
    this.optimal = false;
    this.objective = Number.NaN;
    this.cost = Number.POSITIVE_INFINITY;
    this.clearance = Number.NaN;
    this.arrival = Number.NaN;
    this.refusal = Verdict.ok;
    this.cutShort = false;
    this.starts = 0;
    this.iterations = 0;
    this.evaluations = 0;
    this.leastViolation = Number.POSITIVE_INFINITY;
  }
}

/** What a search may use up. */
export interface SearchBudget {
  /** Starts to polish. */
  readonly starts: number;
  /** For each of them, and for all of them the clock. */
  readonly solve: SolveBudget;
  /** When fewer are enough. Default: never, all are polished. */
  readonly patience?: SearchPatience;
}

/**
 * Plans catches of one arm, one task after the other, in one thread: the global search (`cold`) and the solve that follows
 * a new prediction (`warm`). Keeps nothing between two calls; deterministic as long as no deadline cuts it short.
 */
export class CatchSolver {
  readonly arm: CatchArm;
  readonly problem: CatchProblem;
  readonly #solver: NonlinearSolver;
  readonly #seeds: SeedSearch;
  readonly #verifier: CatchVerifier;
  readonly #result: SolveResult;
  readonly #ramps: JointRamps;
  readonly #warm: Float64Array;
  readonly #seedBuffer: Float64Array;
  /** Starts in it that the last call, a global search, has polished. */
  #startCount = 0;
  readonly #minimalTimes: Float64Array;
  readonly #tally = new SearchTally();
  /** The candidate in hand, as the verifier sees it. */
  /** The solver's result in the verifier's terms; made once, filled for each. */
  readonly #candidate: { -readonly [Key in keyof PlannedCatch]: PlannedCatch[Key] };

  /** `task` fixes the number of keep-out shapes; `solver` defaults to our SQP. */
  constructor(arm: CatchArm, task: CatchTask, grid: SeedGrid = defaultSeedGrid, solver?: NonlinearSolver) {
    this.arm = arm;
    this.problem = new CatchProblem(arm, task);
    this.#solver = solver ?? new SqpSolver(this.problem, { initialCurvature: INITIAL_CURVATURE });
    this.#seeds = new SeedSearch(this.problem, grid);
    this.#verifier = new CatchVerifier(arm);
    this.#result = new SolveResult(this.problem.n);
    this.#ramps = new JointRamps(this.problem.dofs);
    this.#warm = createWarmStart(this.problem);
    this.#seedBuffer = new Float64Array(grid.times * 8 * this.problem.n);
    this.#minimalTimes = new Float64Array(this.problem.dofs);
    const { q0, w0, maxVelocity, maxAcceleration, path, keepOut, dofs } = this.problem;
    const [ramps, q] = [this.#ramps, this.#result.x.subarray(0, dofs)];
    const start = { q0, w0, maxVelocity, maxAcceleration };
    this.#candidate = { ...start, ramps, q, time: Number.NaN, path, keepOut, checks: ALL_CHECKS };
  }

  /** Memory for what a search finds. */
  createSolution(): CatchSolution {
    return new CatchSolution(this.problem.dofs, createWarmStart(this.problem));
  }

  /** Where a cold search of `task` would start: best first, n numbers each. Returns how many. */
  seeds(task: CatchTask, count: number, out: Float64Array): number {
    this.problem.begin(task);
    return this.#seeds.find(count, out);
  }

  /** Global search: seeds, each polished, the best verified one kept. */
  cold(task: CatchTask, budget: SearchBudget, out: CatchSolution): void {
    const { n } = this.problem;
    const capacity = this.#seedBuffer.length / n;
    const count = this.seeds(task, Math.min(budget.starts, capacity), this.#seedBuffer);
    this.polish(task, this.#seedBuffer, count, budget, out);
    this.#startCount = count;
  }

  /** The best start for `task`, as it is before polishing; that of the search just made, if it was one. False: none. */
  bestStart(task: CatchTask, out: Float64Array): boolean {
    if (this.#startCount === 0) return this.seeds(task, 1, out) > 0;
    out.set(this.#seedBuffer.subarray(0, this.problem.n));
    return true;
  }

  /** Polishes `count` given starts (n numbers each) and keeps the best verified catch. */
  polish(
    task: CatchTask,
    starts: Float64Array,
    count: number,
    { solve, patience = everyStart }: Omit<SearchBudget, "starts">,
    out: CatchSolution,
  ): void {
    const { n } = this.problem;
    this.#begin(task, patience, out);
    for (let s = 0; s < count && !out.cutShort && !this.#tally.isOver; s++) {
      this.#warm.fill(0);
      this.#solveOne(task, starts.subarray(s * n, (s + 1) * n), solve, out);
      this.#note(out);
    }
  }

  #begin(task: CatchTask, patience: SearchPatience, out: CatchSolution): void {
    this.problem.begin(task);
    this.#startCount = 0;
    out.reset();
    this.#tally.begin(patience, task.mode);
  }

  /** Counts the start just polished. */
  #note({ cost }: CatchSolution): void {
    const { violation, objective } = this.#result;
    if (violation <= ACCEPTED_VIOLATION) this.#tally.noteFeasible(objective, cost);
    else this.#tally.noteInfeasible();
  }

  /** One solve from `start`, with what an earlier solve left in `warmStart` (all zeros: nothing). */
  warm(task: CatchTask, start: Float64Array, warmStart: Float64Array, budget: SolveBudget, out: CatchSolution): void {
    this.#begin(task, everyStart, out);
    this.#warm.set(warmStart);
    this.#solveOne(task, start, budget, out);
  }

  #solveOne(task: CatchTask, start: Float64Array, budget: SolveBudget, out: CatchSolution): void {
    const result = this.#result;
    const status = this.#solver.solve(this.problem, start, this.#warm, budget, result);
    out.starts++;
    out.iterations += result.iterations;
    out.evaluations += result.evaluations + result.valueEvaluations;
    out.cutShort = status === SolveStatus.deadline;
    if (result.violation < out.leastViolation) {
      out.leastViolation = result.violation;
      out.leastViolated.set(result.x);
    }
    if (!(result.violation <= ACCEPTED_VIOLATION && this.#tally.isBetter(result.objective, out.cost))) return;
    const verdict = this.#check(task);
    if (verdict === Verdict.ok) this.#accept(status, result, out);
    else out.refusal = verdict;
  }

  /** The ramps of the solver's result, and what the verifier says of them. */
  #check(task: CatchTask): Verdict {
    const { q0, w0, maxVelocity, maxAcceleration } = this.problem;
    const candidate = this.#candidate;
    candidate.time = this.#result.x[candidate.q.length]!;
    candidate.path = task.path;
    candidate.keepOut = task.keepOut;
    candidate.checks = task.checks;
    const T = task.mode === "cool" ? this.#arrival(candidate.q, candidate.time) : candidate.time;
    const status = this.#ramps.plan(q0, w0, candidate.q, T, maxVelocity, maxAcceleration);
    if (status !== RampStatus.ok && status !== RampStatus.tooFast) return Verdict.accelerationLimit;
    return this.#verifier.verify(candidate);
  }

  /** In mode `cool` all joints arrive together, as soon as the slowest can. */
  #arrival(q: Float64Array, time: number): number {
    const { q0, w0, maxVelocity, maxAcceleration } = this.problem;
    const longest = this.#ramps.minimalTimes(q0, w0, q, maxVelocity, maxAcceleration, this.#minimalTimes);
    return Math.min(longest, time);
  }

  #accept(status: SolveStatus, result: SolveResult, out: CatchSolution): void {
    out.found = true;
    out.optimal = status === SolveStatus.solved;
    out.cost = result.objective;
    out.objective = this.problem.reportObjective(result.objective);
    out.x.set(result.x);
    out.ramps.copyFrom(this.#ramps);
    out.arrival = this.#ramps.duration;
    out.clearance = this.#verifier.clearance;
    out.warmStart.set(this.#warm);
  }
}

/** First guess of the objectives' curvature: a tenth of the solver's own spares some 10 % of the iterations. */
const INITIAL_CURVATURE = 0.1;
/** Largest violation of a constraint in a point worth verifying; the verifier has the last word. */
const ACCEPTED_VIOLATION = 1e-6;
