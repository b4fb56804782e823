import type { Robot } from "../../robot/robot.js";
import { RobotState } from "../../robot/state.js";
import { FlycatcherError } from "../../runtime/errors.js";
import type { PlannedMotion } from "../body/carried-motion.js";
import { carryArmTask } from "../body/carried-task.js";
import type { SolverName } from "../pool/catch-question.js";
import { EQUALITIES, inequalityCount } from "../problem/catch-problem.js";
import { CatchSolution } from "../search/catch-solver.js";
import { NloptSolver } from "../solver/nlopt-backend.js";
import type { SolveBudget } from "../solver/solver-interface.js";
import type { PlanAnswer, PlanStatus, Reason } from "./answer.js";
import { type ArmTask, buildArmTask } from "./arm-task.js";
import { describePlan, statusOf } from "./describe-plan.js";
import { LoadedRobots } from "./loaded-robots.js";
import { type PlannerSettings, standardSettings } from "./planner-settings.js";
import { explainMiss } from "./reasons.js";
import type { PlanRequest } from "./request.js";
import { type ResolvedRequest, type RobotSource, resolveRequest } from "./resolve-request.js";
import { SolverCache } from "./solver-cache.js";

export interface PlannerOptions {
  /** Where robots come from; default: the shipped ones by name, your own by the path of their robot.json. */
  readonly robots?: RobotSource;
  /** The time [s], for budgets and statistics; default: the machine's. Null: none, and only starts count. */
  readonly clock?: (() => number) | null;
  /** `nlopt` is there for comparison, and has to be made ready by `prepare`. Default: `sqp`. */
  readonly solver?: SolverName;
  /** What a request means that leaves something unsaid. */
  readonly settings?: Partial<PlannerSettings>;
}

/** A request taken up: checked, and put to each of the arms that may answer it. */
export interface PlanJob {
  readonly resolved: ResolvedRequest;
  /** One for each arm, with the body standing or coming to rest. */
  readonly armTasks: readonly ArmTask[];
  /** One for each arm, with the body helping; null where it is not to, or would not. */
  readonly helpedTasks: readonly (ArmTask | null)[];
  /** When it came, on the planner's clock [s]. */
  readonly started: number;
  /** When all was ready to search: the request's budget counts from here, for a robot may have had to be loaded first. */
  readonly searchFrom: number;
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

/** Whether some answer to a job may have torso or platform move. */
export function movesBody({ armTasks, helpedTasks }: PlanJob): boolean {
  return [...armTasks, ...helpedTasks].some((armTask) => armTask !== null && armTask.carrier !== null);
}

/** Share of an arm's time for the search with the body's help; the rest is for that without, if need be. */
const HELPED_SHARE = 0.7;

/** Iterations of one start; the few that need more are not worth it. */
export const ITERATIONS: Readonly<Record<SolverName, number>> = { sqp: 100, nlopt: 400 };

/**
 * Plans catches in the calling thread, one request after the other. It keeps what it builds for a robot and an arm, so
 * use one planner for many requests; no answer depends on an earlier request.
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
  readonly #cache = new SolverCache();
  readonly #nlopt = new Map<string, NloptSolver>();

  constructor(options: PlannerOptions = {}) {
    this.solver = options.solver ?? "sqp";
    this.#robots = options.robots ?? new LoadedRobots();
    this.#clock = options.clock === undefined ? machineClock : options.clock;
    this.#settings = { ...standardSettings, ...options.settings };
  }

  /** Where, when and how to catch the ball of `request`, or why it cannot be caught. Throws if the request is wrong. */
  plan(request: PlanRequest): PlanAnswer {
    const job = this.#take(request, (robot) => this.#cache.start(robot));
    const count = job.armTasks.length;
    const attempts = job.armTasks.map((resting, index) => {
      const helped = job.helpedTasks[index]!;
      const first = helped === null ? null : this.#attempt(job, helped, (index + HELPED_SHARE) / count);
      if (first !== null && first.motion !== null) return [first];
      const second = this.#attempt(job, resting, (index + 1) / count);
      return first === null ? [second] : [first, second];
    });
    return this.#answer(job, attempts);
  }

  /** Takes up a request for somebody else to search: `finish` makes the answer of what was found. */
  begin(request: PlanRequest): PlanJob {
    return this.#take(request, ({ model }) => new RobotState(model));
  }

