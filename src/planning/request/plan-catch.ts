import { NloptSolver } from "../../optimisation/nlopt-backend.js";
import type { SolveBudget } from "../../optimisation/solver-interface.js";
import type { Robot } from "../../robot/robot.js";
import { FlycatcherError } from "../../runtime/errors.js";
import { BodyRule } from "../body/body-rule.js";
import { catchGroups } from "../problem/catch-arm.js";
import { EQUALITIES, inequalityCount } from "../problem/catch-problem.js";
import type { CatchSolution } from "../search/catch-solution.js";
import { MergedSolution, type SearchPart, searchPart, WHOLE } from "../search/merged-solution.js";
import type { PlanAnswer, PlanStatus, Reason } from "./answer.js";
import { type ArmTask, type ArmTasks, buildArmTasks } from "./arm-task.js";
import type { PlannedMotion } from "./carried-motion.js";
import { describePlan, statusOf } from "./describe-plan.js";
import { LoadedRobots, ObstacleScenes, RobotWorkspaces } from "./loaded-robots.js";
import { type PlannerSettings, standardSettings } from "./planner-settings.js";
import { explainMiss, timeIsOver } from "./reasons.js";
import type { PlanRequest } from "./request.js";
import { type ResolvedRequest, type RobotSource, resolveRequest } from "./resolve-request.js";

/** What solves the tasks: our SQP, or NLopt for comparison. */
type SolverName = "sqp" | "nlopt";

export interface PlannerOptions {
  /** Where robots come from; default: the shipped ones by name, your own by the path of their robot.json. */
  readonly robots?: RobotSource;
  /** The time [s], for budgets and statistics; default: the machine's. Null: none, and only starts count. */
  readonly clock?: (() => number) | null;
  /** `nlopt` is there for comparison, and has to be made ready by `prepare`. Default: `sqp`. */
  readonly solver?: SolverName;
  /** What a request means that leaves something unsaid. */
  readonly settings?: Partial<PlannerSettings>;
  /** Read before each iteration of the solver: true ends the search. */
  readonly isCancelled?: () => boolean;
}

/** When a request came and when its search must end, on the planner's clock [s]; a planner that is asked late needs both. */
export interface PlanTimes {
  readonly started: number;
  /** Infinity: no deadline. */
  readonly deadline: number;
}

/** A request taken up: checked, and put to each of the arms that may answer it. */
interface PlanJob {
  readonly resolved: ResolvedRequest;
  readonly arms: readonly ArmTasks[];
  /** When it came. */
  readonly started: number;
  /** When all was ready to search: the request's budget counts from here, for a robot may have had to be loaded first. */
  readonly searchFrom: number;
  /** Infinity: no deadline. */
  readonly deadline: number;
}

/** What came of the search for one task. */
interface Attempt {
  readonly armTask: ArmTask;
  readonly solution: CatchSolution;
  /** What is to be executed; null if nothing was found, or did not pass the last check. */
  readonly motion: PlannedMotion | null;
  /** What the last check found wrong with what was found. */
  readonly refusal: Reason | null;
}

/** Share of an arm's time for the search with the body's help; the rest is for that without, if need be. */
const HELPED_SHARE = 0.7;

/** Iterations of one start; the few that need more are not worth it. */
const ITERATIONS: Readonly<Record<SolverName, number>> = { sqp: 100, nlopt: 400 };

/**
 * Plans catches in the calling thread, one request after the other. It keeps what it builds for a robot and an arm, so
 * use one planner for many requests; no answer depends on an earlier request.
 *
 * `plan` is `search` for each arm and `answer` of what was found; several planners may share the searches of a request.
 *
 * @example
 * const planner = new Planner();
 * const { status, catch: caught } = planner.plan({
 *   robot: "lwr-arm",
 *   ball: { state: { position: [4.5, 0, 1.4], velocity: [-4.6, 0, 4.1] } },
 * });
 */
export class Planner {
  readonly solver: SolverName;
  readonly #robots: RobotSource;
  readonly #clock: (() => number) | null;
  readonly #settings: PlannerSettings;
  readonly #isCancelled: (() => boolean) | null;
  readonly #workspaces = new RobotWorkspaces();
  readonly #scenes = new ObstacleScenes();

