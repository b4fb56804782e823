import { Flight } from "../flight/flight.js";
import { FlightStatus } from "../flight/flight-path.js";
import { JointRamps } from "../motion/joint-ramps.js";
import type { CatchArm } from "../planning/problem/catch-arm.js";
import type { CatchTask } from "../planning/problem/catch-problem.js";
import { ALL_CHECKS } from "../planning/problem/checks.js";
import { CatchSolution, CatchSolver } from "../planning/search/catch-solver.js";
import { iterationBudget } from "../planning/solver/solver-interface.js";
import type { ArmPlace } from "./arm-place.js";
import type { ArmPlanAnswer, ArmPlanner, ArmPlanRequest, CatchPlan } from "./arm-planner.js";
import { explainNoPlan } from "./no-plan-reason.js";

export interface InlinePlannerOptions {
  /** Starts of the global search. */
  readonly starts?: number;
  /** Iterations of each of its solves, and of a solve from the plan before. */
  readonly coldIterations?: number;
  readonly warmIterations?: number;
  /** Wall clock [ms], for `timings` alone: no plan depends on it. */
  readonly stopwatch?: () => number;
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
  readonly timings: PlannerTimings = { coldMs: [], fruitlessMs: [], warmMs: [] };
  readonly #arm: CatchArm;
  readonly #place: ArmPlace;
  readonly #options: Required<InlinePlannerOptions>;
  readonly #flight = new Flight();
  #workspace: { readonly solver: CatchSolver; readonly solution: CatchSolution } | null = null;
  #answer: ArmPlanAnswer | null = null;

  constructor(arm: CatchArm, place: ArmPlace, options: InlinePlannerOptions = {}) {
    this.#arm = arm;
    this.#place = place;
    this.#options = { starts: 16, coldIterations: 100, warmIterations: 60, stopwatch: () => 0, ...options };
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

  #plan(request: ArmPlanRequest): { plan: CatchPlan } | { plan: null; reason: string } {
    const { tStart, latest } = request;
    const ball = this.#place.ballInBase(request.ball, tStart);
    const status = this.#flight.reset(ball, this.#place.gravity, 0, Math.max(0, latest - tStart));
    if (status !== FlightStatus.ok) return { plan: null, reason: "the ball's state is not that of a flight" };
    const task = this.#task(request);
    this.#workspace ??= createWorkspace(this.#arm, task);
    const { solver, solution } = this.#workspace;
    this.#solve(solver, task, request, solution);
    if (!solution.found) return { plan: null, reason: explainNoPlan(solver, task, solution) };
    return { plan: planFrom(request, solution) };
  }

  #task({ mode, q0, w0, tStart, earliest, latest }: ArmPlanRequest): CatchTask {
    const { maxVelocity, maxAcceleration } = this.#arm;
    const { keepOut } = this.#place;
    return {
      mode,
      q0,
      w0,
      maxVelocity,
      maxAcceleration,
      path: this.#flight,
      keepOut,
      earliest: earliest - tStart,
      latest: latest - tStart,
      success: null,
      checks: ALL_CHECKS,
    };
  }

  #solve(solver: CatchSolver, task: CatchTask, { previous, tStart }: ArmPlanRequest, out: CatchSolution): void {
    const { starts, coldIterations, warmIterations } = this.#options;
    if (previous === null) {
      solver.cold(task, { starts, solve: iterationBudget(coldIterations) }, out);
      return;
    }
    const start = Float64Array.from(previous.unknowns);
    start[start.length - 1] = previous.tCatch - tStart;
    solver.warm(task, start, previous.warmStart, iterationBudget(warmIterations), out);
  }
}

function createWorkspace(arm: CatchArm, task: CatchTask): { solver: CatchSolver; solution: CatchSolution } {
  const solver = new CatchSolver(arm, task);
  return { solver, solution: new CatchSolution(solver.problem) };
}

function planFrom({ id, tStart }: ArmPlanRequest, solution: CatchSolution): CatchPlan {
  const ramps = new JointRamps(solution.ramps.count);
  ramps.copyFrom(solution.ramps);
  return {
    id,
    tStart,
    ramps,
    tCatch: tStart + solution.x[solution.x.length - 1]!,
    arrival: tStart + solution.arrival,
    objective: solution.objective,
    unknowns: Float64Array.from(solution.x),
    warmStart: Float64Array.from(solution.warmStart),
  };
}
