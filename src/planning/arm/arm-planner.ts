import { JointRamps } from "../../motion/joint-ramps.js";
import { Evaluation } from "../../optimisation/problem-interface.js";
import { iterationBudget, type NonlinearSolver, type SolveBudget } from "../../optimisation/solver-interface.js";
import type { CatchArm } from "../problem/catch-arm.js";
import type { CatchTask } from "../problem/catch-problem.js";
import { ALL_CHECKS } from "../problem/checks.js";
import { centimetres, degrees } from "../problem/figures.js";
import type { SuccessCurve } from "../problem/success-curve.js";
import type { CatchSolution } from "../search/catch-solution.js";
import { CatchSolver } from "../search/catch-solver.js";
import { briefSearch, everyStart, type SearchPatience } from "../search/search-patience.js";
import { Verdict } from "../search/verify.js";
import { ApproachSearch } from "./approach.js";
import type { ArmPlanRequest, ArmPlanResult, CatchPlan, OtherMotions } from "./arm-plan.js";
import { ArmSight } from "./arm-sight.js";
import type { BallView } from "./ball-view.js";
import { MovingObstacleClearance } from "./moving-obstacle-clearance.js";
import { measureShortfall, type Shortfall } from "./shortfall.js";

export interface ArmPlannerOptions {
  /** Starts of the global search. */
  readonly starts?: number;
  /** When fewer of them are enough. Default: a brief search where the arm's inverse kinematics is analytic, else never. */
  readonly patience?: SearchPatience;
  /** Iterations of each of its solves, and of a solve from the plan before. */
  readonly coldIterations?: number;
  readonly warmIterations?: number;
  /** In real time: when an answer is too late. The best catch found by then is taken. Default: iterations alone count. */
  readonly deadline?: AnswerDeadline | null;
}

/** The last moment for an answer, by the run's clock: so long before the motion is to begin. */
interface AnswerDeadline {
  /** Time of the run [s]. */
  readonly clock: () => number;
  /** From the answer to control [s]. */
  readonly transport: number;
}

/** A question as seen from the arm's base: the task without ball and keep-out shapes. */
export type ArmQuestion = Omit<CatchTask, "path" | "keepOut" | "success">;

/**
 * Plans the catches of one arm, on a base that stands or moves, in the calling thread. It has no clock but the deadline's.
 * Nothing stays from one question to the next, so the same question has the same answer, bit by bit.
 *
 * `plan` answers a request whole. `task` and `workspaces` are its steps, for planners that describe more than a plan.
 *
 * @example
 * const planner = new CatchPlanner(buildCatchArm(robot, "rightArm"), robot.postures.get("ready")!);
 * const { plan } = planner.plan(request);
 */
export class CatchPlanner {
  /** With a clearance that `surround` sets; null where the robot has no collision bodies. */
  readonly arm: CatchArm;
  readonly workspaces: ArmWorkspaces;
  readonly #options: Required<ArmPlannerOptions>;
  readonly #clearance: MovingObstacleClearance | null;
  readonly #approach: ApproachSearch;
  readonly #posture: Float64Array;
  #sight: ArmSight | null = null;

  /** `posture` is the one the robot waits in. */
  constructor(arm: CatchArm, posture: Float64Array, options: ArmPlannerOptions = {}) {
    this.#clearance = arm.robot.hulls.length === 0 ? null : new MovingObstacleClearance(arm, posture);
    this.arm = { ...arm, clearance: this.#clearance };
    this.workspaces = new ArmWorkspaces(this.arm);
    this.#approach = new ApproachSearch(this.arm);
    this.#posture = posture;
    this.#options = {
      starts: 16,
      patience: arm.srs === null ? everyStart : briefSearch,
      coldIterations: 100,
      warmIterations: 60,
      deadline: null,
      ...options,
    };
  }