  constructor(options: PlannerOptions = {}) {
    this.solver = options.solver ?? "sqp";
    this.#robots = options.robots ?? new LoadedRobots();
    this.#clock = options.clock === undefined ? machineClock : options.clock;
    this.#settings = { ...standardSettings, ...options.settings };
    this.#isCancelled = options.isCancelled ?? null;
  }

  /** Where, when and how to catch the ball of `request`, or why it cannot be caught. Throws if the request is wrong. */
  plan(request: PlanRequest, times?: PlanTimes): PlanAnswer {
    const job = this.#take(request, times);
    const count = job.arms.length;
    const attempts = job.arms.map((tasks, index) => {
      const helped = tasks.helped === null ? null : this.#attempt(job, tasks.helped, (index + HELPED_SHARE) / count);
      if (helped !== null && helped.motion !== null) return [helped];
      const resting = this.#attempt(job, tasks.resting, (index + 1) / count);
      return helped === null ? [resting] : [helped, resting];
    });
    return this.#answer(job, attempts);
  }

  /**
   * What the search finds for one of the request's arms, or a part of it: of the task with the body's help, and of the one
   * without where that is needed. A part of a search is for requests without the body's help and without an earlier catch.
   */
  search(request: PlanRequest, arm: number, part: SearchPart = WHOLE, times?: PlanTimes): MergedSolution[] {
    const job = this.#take(request, times, arm);
    const { helped, resting } = job.arms[0]!;
    if (part.parts > 1) return [this.#searchPart(job, resting, part)];
    const first = helped === null ? null : this.#attempt(job, helped, HELPED_SHARE);
    const second = first !== null && first.motion !== null ? null : this.#attempt(job, resting, 1);
    return [first, second].flatMap((attempt) => (attempt === null ? [] : [asMerged(attempt.solution)]));
  }

  /** The answer to a request, from what `search` found for each of its arms. */
  answer(request: PlanRequest, found: readonly (readonly MergedSolution[])[], times?: PlanTimes): PlanAnswer {
    const job = this.#take(request, times);
    const attempts = job.arms.map(({ helped, resting }, index) => {
      const tasks = helped === null ? [resting] : [helped, resting];
      return found[index]!.map((solution, k) => {
        this.#complete(job, tasks[k]!, solution);
        return this.#inspect(job.resolved, tasks[k]!, solution);
      });
    });
    return this.#answer(job, attempts);
  }

  /** The second half of a search that was made in parts, where there is to be one. */
  #complete(job: PlanJob, armTask: ArmTask, found: MergedSolution): void {
    if (!found.deservesMore) return;
    const solver = this.#solverFor(armTask);
    const more = solver.createSolution();
    const { starts } = job.resolved;
    solver.elsewhere(armTask.task, { starts, solve: this.#budget(job, 1) }, found, more);
    found.addStart(more, starts);
  }

  /** Builds all that requests for a robot need, so that the first of them does not wait for it. */
  load(name: string): void {
    const robot = this.#robots.get(name);
    const workspace = this.#workspaces.of(robot);
    for (const group of catchGroups(robot)) {
      workspace.planner(group);
      if (BodyRule.of(robot, group) !== null) workspace.carriedMotions(group);
    }
  }

  /** Makes a planner with solver `nlopt` ready for requests like this one; for `sqp` there is nothing to do. */
  async prepare(request: PlanRequest): Promise<void> {
    if (this.solver !== "nlopt") return;
    for (const { resting } of this.#take(request).arms) {
      const { arm, workspaces } = resting.planner;
      const { keepOut } = resting.task;
      const shape = { n: arm.chain.dofCount + 1, equalityCount: EQUALITIES };
      const solver = await NloptSolver.create({ ...shape, inequalityCount: inequalityCount(arm, keepOut) });
      workspaces.useBackEnd(keepOut.count, solver);
    }
  }

  /** Checks a request and puts it to each of its arms, or to the one named by its index. */
  #take(request: PlanRequest, times?: PlanTimes, arm?: number): PlanJob {
    const taken = this.#clock?.() ?? 0;
    let isNew = false;
    const startOf = (robot: Robot) => {
      isNew = !this.#workspaces.has(robot);
      return this.#workspaces.of(robot).start;
    };
    const resolved = resolveRequest(request, this.#robots, this.#settings, startOf, this.#scenes.among);
    const { robot, groups, milliseconds } = resolved;
    const workspace = this.#workspaces.of(robot);
    const asked = arm === undefined ? groups : groups.slice(arm, arm + 1);
    const arms = asked.map((group) => buildArmTasks(resolved, workspace.planner(group)));
    const searchFrom = this.#clock?.() ?? 0;
    const isUnlimited = milliseconds === null || this.#clock === null;
    const own = isUnlimited ? Number.POSITIVE_INFINITY : searchFrom + milliseconds / 1000;
    // What a robot takes to be loaded and built is not the request's time.
    const deadline = times === undefined ? own : times.deadline + (isNew ? searchFrom - taken : 0);
    return { resolved, arms, started: times?.started ?? taken, searchFrom, deadline };
  }

  /** Searches a catch for one task until its share of the time is over. */
  #attempt(job: PlanJob, armTask: ArmTask, share: number): Attempt {
    const { task } = armTask;
    const { near, starts } = job.resolved;
    const solver = this.#solverFor(armTask);
    const solution = solver.createSolution();
    const solve = this.#budget(job, share);
    if (near !== null) solver.polish(task, near, 1, { solve }, solution);
    if (near === null || !solution.found) solver.cold(task, { starts, solve }, solution);
    return this.#inspect(job.resolved, armTask, solution);
  }

  #searchPart(job: PlanJob, armTask: ArmTask, part: SearchPart): MergedSolution {
    const { starts } = job.resolved;
    return searchPart(this.#solverFor(armTask), armTask.task, { starts, solve: this.#budget(job, 1) }, part);
  }

  /** The solver for a task, the robot standing around the arm as the task has it. */
  #solverFor({ planner, task, posture }: ArmTask) {
    const { workspaces } = planner;
    if (this.solver === "nlopt" && workspaces.backEnd(task.keepOut.count) === undefined)
      throw new FlycatcherError("FLY_PLAN_SOLVER_NOT_LOADED", "NLopt is not ready for this request");
    planner.surround(posture, null);
    return workspaces.of(task).solver;
  }

