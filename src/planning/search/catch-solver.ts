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
import { CatchSolution, NO_BODY } from "./catch-solution.js";
import { everyStart, type SearchPatience, SearchTally } from "./search-patience.js";
import { defaultSeedGrid, type SeedGrid, SeedSearch } from "./seeds.js";
import { CatchVerifier, type PlannedCatch, Verdict } from "./verify.js";

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
  readonly #objective = new Float64Array(1);
  /** Where a refused catch is solved again from. */
  readonly #room: Float64Array;
  /** The margins that it ended with. */
  readonly #margins: Float64Array;
  /** Body for whose sake the verifier refused the last candidate. */
  #lastBlamed = NO_BODY;
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
    this.#room = new Float64Array(this.problem.n);
    this.#margins = new Float64Array(this.problem.clearanceMargins.length);
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

  /**
   * Global search: seeds, each polished, the best verified one kept. Where a patient search ends on catches that the
   * verifier refuses, or finds no seeds, as many others are polished.
   */
  cold(task: CatchTask, budget: SearchBudget, out: CatchSolution): void {
    const { n } = this.problem;
    const { patience = everyStart } = budget;
    const capacity = this.#seedBuffer.length / n;
    const count = this.seeds(task, Math.min(budget.starts, capacity), this.#seedBuffer);
    this.polish(task, this.#seedBuffer, count, budget, out);
    if (patience.looksElsewhere && out.deservesMore) this.#lookElsewhere(task, budget, count, out);
    else this.#startCount = count;
  }

  /**
   * The second half of a search whose first, maybe made in parts elsewhere, `deservesMore`: `first` is what that found, and
   * `out` gets what this finds that is better.
   */
  elsewhere(task: CatchTask, budget: SearchBudget, first: CatchSolution, out: CatchSolution): void {
    const count = this.seeds(task, SOFT_STARTS, this.#seedBuffer);
    this.#begin(task, budget.patience ?? everyStart, out);
    out.refused.set(first.refused);
    out.refusedBody = first.refusedBody;
    out.refusedCost = first.refusedCost;
    out.cost = first.cost;
    this.#lookElsewhere(task, budget, count, out);
  }

  /** With `count` starts in the buffer: the refused catch again with more room; where that does not help, from a soft catch on; and then from other starts. */
  #lookElsewhere(task: CatchTask, budget: SearchBudget, count: number, out: CatchSolution): void {
    out.lookedElsewhere = true;
    this.problem.begin(task);
    this.#result.x.set(out.refused);
    this.#lastBlamed = out.refusedBody;
    if (this.#makeRoom(task, budget.solve, out)) return;
    this.#margins.set(this.problem.clearanceMargins);
    const hasCatch = out.cost < Number.POSITIVE_INFINITY;
    if (task.mode !== "soft" && !hasCatch && this.#approachFromSoft(task, budget.solve, count, out)) return;
    const { n } = this.problem;
    this.problem.begin(task);
    const others = this.#seeds.findOthers(Math.min(budget.starts, this.#seedBuffer.length / n), this.#seedBuffer);
    const most = out.starts + MOST_ELSEWHERE;
    for (let s = 0; s < others && out.starts < most && !out.cutShort; s++) {
      this.problem.clearanceMargins.set(this.#margins);
      this.#warm.fill(0);
      this.#lastBlamed = NO_BODY;
      this.#solveOne(task, this.#seedBuffer.subarray(s * n, (s + 1) * n), budget.solve, out);
      this.#makeRoom(task, budget.solve, out);
    }
  }

  /**
   * A catch is often refused because the arm would come to rest close to something, faster than the monitor allows. So it is
   * solved again from there, each time with more room for the body that came too near, until the verifier lets it pass.
   * Does so for the result last refused; false if nothing better came of it.
   */
  #makeRoom(task: CatchTask, solve: SolveBudget, out: CatchSolution): boolean {
    const { clearanceMargins } = this.problem;
    for (let k = 0; k < MOST_ROOM_STEPS && this.#lastBlamed !== NO_BODY && !out.cutShort; k++) {
      const body = this.#lastBlamed;
      const before = out.cost;
      clearanceMargins[body] = Math.min(clearanceMargins[body]! + ROOM_STEP, MOST_ROOM);
      this.#room.set(this.#result.x);
      this.#warm.fill(0);
      this.#lastBlamed = NO_BODY;
      this.#solveOne(task, this.#room, solve, out);
      if (out.cost < before) return true;
    }
    return false;
  }

  /**
   * The softest motion is the one the monitor minds least. So that catch is sought, from the `count` starts in the buffer and
   * else from its own, and the catch time is moved by halves towards that of the refused one, as far as the verifier lets it.
   */
  #approachFromSoft(task: CatchTask, solve: SolveBudget, count: number, out: CatchSolution): boolean {
    const softTask: CatchTask = { ...task, mode: "soft", success: null };
    this.#polishSoftly(task, softTask, solve, Math.min(count, SOFT_STARTS), out);
    if (!out.found) {
      const own = this.seeds(softTask, SOFT_STARTS, this.#seedBuffer);
      this.#polishSoftly(task, softTask, solve, own, out);
    }
    if (out.found) this.#approachTime(task, solve, out);
    return out.found;
  }

  #polishSoftly(task: CatchTask, softTask: CatchTask, solve: SolveBudget, count: number, out: CatchSolution): void {
    const { n } = this.problem;
    for (let s = 0; s < count && !out.cutShort; s++) {
      this.problem.begin(softTask);
      this.#warm.fill(0);
      this.#solveOne(task, this.#seedBuffer.subarray(s * n, (s + 1) * n), solve, out, task);
    }
  }

  #approachTime(task: CatchTask, solve: SolveBudget, out: CatchSolution): void {
    const { dofs, lower, upper } = this.problem;
    let refusedTime = out.refused[dofs]!;
    for (let k = 0; k < TIME_HALVINGS && !out.cutShort; k++) {
      const before = out.cost;
      const middle = 0.5 * (out.x[dofs]! + refusedTime);
      this.problem.begin(task);
      (middle > out.x[dofs]! ? upper : lower)[dofs] = middle;
      this.#room.set(out.x);
      this.#warm.fill(0);
      this.#solveOne(task, this.#room, solve, out);
      if (!(out.cost < before)) refusedTime = middle;
    }
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

  /** Solves the problem in hand; `judgedBy`, if it is not the problem's own, is the task whose objective counts. */
  #solveOne(
    task: CatchTask,
    start: Float64Array,
    budget: SolveBudget,
    out: CatchSolution,
    judgedBy: CatchTask | null = null,
  ): void {
    const result = this.#result;
    const status = this.#solver.solve(this.problem, start, this.#warm, budget, result);
    if (judgedBy !== null) {
      this.problem.begin(judgedBy);
      this.problem.evaluateObjective(result.x, this.#objective);
      result.objective = this.#objective[0]!;
    }
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
    else this.#refuse(verdict, result, out);
  }

  #refuse(verdict: Verdict, { objective, x }: SolveResult, out: CatchSolution): void {
    const { clearance } = this.arm;
    out.refusal = verdict;
    const body = verdict === Verdict.motionCollision ? (clearance?.blamed ?? NO_BODY) : NO_BODY;
    this.#lastBlamed = body;
    if (!(objective < out.refusedCost)) return;
    out.refusedCost = objective;
    out.refused.set(x);
    out.refusedBody = body;
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
    out.optimal = status === SolveStatus.solved && !out.lookedElsewhere;
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
/** Room that a refused catch gets more each time, at most so often and so much [m]: clearances beyond 0.15 m are not measured. */
const ROOM_STEP = 0.045;
const MOST_ROOM_STEPS = 3;
const MOST_ROOM = 0.14;
/** Starts of the softest catch, and how often the time between it and the refused one is halved. */
const SOFT_STARTS = 2;
const TIME_HALVINGS = 4;
/** Solves from other starts, room included. */
const MOST_ELSEWHERE = 6;
/** Largest violation of a constraint in a point worth verifying; the verifier has the last word. */
const ACCEPTED_VIOLATION = 1e-6;
