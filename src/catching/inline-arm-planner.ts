import { FlightStatus } from "../flight/flight-path.js";
import { JointRamps } from "../motion/joint-ramps.js";
import { ApproachSearch } from "../planning/arm/approach.js";
import { ArmView } from "../planning/arm/arm-view.js";
import { MovingObstacleClearance } from "../planning/arm/moving-obstacle-clearance.js";
import { explainNoPlan } from "../planning/arm/no-plan-reason.js";
import type { CatchArm } from "../planning/problem/catch-arm.js";
import type { CatchTask } from "../planning/problem/catch-problem.js";
import { ALL_CHECKS } from "../planning/problem/checks.js";
import { CatchSolution, CatchSolver } from "../planning/search/catch-solver.js";
import { briefSearch, everyStart, type SearchPatience } from "../planning/search/search-patience.js";
import { iterationBudget, type SolveBudget } from "../planning/solver/solver-interface.js";
import type { ArmPlanAnswer, ArmPlanner, ArmPlanRequest, CatchPlan } from "./arm-planner.js";

export interface InlinePlannerOptions {
  /** Starts of the global search. */
  readonly starts?: number;
  /** When fewer of them are enough. Default: a brief search where the arm's inverse kinematics is analytic, else never. */
  readonly patience?: SearchPatience;
  /** Iterations of each of its solves, and of a solve from the plan before. */
  readonly coldIterations?: number;
  readonly warmIterations?: number;
  /** In real time: when an answer is too late. The best catch found by then is taken. Default: iterations alone count. */
  readonly deadline?: AnswerDeadline | null;
  /** Wall clock [ms], for `timings` alone: no plan depends on it. */
  readonly stopwatch?: () => number;
  /** Where to write them; a place of its own by default. */
  readonly timings?: PlannerTimings;
}

/** The last moment for an answer, by the run's clock: so long before the motion is to begin. */
export interface AnswerDeadline {
  /** Time of the run [s]. */
  readonly clock: () => number;
  /** From the answer to control [s]. */
  readonly transport: number;
}

/**
 * How long planning really took [ms]: global searches that found a catch, those that did not, and solves from the plan
 * before.
 */
export interface PlannerTimings {
  readonly coldMs: number[];
  readonly fruitlessMs: number[];
  readonly warmMs: number[];
}

/**
 * Plans in the caller's thread, at once. Iterations are all that limits it and nothing stays from one question to the
 * next, so the same question has the same answer, bit by bit.
 */
export class InlineArmPlanner implements ArmPlanner {
  readonly timings: PlannerTimings;
  readonly #arm: CatchArm;
  readonly #view: ArmView;
  readonly #options: Required<Omit<InlinePlannerOptions, "timings">>;
  readonly #clearance: MovingObstacleClearance | null;
  readonly #approach: ApproachSearch;
  #workspace: { readonly solver: CatchSolver; readonly solution: CatchSolution } | null = null;
  #answer: ArmPlanAnswer | null = null;