  /** The arms share the time: each has until its share of it is over. */
  #budget({ searchFrom, deadline }: PlanJob, share: number): SolveBudget {
    const iterations = ITERATIONS[this.solver];
    const isCancelled = this.#isCancelled;
    if (deadline === Number.POSITIVE_INFINITY && isCancelled === null) return { iterations, clock: null, deadline };
    const now = deadline === Number.POSITIVE_INFINITY ? () => 0 : (this.#clock ?? (() => 0));
    const clock = isCancelled === null ? now : () => (isCancelled() ? Number.NaN : now());
    return { iterations, clock, deadline: searchFrom + share * (deadline - searchFrom) };
  }

  /** What is to be executed: for an arm on a moving body only what passes the check of all motions together. */
  #inspect(resolved: ResolvedRequest, armTask: ArmTask, solution: CatchSolution): Attempt {
    const { carrier, planner } = armTask;
    const { group } = planner.arm;
    if (!solution.found) return { armTask, solution, motion: null, refusal: null };
    const { ramps, clearance } = solution;
    if (carrier === null) {
      const motion = { dofs: group.dofs, ramps, clearance, rounded: null };
      if (resolved.maxJerk === null) return { armTask, solution, motion, refusal: null };
      const rounding = this.#workspaces.of(resolved.robot).jerkRounding(group);
      const { motion: rounded, refusal } = rounding.round(resolved, solution);
      return { armTask, solution, motion: rounded === null ? null : { ...motion, rounded }, refusal };
    }
    const motions = this.#workspaces.of(resolved.robot).carriedMotions(group);
    return { armTask, solution, ...motions.verify(resolved, carrier, solution) };
  }

  /** The answer from all attempts for each arm, the preferred ones first. */
  #answer({ resolved, started }: PlanJob, attempts: readonly (readonly Attempt[])[]): PlanAnswer {
    const all = attempts.flat();
    const best = bestOf(all);
    const outcome =
      best === null
        ? this.#describeMiss(
            resolved,
            attempts.map(([first]) => first!),
            all.some(({ solution }) => solution.cutShort),
          )
        : this.#describeCatch(resolved, best);
    const sum = (key: "starts" | "iterations" | "evaluations") =>
      all.reduce((total, { solution }) => total + solution[key], 0);
    return {
      ...outcome,
      robot: resolved.robot.name,
      mode: resolved.mode,
      statistics: {
        solver: this.solver,
        starts: sum("starts"),
        iterations: sum("iterations"),
        evaluations: sum("evaluations"),
        milliseconds: this.#clock === null ? 0 : 1000 * (this.#clock() - started),
      },
    };
  }

  #describeCatch(resolved: ResolvedRequest, { armTask, solution, motion }: Caught) {
    const plan = describePlan(resolved, armTask, solution, motion, this.#workspaces.of(resolved.robot).torques);
    return { status: statusOf(solution), group: armTask.planner.arm.group.name, body: armTask.body, ...plan };
  }

  /**
   * Of the arm that comes nearest: by what its search ended on, and where there was none by its distance. Where time ended a
   * search of any arm, nobody knows whether the ball is out of reach.
   */
  #describeMiss(resolved: ResolvedRequest, attempts: readonly Attempt[], isCutShort: boolean) {
    const least = Math.min(...attempts.map(({ solution }) => solution.leastViolation));
    const misses = attempts.flatMap(({ armTask, solution, refusal }) => {
      if (solution.leastViolation !== least) return [];
      const explain = () => explainMiss(resolved, armTask, this.#solverFor(armTask), solution);
      const reasons = withBudget(refusal === null ? explain() : [refusal], isCutShort);
      const isOpen = reasons.some(({ kind }) => kind === "budget");
      const status: PlanStatus = isOpen ? "budget-exhausted" : "unreachable";
      return [{ status, group: armTask.planner.arm.group.name, body: armTask.body, reasons }];
    });
    const distance = ({ reasons }: (typeof misses)[number]) => reasons[0]?.distance ?? Number.POSITIVE_INFINITY;
    return misses.reduce((a, b) => (distance(b) < distance(a) ? b : a));
  }
}