  /** The answer to a job, from the search for each of its arms. */
  finish(job: PlanJob, solutions: readonly CatchSolution[]): PlanAnswer {
    const attempts = job.armTasks.map((armTask, index) => [this.#inspect(job.resolved, armTask, solutions[index]!)]);
    return this.#answer(job, attempts);
  }

  /** Searches a catch for one task until its share of the time is over. */
  #attempt(job: PlanJob, armTask: ArmTask, share: number): Attempt {
    const { task } = armTask;
    const { near, starts, robot } = job.resolved;
    const arm = this.#cache.arm(robot, armTask.arm.group, armTask.question.posture!);
    const { solver, solution: kept } = this.#cache.solver(arm, task, (key) => this.#backEnd(key));
    // The search without the body's help may follow, and must leave this one's result alone.
    const solution = armTask.carrier === null ? kept : new CatchSolution(solver.problem);
    const solve = this.#budget(job, share);
    if (near !== null) solver.polish(task, near, 1, solve, solution);
    if (near === null || !solution.found) solver.cold(task, { starts, solve }, solution);
    return this.#inspect(job.resolved, armTask, solution);
  }

  /** What is to be executed: for an arm on a moving body only what passes the check of all motions together. */
  #inspect(resolved: ResolvedRequest, armTask: ArmTask, solution: CatchSolution): Attempt {
    const { carrier } = armTask;
    const { group } = armTask.arm;
    if (!solution.found) return { armTask, solution, motion: null, refusal: null };
    const { ramps, clearance } = solution;
    if (carrier === null) {
      return { armTask, solution, motion: { dofs: group.dofs, ramps, clearance }, refusal: null };
    }
    const motions = this.#cache.carriedMotions(resolved.robot, group);
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
    const plan = describePlan(resolved, armTask, solution, motion, this.#cache.torques(resolved.robot));
    return { status: statusOf(solution), group: armTask.arm.group.name, body: armTask.body, ...plan };
  }

  /** Of the arm that comes nearest: by what its search ended on, and where there was none by its distance. */
  #describeMiss(resolved: ResolvedRequest, attempts: readonly Attempt[]) {
    const least = Math.min(...attempts.map(({ solution }) => solution.leastViolation));
    const misses = attempts.flatMap(({ armTask, solution, refusal }) => {
      if (solution.leastViolation !== least) return [];
      const reasons = refusal === null ? this.#explain(resolved, armTask, solution) : [refusal];
      const status: PlanStatus = refusal === null ? statusOf(solution) : "unreachable";
      return [{ status, group: armTask.arm.group.name, body: armTask.body, reasons }];
    });
    const distance = ({ reasons }: (typeof misses)[number]) => reasons[0]?.distance ?? Number.POSITIVE_INFINITY;
    return misses.reduce((a, b) => (distance(b) < distance(a) ? b : a));
  }

  /** Makes a planner with solver `nlopt` ready for requests like this one; for `sqp` there is nothing to do. */
  async prepare(request: PlanRequest): Promise<void> {
    if (this.solver !== "nlopt") return;
    for (const { arm, task } of this.begin(request).armTasks) {
      const shape = { n: arm.chain.dofCount + 1, equalityCount: EQUALITIES };
      const inequalities = inequalityCount(arm, task.keepOut);
      const solver = await NloptSolver.create({ ...shape, inequalityCount: inequalities });
      this.#nlopt.set(this.#cache.key(arm, task), solver);
    }
  }

  #take(request: PlanRequest, stateOf: (robot: Robot) => RobotState): PlanJob {
    const started = this.#clock?.() ?? 0;
    const resolved = resolveRequest(request, this.#robots, this.#settings, stateOf);
    const { robot, groups, start } = resolved;
    const tasks = groups.map((group) => {
      return carryArmTask(resolved, buildArmTask(resolved, this.#cache.arm(robot, group, start.q)));
    });
    const armTasks = tasks.map(({ resting }) => resting);
    const helpedTasks = tasks.map(({ helped }) => helped);
    return { resolved, armTasks, helpedTasks, started, searchFrom: this.#clock?.() ?? 0 };
  }

  /** The arms share the time: each has until its share of it is over. */
  #budget({ resolved, searchFrom }: PlanJob, share: number): SolveBudget {
    const iterations = ITERATIONS[this.solver];
    const { milliseconds } = resolved;
    if (milliseconds === null || this.#clock === null)
      return { iterations, clock: null, deadline: Number.POSITIVE_INFINITY };
    return { iterations, clock: this.#clock, deadline: searchFrom + (share * milliseconds) / 1000 };
  }

  #backEnd(key: string): NloptSolver | undefined {
    if (this.solver === "sqp") return undefined;
    const solver = this.#nlopt.get(key);
    if (solver !== undefined) return solver;
    throw new FlycatcherError("FLY_PLAN_SOLVER_NOT_LOADED", "NLopt is not ready for this request");
  }

  #explain(resolved: ResolvedRequest, armTask: ArmTask, solution: CatchSolution) {
    // Another request may have had its arm stand elsewhere meanwhile.
    this.#cache.arm(resolved.robot, armTask.arm.group, armTask.question.posture!);
    const { solver } = this.#cache.solver(armTask.arm, armTask.task, (key) => this.#backEnd(key));
    return explainMiss(resolved, armTask, solver, solution);
  }
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
