import { FlightStatus } from "../../flight/flight-path.js";
import { FlycatcherError } from "../../runtime/errors.js";
import type { CatchArm } from "../problem/catch-arm.js";
import { EQUALITIES, inequalityCount } from "../problem/catch-problem.js";
import { CatchSolution, CatchSolver } from "../search/catch-solver.js";
import { MergedSolution } from "../search/merged-solution.js";
import { NloptSolver } from "../solver/nlopt-backend.js";
import type { NonlinearSolver } from "../solver/solver-interface.js";
import { JobTask } from "./job-task.module.js";
import type { LoadedArm } from "./planner-arm.js";
import { JobKind, jobLimits, type PlannerJob, SolverCode } from "./planner-packets.module.js";

/** Who looks on while a job is solved. */
export interface JobWatch {
  /** The run's time [s], read before each iteration; NaN ends the job. Null: neither deadline nor end. */
  readonly clock: (() => number) | null;
  /** After each start that was polished; `improved` tells whether it is the best so far. */
  polished(best: MergedSolution, improved: boolean): void;
}

/** Most workspaces kept: an entry has some hundred kilobytes. */
const MOST_WORKSPACES = 32;

/**
 * Solves jobs, one after the other, in one thread. What it keeps between two of them is memory and what follows from the
 * arm alone, so any solver with the same arms gives the same bits.
 */
export class JobSolver {
  readonly #arms: readonly LoadedArm[];
  /** By arm, number of keep-out shapes and solver, in the order of use, the oldest first. */
  readonly #workspaces = new Map<number, JobWorkspace>();

  constructor(arms: readonly LoadedArm[]) {
    this.#arms = arms;
  }

  get arms(): readonly LoadedArm[] {
    return this.#arms;
  }

  /** Whether `prepare` must be awaited before the job can be solved: NLopt loads asynchronously. */
  needsPreparing(job: Readonly<PlannerJob>): boolean {
    return job.solver === SolverCode.nlopt && !this.#workspaces.has(keyOf(job));
  }

  async prepare(job: Readonly<PlannerJob>): Promise<void> {
    const key = keyOf(job);
    const { arm } = this.#armOf(job);
    const task = new JobTask(arm.chain.dofCount, job.keepOutCount);
    task.read(job);
    const shape = { n: arm.chain.dofCount + 1, equalityCount: EQUALITIES };
    const solver = await NloptSolver.create({ ...shape, inequalityCount: inequalityCount(arm, task.keepOut) });
    this.#keep(key, new JobWorkspace(arm, job.keepOutCount, solver));
  }

  /** Whether NLopt is about to die of its leak: the thread is to be replaced. */
  get isExhausted(): boolean {
    for (const { backEnd } of this.#workspaces.values())
      if (backEnd instanceof NloptSolver && backEnd.isExhausted) return true;
    return false;
  }

  /** The best of the job's starts; overwritten by the next job. */
  solve(job: Readonly<PlannerJob>, watch: JobWatch): MergedSolution {
    return this.#standing(job).solve(job, watch);
  }

  /** Writes the starts of a cold search to `out`, best first, and returns how many there are. */
  findSeeds(job: Readonly<PlannerJob>, out: Float64Array): number {
    return this.#standing(job).findSeeds(job, out);
  }

  #standing(job: Readonly<PlannerJob>): JobWorkspace {
    const loaded = this.#armOf(job);
    loaded.stand(job.posture, job.postureCount);
    return this.#workspace(job, loaded);
  }

  #armOf(job: Readonly<PlannerJob>): LoadedArm {
    const loaded = this.#arms[job.arm];
    if (loaded !== undefined && loaded.arm.chain.dofCount === job.dofs) return loaded;
    throw new FlycatcherError("FLY_POOL_JOB_SIZE", "A planning job is not for one of the planner's arms", {
      path: "arm",
      expected: this.#arms.map(({ arm }, k) => `${k} (${arm.group.name}, ${arm.chain.dofCount} joints)`).join(", "),
      found: `${job.arm} (${job.dofs} joints)`,
    });
  }

  #workspace(job: Readonly<PlannerJob>, { arm }: LoadedArm): JobWorkspace {
    const key = keyOf(job);
    const known = this.#workspaces.get(key);
    if (known !== undefined) return known;
    if (job.solver === SolverCode.nlopt)
      throw new FlycatcherError("FLY_PLAN_SOLVER_NOT_LOADED", "NLopt is not ready for this job");
    const workspace = new JobWorkspace(arm, job.keepOutCount, undefined);
    this.#keep(key, workspace);
    return workspace;
  }

  #keep(key: number, workspace: JobWorkspace): void {
    for (const oldest of this.#workspaces.keys()) {
      if (this.#workspaces.size < MOST_WORKSPACES) break;
      this.#workspaces.delete(oldest);
    }
    this.#workspaces.set(key, workspace);
  }
}