  plan(request: ArmPlanRequest): ArmPlanResult {
    const { id } = request;
    this.#sight ??= new ArmSight(this.arm.robot, this.arm.group.baseLink, this.arm.hand, this.#posture);
    const view = this.#sight.look(request);
    if (view === null) return { id, plan: null, reason: "the ball's state is not that of a flight", approach: null };
    this.surround(request.carrier.posture, request.others);
    const task = this.task(this.#question(request), view);
    const workspace = this.workspaces.of(task);
    this.#solve(workspace, task, request);
    const { solver, solution } = workspace;
    if (!solution.found) {
      const approach = this.#approachFor(request, task, view, solution);
      return { id, plan: null, reason: explainMissBriefly(solver, task, solution), approach };
    }
    const time = solution.x[solution.x.length - 1]!;
    const { x, ramps, arrival, objective, warmStart } = solution;
    return { id, plan: planFrom(request, view, { x, ramps, time, arrival, objective, warmStart, shortfall: 0 }) };
  }

  /** All that does not move stands in `posture` from now on, and `others` move. */
  surround(posture: Float64Array, others: OtherMotions | null): void {
    this.#clearance?.surround(posture, others);
  }

  /** What the solver is asked. */
  task(question: ArmQuestion, view: BallView): CatchTask {
    const { path, keepOut } = view;
    const { mode, earliest, latest } = question;
    return { ...question, path, keepOut, success: mode === "sure" ? successCurve(view, earliest, latest) : null };
  }

  #question({ mode, q0, w0, tStart, earliest, latest }: ArmPlanRequest): ArmQuestion {
    const { maxVelocity, maxAcceleration } = this.arm;
    const times = { earliest: earliest - tStart, latest: latest - tStart };
    return { mode, q0, w0, maxVelocity, maxAcceleration, ...times, checks: ALL_CHECKS };
  }

  #solve({ solver, solution }: ArmWorkspace, task: CatchTask, { previous, tStart }: ArmPlanRequest): void {
    const { starts, patience, coldIterations, warmIterations } = this.#options;
    if (previous === null) {
      solver.cold(task, { starts, patience, solve: this.#budget(coldIterations, tStart) }, solution);
      return;
    }
    const start = Float64Array.from(previous.unknowns);
    start[start.length - 1] = previous.tCatch - tStart;
    solver.warm(task, start, previous.warmStart, this.#budget(warmIterations, tStart), solution);
  }

  #budget(iterations: number, tStart: number): SolveBudget {
    const { deadline } = this.#options;
    if (deadline === null) return iterationBudget(iterations);
    return { iterations, clock: deadline.clock, deadline: tStart - deadline.transport };
  }

  /** What a search that found no catch is good for. A solve from the plan before is followed by a search. */
  #approachFor(request: ArmPlanRequest, task: CatchTask, view: BallView, solution: CatchSolution): CatchPlan | null {
    const { running, previous, tStart } = request;
    if (previous !== null) return null;
    const executed = running === null ? null : { end: running.ramps.end, time: running.tCatch - tStart };
    if (!this.#approach.find(task, solution, executed)) return null;
    const { ramps, time, shortfall } = this.#approach;
    const unknowns = { x: solution.leastViolated, warmStart: solution.warmStart };
    return planFrom(request, view, {
      ...unknowns,
      ramps,
      time,
      arrival: ramps.duration,
      objective: Number.NaN,
      shortfall,
    });
  }
}

/** The curve of success between two times [s], for the solver; null where it is not known. */
function successCurve({ success }: BallView, earliest: number, latest: number): SuccessCurve | null {
  return success?.curve(earliest, Math.max(latest, earliest)) ?? null;
}

/** A motion in the planner's memory; times from tStart on. */
interface FoundMotion extends Pick<CatchPlan, "ramps" | "arrival" | "objective" | "shortfall" | "warmStart"> {
  readonly x: Float64Array;
  readonly time: number;
}

/** What was found, in memory of its own. */
function planFrom({ id, tStart }: ArmPlanRequest, { success }: BallView, found: FoundMotion): CatchPlan {
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
    successProbability: success?.probability(time) ?? null,
    unknowns: Float64Array.from(x),
    warmStart: Float64Array.from(warmStart),
  };
}

