import { errorOf, type JobMessage, type ResultMessage, reviveResult } from "../../planning/pool/job-messages.js";
import { JobQueue, type QueuedJob } from "../../planning/pool/job-queue.js";
import { unknownArm } from "../../planning/pool/job-runner.js";
import {
  AnswerStatus,
  type JobOptions,
  type JobPlanner,
  type PlannerAnswer,
  type PlannerJob,
  type PlannerPriority,
} from "../../planning/pool/jobs.js";
import { RealTimeClock, type RunClock } from "../../runtime/clock.js";
import { FlycatcherError } from "../../runtime/errors.js";
import { getOrCreate } from "../../runtime/get-or-create.js";
import { type CrewEvents, PlannerCrew } from "./planner-crew.module.js";
import type { Assignment, PlannerWorker } from "./planner-worker.module.js";
import { type PoolOptions, type PoolStatistics, type ResolvedPoolOptions, resolvePoolOptions } from "./pool-options.js";
import { ResultBell } from "./worker-control.js";

/** How often a job is tried before the pool gives up on it. */
const MOST_ATTEMPTS = 3;

/** A job on its way through the pool. */
interface PoolJob extends QueuedJob, Assignment, Pick<JobMessage, "job" | "drill"> {
  readonly signal: AbortSignal | undefined;
  /** How often it was tried before. */
  attempt: number;
  readonly settle: (answer: PlannerAnswer) => void;
}

/**
 * Planner workers in threads of their own, which do one job each at a time. In a run without deadlines the number of
 * workers changes nothing in any answer.
 *
 * @example
 * const pool = await PlannerPool.start({ robots: ["lwr-arm"] });
 * const answer = await pool.plan({ kind: "plan", request });
 * await pool.close();
 */
export class PlannerPool implements JobPlanner, CrewEvents<PoolJob> {
  readonly clock: RunClock;
  readonly #options: ResolvedPoolOptions;
  readonly #crew: PlannerCrew<PoolJob>;
  readonly #queue: JobQueue<PoolJob>;
  readonly #bell = new ResultBell();
  readonly #aborts = new AbortWatch<PoolJob>((job) => this.#settle(job, { status: AnswerStatus.cancelled }));
  readonly #watchdog: NodeJS.Timeout;
  readonly #settled = { answered: 0, superseded: 0, cancelled: 0, refused: 0, failed: 0 };
  #tickets = 0;
  #jobs = 0;
  #jobSeconds = 0;
  #failure: Error | null = null;
  #isClosed = false;

  static async start(options: PoolOptions): Promise<PlannerPool> {
    const pool = new PlannerPool(options);
    await pool.#crew.start();
    return pool;
  }