function keyOf({ arm, keepOutCount, solver }: Readonly<PlannerJob>): number {
  return (arm * 1024 + keepOutCount) * 2 + solver;
}

/** All that jobs of one arm and one number of constraints share. */
class JobWorkspace {
  readonly backEnd: NonlinearSolver | undefined;
  readonly #arm: CatchArm;
  readonly #task: JobTask;
  readonly #best: MergedSolution;
  readonly #start: Float64Array;
  readonly #seeds: Float64Array;
  readonly #budget: { iterations: number; clock: (() => number) | null; deadline: number };
  #solver: { readonly solver: CatchSolver; readonly result: CatchSolution } | null = null;
  #warmStart = new Float64Array(0);

  constructor(arm: CatchArm, keepOutCount: number, backEnd: NonlinearSolver | undefined) {
    const { dofCount } = arm.chain;
    this.backEnd = backEnd;
    this.#arm = arm;
    this.#task = new JobTask(dofCount, keepOutCount);
    this.#best = new MergedSolution(dofCount);
    this.#start = new Float64Array(dofCount + 1);
    this.#seeds = new Float64Array(jobLimits.starts * (dofCount + 1));
    this.#budget = { iterations: 0, clock: null, deadline: Number.POSITIVE_INFINITY };
  }

  findSeeds(job: Readonly<PlannerJob>, out: Float64Array): number {
    if (this.#task.read(job) !== FlightStatus.ok) return 0;
    return this.#solverForTask().solver.seeds(this.#task, Math.min(job.starts, jobLimits.starts), out);
  }

  solve(job: Readonly<PlannerJob>, watch: JobWatch): MergedSolution {
    this.#best.reset();
    if (this.#task.read(job) !== FlightStatus.ok) return this.#best;
    this.#budget.iterations = job.iterations;
    this.#budget.deadline = job.deadline;
    this.#budget.clock = watch.clock;
    const { solver, result } = this.#solverForTask();
    if (this.#isOutOfTime()) this.#best.cutShort = true;
    else if (job.kind === JobKind.warm) this.#warm(job, solver, result, watch);
    else this.#polish(job, solver, result, watch);
    return this.#best;
  }

  #isOutOfTime(): boolean {
    const { clock, deadline } = this.#budget;
    return clock !== null && !(clock() <= deadline);
  }

  /** Made at the first task, which has to be a sound one. */
  #solverForTask(): { solver: CatchSolver; result: CatchSolution } {
    if (this.#solver !== null) return this.#solver;
    const solver = new CatchSolver(this.#arm, this.#task, undefined, this.backEnd);
    const result = new CatchSolution(solver.problem);
    this.#warmStart = new Float64Array(result.warmStart.length);
    this.#solver = { solver, result };
    return this.#solver;
  }

  /** One solve from the job's start; a state that another problem left says nothing of this one. */
  #warm(job: Readonly<PlannerJob>, solver: CatchSolver, result: CatchSolution, watch: JobWatch): void {
    const isOurs = job.warmStartCount === this.#warmStart.length;
    for (let k = 0; k < this.#warmStart.length; k++) this.#warmStart[k] = isOurs ? job.warmStart[k]! : 0;
    this.#take(job.givenStarts, 0);
    solver.warm(this.#task, this.#start, this.#warmStart, this.#budget, result);
    watch.polished(this.#best, this.#best.addStart(result, 0));
  }

  /** Every `parts`-th start, from number `part` on. */
  #polish(job: Readonly<PlannerJob>, solver: CatchSolver, result: CatchSolution, watch: JobWatch): void {
    const isCold = job.kind === JobKind.cold;
    const starts = isCold ? this.#seeds : job.givenStarts;
    const count = isCold ? solver.seeds(this.#task, Math.min(job.starts, jobLimits.starts), starts) : job.starts;
    for (let k = job.part; k < count && !this.#best.cutShort; k += job.parts) {
      this.#take(starts, k);
      solver.polish(this.#task, this.#start, 1, this.#budget, result);
      watch.polished(this.#best, this.#best.addStart(result, k));
    }
  }

  #take(starts: Float64Array, k: number): void {
    const n = this.#start.length;
    for (let i = 0; i < n; i++) this.#start[i] = starts[k * n + i]!;
  }
}