/** The reasons of a miss; that the time was over comes first, for the others hold only for what was looked at by then. */
function withBudget(reasons: readonly Reason[], isCutShort: boolean): Reason[] {
  if (!isCutShort || reasons.some(({ kind }) => kind === "budget")) return [...reasons];
  return [timeIsOver, ...reasons];
}

/** A solution that can pass between threads. */
function asMerged(solution: CatchSolution): MergedSolution {
  const merged = new MergedSolution(solution.ramps.count);
  merged.addStart(solution, 0);
  return merged;
}

type Caught = Attempt & { readonly motion: PlannedMotion };

/** The cheapest catch; null if there is none. */
function bestOf(attempts: readonly Attempt[]): Caught | null {
  const caught = attempts.filter((attempt): attempt is Caught => attempt.motion !== null);
  return caught.reduce<Caught | null>(
    (best, next) => (best === null || next.solution.cost < best.solution.cost ? next : best),
    null,
  );
}

function machineClock(): number {
  return performance.now() / 1000;
}

let shared: Planner | undefined;

/**
 * One plan. Without options all calls share one planner, and the same request gives the same plan to the last bit; with
 * options a planner is made for the call, so for many of them make a `Planner` yourself.
 *
 * @example
 * const answer = planCatch({ robot: "lwr-arm", ball: { state: { position: [4.5, 0, 1.4], velocity: [-4.6, 0, 4.1] } } });
 */
export function planCatch(request: PlanRequest, options?: Omit<PlannerOptions, "solver">): PlanAnswer {
  if (options !== undefined) return new Planner(options).plan(request);
  shared ??= new Planner();
  return shared.plan(request);
}