/** A solver for one arm and one number of keep-out shapes, and room for its answer. */
interface ArmWorkspace {
  readonly solver: CatchSolver;
  readonly solution: CatchSolution;
}

/** Most workspaces of an arm: an entry has some hundred kilobytes. */
const MOST_WORKSPACES = 16;

/** The solvers of an arm, one for each number of keep-out shapes: memory, and what follows from the arm alone. */
class ArmWorkspaces {
  readonly #arm: CatchArm;
  /** By number of shapes, in the order of use, the oldest first. */
  readonly #workspaces = new Map<number, ArmWorkspace>();
  readonly #backEnds = new Map<number, NonlinearSolver>();

  constructor(arm: CatchArm) {
    this.#arm = arm;
  }

  /** The workspace for tasks like this one. */
  of(task: CatchTask): ArmWorkspace {
    const { count } = task.keepOut;
    const known = this.#workspaces.get(count);
    const workspace = known ?? this.#create(task);
    this.#workspaces.delete(count);
    this.#workspaces.set(count, workspace);
    return workspace;
  }

  /** From now on `solver` solves the tasks with this many keep-out shapes, instead of our own SQP. */
  useBackEnd(keepOutCount: number, solver: NonlinearSolver): void {
    this.#backEnds.set(keepOutCount, solver);
    this.#workspaces.delete(keepOutCount);
  }

  backEnd(keepOutCount: number): NonlinearSolver | undefined {
    return this.#backEnds.get(keepOutCount);
  }

  #create(task: CatchTask): ArmWorkspace {
    for (const oldest of this.#workspaces.keys()) {
      if (this.#workspaces.size < MOST_WORKSPACES) break;
      this.#workspaces.delete(oldest);
    }
    const solver = new CatchSolver(this.#arm, task, undefined, this.#backEnds.get(task.keepOut.count));
    return { solver, solution: solver.createSolution() };
  }
}

/** Below this a violated constraint is rounding. */
const NEGLIGIBLE = 1e-6;

/**
 * Why a search found no catch, in a few words: what the nearest candidate lacks most. That is the best start of an arm with
 * an analytic inverse kinematics, whose hand is at the ball and faces it, so that all it can lack is time and room; else
 * what the solver ended on. Answers to requests explain the same figures at length.
 */
function explainMissBriefly(solver: CatchSolver, task: CatchTask, solution: CatchSolution): string {
  const { problem, arm } = solver;
  if (solution.starts === 0) return "out of reach: the ball passes nowhere that the hand could face it";
  if (!(solution.leastViolation > NEGLIGIBLE)) {
    return solution.refusal === Verdict.ok ? "no start converged to a catch" : `the plan ${solution.refusal}`;
  }
  const start = new Float64Array(problem.n);
  const hasStart = arm.srs !== null && solver.bestStart(task, start);
  return describeWorst(measureShortfall(solver, hasStart ? start : solution.leastViolated, new Evaluation(problem)));
}

function describeWorst(shortfall: Shortfall): string {
  const { distance, turn, lag, overshoot, turnedAway, depth, overlap } = shortfall;
  const most = Math.max(lag, overshoot, turnedAway, depth, overlap);
  if (distance >= Math.max(turn, most)) return `out of reach by ${centimetres(distance)}`;
  if (turn >= most) return `the hand is tilted ${degrees(turn)} from the ball's path`;
  if (!(most > NEGLIGIBLE)) return "no start converged to a catch";
  if (lag === most) return `too fast: ${shortfall.laggingJoint} stays ${degrees(lag)} behind`;
  if (overshoot === most) return `${shortfall.overshootingJoint} overshoots its limit by ${degrees(overshoot)}`;
  if (turnedAway === most) return "the hand cannot face the ball";
  if (depth === most) return `the hand is ${centimetres(depth)} inside ${shortfall.shape}`;
  return `the arm touches the robot by ${centimetres(overlap)}`;
}