  /** `posture` is the one the robot waits in. */
  constructor(arm: CatchArm, posture: Float64Array, options: InlinePlannerOptions = {}) {
    this.#clearance = arm.robot.hulls.length === 0 ? null : new MovingObstacleClearance(arm, posture);
    this.#arm = { ...arm, clearance: this.#clearance };
    this.#approach = new ApproachSearch(this.#arm);
    this.#view = new ArmView(arm.robot, arm.group.baseLink, arm.hand, posture);
    this.timings = options.timings ?? { coldMs: [], fruitlessMs: [], warmMs: [] };
    this.#options = {
      starts: 16,
      patience: arm.srs === null ? everyStart : briefSearch,
      coldIterations: 100,
      warmIterations: 60,
      deadline: null,
      stopwatch: () => 0,
      ...options,
    };
  }

  submit(request: ArmPlanRequest, nowNs: number): void {
    const { stopwatch } = this.#options;
    const begun = stopwatch();
    const found = this.#plan(request);
    this.#answer = { ...found, id: request.id, answeredNs: nowNs };
    const { coldMs, fruitlessMs, warmMs } = this.timings;
    const kind = request.previous !== null ? warmMs : found.plan === null ? fruitlessMs : coldMs;
    kind.push(stopwatch() - begun);
  }

  collect(): ArmPlanAnswer | null {
    const answer = this.#answer;
    this.#answer = null;
    return answer;
  }

  #plan(request: ArmPlanRequest): { plan: CatchPlan } | { plan: null; reason: string; approach: CatchPlan | null } {
    if (this.#view.look(request) !== FlightStatus.ok) {
      return { plan: null, reason: "the ball's state is not that of a flight", approach: null };
    }
    this.#clearance?.surround(request.carrier.posture, request.others);
    const task = this.#task(request);
    this.#workspace ??= createWorkspace(this.#arm, task);
    const { solver, solution } = this.#workspace;
    this.#solve(solver, task, request, solution);
    if (!solution.found) {
      const approach = this.#approachFor(request, task, solution);
      return { plan: null, reason: explainNoPlan(solver, task, solution), approach };
    }
    const time = solution.x[solution.x.length - 1]!;
    const { x, ramps, arrival, objective, warmStart } = solution;
    return { plan: this.#planFrom(request, { x, ramps, time, arrival, objective, warmStart, shortfall: 0 }) };
  }

  /** What a search that found no catch is good for. A solve from the plan before is followed by a search. */
  #approachFor(request: ArmPlanRequest, task: CatchTask, solution: CatchSolution): CatchPlan | null {
    const { running, previous, tStart } = request;
    if (previous !== null) return null;
    const executed = running === null ? null : { end: running.ramps.end, time: running.tCatch - tStart };
    if (!this.#approach.find(task, solution, executed)) return null;
    const { ramps, time, shortfall } = this.#approach;
    const unknowns = { x: solution.leastViolated, warmStart: solution.warmStart };
    const found = { ...unknowns, ramps, time, arrival: ramps.duration, objective: Number.NaN, shortfall };
    return this.#planFrom(request, found);
  }

  #task({ mode, q0, w0, tStart, earliest, latest }: ArmPlanRequest): CatchTask {
    const { maxVelocity, maxAcceleration } = this.#arm;
    const { path, keepOut } = this.#view;
    const times = { earliest: earliest - tStart, latest: latest - tStart };
    const success = mode === "sure" ? this.#view.successBetween(times.earliest, times.latest) : null;
    return { mode, q0, w0, maxVelocity, maxAcceleration, path, keepOut, ...times, success, checks: ALL_CHECKS };
  }

  #solve(solver: CatchSolver, task: CatchTask, { previous, tStart }: ArmPlanRequest, out: CatchSolution): void {
    const { starts, patience, coldIterations, warmIterations } = this.#options;
    if (previous === null) {
      solver.cold(task, { starts, patience, solve: this.#budget(coldIterations, tStart) }, out);
      return;
    }
    const start = Float64Array.from(previous.unknowns);
    start[start.length - 1] = previous.tCatch - tStart;
    solver.warm(task, start, previous.warmStart, this.#budget(warmIterations, tStart), out);
  }

  #budget(iterations: number, tStart: number): SolveBudget {
    const { deadline } = this.#options;
    if (deadline === null) return iterationBudget(iterations);
    return { iterations, clock: deadline.clock, deadline: tStart - deadline.transport };
  }

  /** What was found, in memory of its own. */
  #planFrom({ id, tStart }: ArmPlanRequest, found: FoundMotion): CatchPlan {
    const { time, arrival, objective, shortfall, x, warmStart } = found;
    const ramps = new JointRamps(found.ramps.count);
    ramps.copyFrom(found.ramps);
    return {
      id,
      tStart,
      ramps,
      tCatch: tStart + time,
      arrival: tStart + arrival,
      objective,
      shortfall,
      successProbability: this.#view.success?.probability(time) ?? null,
      unknowns: Float64Array.from(x),
      warmStart: Float64Array.from(warmStart),
    };
  }
}

/** A motion in the memory of whoever found it; times from tStart on. */
interface FoundMotion extends Pick<CatchPlan, "ramps" | "arrival" | "objective" | "shortfall" | "warmStart"> {
  readonly x: Float64Array;
  readonly time: number;
}

function createWorkspace(arm: CatchArm, task: CatchTask): { solver: CatchSolver; solution: CatchSolution } {
  const solver = new CatchSolver(arm, task);
  return { solver, solution: new CatchSolution(solver.problem) };
}