  private constructor(options: PoolOptions) {
    this.#options = resolvePoolOptions(options);
    const { runner, capacity, stuckTimeoutMs } = this.#options;
    this.clock = options.clock ?? new RealTimeClock();
    this.#queue = new JobQueue(capacity);
    const { logger, signal } = options;
    const setup = { runner, clock: this.clock.origin, bell: this.#bell, signal, logger };
    this.#crew = new PlannerCrew(setup, this.#options, this);
    this.#watchdog = setInterval(() => this.poll(), stuckTimeoutMs / 4);
    this.#watchdog.unref();
  }

  idleWorkers(priority: PlannerPriority): number {
    return this.#crew.idle(priority).length;
  }

  plan<J extends PlannerJob>(job: J, options: JobOptions = {}): Promise<PlannerAnswer<J["kind"]>> {
    return new Promise((resolve) => this.submit(job, options, resolve));
  }

  submit<J extends PlannerJob>(job: J, options: JobOptions, settle: (answer: PlannerAnswer<J["kind"]>) => void): void {
    if (this.#isClosed) throw new FlycatcherError("FLY_POOL_CLOSED", "The planner pool is closed");
    const armCount = this.#options.runner.arms?.length ?? 0;
    if (job.kind === "arm" && !(job.arm >= 0 && job.arm < armCount)) throw unknownArm(job.arm, armCount);
    const { signal, track, priority = "service", place = "last", drill = "none" } = options;
    const accepted: PoolJob = {
      job,
      signal,
      track,
      priority,
      drill,
      ticket: this.#newTicket(),
      attempt: 0,
      settle: settle as PoolJob["settle"],
    };
    for (const older of this.#queue.add(accepted, place)) this.#settle(older, { status: AnswerStatus.superseded });
    if (signal !== undefined) this.#aborts.add(signal, accepted);
    if (signal?.aborted) this.#settle(accepted, { status: AnswerStatus.cancelled });
    else if (this.#failure !== null) this.#settle(accepted, { status: AnswerStatus.failed, error: this.#failure });
    else this.#dispatch();
    const isTooMuch = place === "last" && this.#queue.isOverfull(priority);
    if (isTooMuch) this.#settle(accepted, { status: AnswerStatus.refused });
  }

  poll(waitMs = 0): void {
    const seen = this.#bell.count;
    if (!this.#takeAll() && waitMs > 0) {
      this.#bell.wait(seen, waitMs);
      this.#takeAll();
    }
    this.#crew.replaceStuck(performance.now());
  }

  statistics(): PoolStatistics {
    return {
      workers: this.#crew.present,
      busyWorkers: this.#crew.busy().length,
      waiting: this.#queue.length,
      settled: { ...this.#settled },
      replaced: this.#crew.replaced,
      jobs: this.#jobs,
      meanJobSeconds: this.#jobSeconds / this.#jobs,
    };
  }

  /** Ends a worker's thread as a fault would, to try out the recovery. */
  async killWorker(index: number): Promise<void> {
    await this.#crew.kill(index);
  }

  /** All that is still open is cancelled. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    clearInterval(this.#watchdog);
    for (const job of this.#queue.open) this.#settle(job, { status: AnswerStatus.cancelled });
    await this.#crew.close();
  }

  #newTicket(): number {
    this.#tickets = (this.#tickets + 1) >>> 0 || 1;
    return this.#tickets;
  }

  /** Gives idle workers something to do, live jobs first. */
  #dispatch(): void {
    for (const priority of ["live", "service"] as const) {
      for (const worker of this.#crew.idle(priority)) {
        const next = this.#queue.next(priority);
        if (next === undefined) break;
        const { ticket, attempt, drill, job } = next;
        worker.send({ ticket, attempt, drill, job }, next, performance.now());
      }
    }
  }

  /** Takes in all results that have come; whether there was one. */
  #takeAll(): boolean {
    let hasTaken = false;
    for (const worker of this.#crew.busy()) {
      for (let result = worker.receive(); result !== undefined; result = worker.receive()) {
        hasTaken = true;
        this.result(worker, result);
      }
    }
    return hasTaken;
  }

  /** From the crew. */
  result(worker: PlannerWorker<PoolJob>, { ticket, seconds, outcome }: ResultMessage): void {
    const { assignment } = worker;
    if (assignment?.ticket !== ticket) return;
    worker.assignment = null;
    this.#jobs++;
    this.#jobSeconds += seconds;
    if ("failure" in outcome)
      this.#settle(assignment, { status: AnswerStatus.failed, error: errorOf(outcome.failure) });
    else this.#answer(assignment, outcome.result);
    this.#dispatch();
  }

  /** Of one ball no answer comes after a newer one. */
  #answer(job: PoolJob, result: Parameters<typeof reviveResult>[1]): void {
    for (const older of this.#queue.outdatedBy(job)) this.#settle(older, { status: AnswerStatus.superseded });
    this.#settle(job, { status: AnswerStatus.answered, result: reviveResult(job.job.kind, result) });
  }

  #settle(job: PoolJob, answer: PlannerAnswer): void {
    if (!this.#queue.settle(job)) return;
    if (job.signal !== undefined) this.#aborts.remove(job.signal, job);
    for (const worker of this.#crew.busy()) if (worker.assignment === job) worker.cancel();
    this.#settled[answer.status]++;
    try {
      job.settle(answer);
    } catch (error) {
      // The caller's fault; the pool goes on, and Node reports it.
      queueMicrotask(() => {
        throw error;
      });
    }
  }

  /** From the crew. */
  ready(): void {
    this.#dispatch();
  }

  /** From the crew. */
  lost(job: PoolJob | null): void {
    if (job !== null && this.#queue.open.has(job)) this.#tryAgain(job);
    this.#dispatch();
  }

  #tryAgain(job: PoolJob): void {
    job.attempt++;
    if (job.attempt < MOST_ATTEMPTS) this.#queue.repeat(job);
    else this.#settle(job, { status: AnswerStatus.failed, error: jobFailed(`${MOST_ATTEMPTS} workers in a row`) });
  }

  /** From the crew. */
  broken(error: unknown): void {
    this.#failure = jobFailed(`no worker can be started: ${error instanceof Error ? error.message : String(error)}`);
    for (const job of this.#queue.open) this.#settle(job, { status: AnswerStatus.failed, error: this.#failure });
  }
}

function jobFailed(found: string): FlycatcherError {
  const expected = "workers that live and answer";
  return new FlycatcherError("FLY_POOL_JOB_FAILED", "A planning job was lost with its workers", { expected, found });
}

/**
 * Hears of signals on behalf of many: one listener a signal, however many of a batch share it (Node warns of a leak
 * beyond ten).
 */
export class AbortWatch<T> {
  readonly #onAbort: (member: T) => void;
  readonly #watched = new Map<AbortSignal, { readonly members: Set<T>; readonly listener: () => void }>();

  constructor(onAbort: (member: T) => void) {
    this.#onAbort = onAbort;
  }

  add(signal: AbortSignal, member: T): void {
    const { members } = getOrCreate(this.#watched, signal, () => {
      const listener = () => this.#abort(signal);
      signal.addEventListener("abort", listener);
      return { members: new Set<T>(), listener };
    });
    members.add(member);
  }

  remove(signal: AbortSignal, member: T): void {
    const watched = this.#watched.get(signal);
    if (watched === undefined) return;
    watched.members.delete(member);
    if (watched.members.size > 0) return;
    this.#watched.delete(signal);
    signal.removeEventListener("abort", watched.listener);
  }

  #abort(signal: AbortSignal): void {
    for (const member of [...(this.#watched.get(signal)?.members ?? [])]) this.#onAbort(member);
  }
}
