import { createChannel } from "../../channels/channel.js";
import type { GetPort } from "../../channels/get-port.js";
import { allocatePacket } from "../../channels/packet.js";
import { RealTimeClock, type RunClock } from "../../runtime/clock.js";
import { FlycatcherError } from "../../runtime/errors.js";
import { AbortWatch } from "./abort-watch.js";
import type { CatchQuestion } from "./catch-question.js";
import { writeJob } from "./job-codec.module.js";
import { type CrewEvents, PlannerCrew } from "./planner-crew.module.js";
import {
  AnswerStatus,
  type CatchPlanner,
  type PlannerAnswer,
  type PlanOptions,
  planWith,
} from "./planner-interface.js";
import { JobKind, JobState, PlannerJob, PlannerResult } from "./planner-packets.module.js";
import type { PlannerWorker } from "./planner-worker.module.js";
import { type PoolOptions, type PoolStatistics, type ResolvedPoolOptions, resolvePoolOptions } from "./pool-options.js";
import { type PoolPart, PoolRequest } from "./pool-request.module.js";
import { RequestQueue } from "./request-queue.js";

/** How often a job is tried before the pool gives up on it. */
const MOST_ATTEMPTS = 3;
/** A worker's deadline is this much earlier than the question's, for its way back: at most [s], and as a share of the time left. */
const RETURN_TIME = 0.002;
const RETURN_SHARE = 0.2;

/**
 * Planner workers in threads of their own. A cold search is spread over the workers that are idle; a warm one goes to
 * whichever is. In a run without deadlines the number of workers changes nothing in any answer.
 *
 * @example
 * const pool = await PlannerPool.start({ arms: [{ robot: "lwr-arm", group: "arm", clearance: "none" }] });
 * const { solution } = await pool.plan(question, { search: { kind: "cold", starts: 32, iterations: 100 } });
 * await pool.close();
 */
export class PlannerPool implements CatchPlanner, CrewEvents<PoolPart> {
  readonly clock: RunClock;
  readonly #options: ResolvedPoolOptions;
  readonly #results: GetPort<PlannerResult>;
  readonly #crew: PlannerCrew<PoolPart>;
  readonly #queue = new RequestQueue<PoolRequest>();
  /** Parts of workers that were lost; they go before all that waits. */
  readonly #again: PoolPart[] = [];
  /** All that is not settled, in the order it came. */
  readonly #open = new Set<PoolRequest>();
  /** Memory of settled questions, for new ones. */
  readonly #freeJobs: PlannerJob[] = [];
  readonly #aborts = new AbortWatch<PoolRequest>((request) => this.#settle(request, AnswerStatus.cancelled));
  readonly #watchdog: NodeJS.Timeout;
  readonly #settled = { answered: 0, superseded: 0, cancelled: 0, refused: 0, failed: 0 };
  #tickets = 0;
  #jobs = 0;
  #jobSeconds = 0;
  #failure: string | null = null;
  #isClosed = false;

  static async start(options: PoolOptions): Promise<PlannerPool> {
    const pool = new PlannerPool(options);
    await pool.#crew.start();
    void pool.#listen();
    return pool;
  }

  private constructor(options: PoolOptions) {
    this.#options = resolvePoolOptions(options);
    const { arms, workers, practice, stuckTimeoutMs } = this.#options;
    this.clock = options.clock ?? new RealTimeClock();
    // A worker has one job at a time, so there are never more results than workers; those being replaced count twice.
    const ringSize = 2 ** Math.ceil(Math.log2(2 * workers));
    const results = createChannel(PlannerResult, { ringSize, maxPutPorts: 2 * workers, maxGetPorts: 1, maxBorrows: 1 });
    this.#results = results.openGetPort("every");
    const setup = { arms, results, clock: this.clock.origin, practice, logger: options.logger };
    this.#crew = new PlannerCrew(setup, this.#options, this);
    this.#watchdog = setInterval(() => this.poll(), stuckTimeoutMs / 4);
    this.#watchdog.unref();
  }

  plan(question: CatchQuestion, options: PlanOptions): Promise<PlannerAnswer> {
    return planWith(this, question, options);
  }

  submit(question: CatchQuestion, options: PlanOptions, settle: (answer: PlannerAnswer) => void): void {
    if (this.#isClosed) throw new FlycatcherError("FLY_POOL_CLOSED", "The planner pool is closed");
    const request = this.#accept(question, options, settle);
    if (options.signal?.aborted) this.#settle(request, AnswerStatus.cancelled);
    else if (this.#failure !== null) this.#settle(request, AnswerStatus.failed, this.#failure);
    else this.#enqueue(request);
  }

  poll(waitMs = 0): void {
    const first = this.#results.receive(Math.min(waitMs, this.#msToDeadline()));
    if (first !== null) this.#take(first);
    this.#takeAll();
    for (const request of this.#open) if (!(this.clock.nowSeconds() < request.deadline)) this.#expire(request);
    this.#crew.replaceStuck(performance.now());
  }

  statistics(): PoolStatistics {
    return {
      workers: this.#crew.present,
      busyWorkers: this.#crew.busy().length,
      waiting: this.#queue.length,
      settled: { ...this.#settled },
      replaced: this.#crew.replaced,
      recycled: this.#crew.recycled,
      jobs: this.#jobs,
      meanJobSeconds: this.#jobSeconds / this.#jobs,
    };
  }

  /** Ends a worker's thread as a fault would, to try out the recovery. */
  async strikeWorker(index: number): Promise<void> {
    await this.#crew.strike(index);
  }

  /** All that is still open is cancelled. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    clearInterval(this.#watchdog);
    for (const request of this.#open) this.#settle(request, AnswerStatus.cancelled);
    await this.#crew.close();
    this.#results.close();
  }

  #accept(question: CatchQuestion, options: PlanOptions, settle: (answer: PlannerAnswer) => void): PoolRequest {
    const job = this.#freeJobs.pop() ?? allocatePacket(PlannerJob);
    const { search, solver = "sqp", deadline = Number.POSITIVE_INFINITY, drill = "none" } = options;
    try {
      if (this.#options.arms[question.arm] === undefined) throw unknownArm(question.arm, this.#options.arms);
      writeJob(question, { search, solver, deadline, drill }, job);
    } catch (error) {
      this.#freeJobs.push(job);
      throw error;
    }
    const request = new PoolRequest(job, options, settle);
    this.#open.add(request);
    if (request.signal !== undefined) this.#aborts.add(request.signal, request);
    return request;
  }

  #enqueue(request: PoolRequest): void {
    this.#replaceWaiting(request);
    this.#queue.add(request);
    this.#dispatch();
    const isTooMuch = this.#queue.lengthOf(request.priority) > this.#options.capacity;
    if (isTooMuch) this.#settle(request, AnswerStatus.refused);
    else this.#watchDeadline(request);
  }

  /** Of one ball only the newest question need wait. */
  #replaceWaiting({ track }: PoolRequest): void {
    if (track === undefined) return;
    for (const other of this.#open)
      if (other.track === track && other.state === "waiting" && this.#queue.remove(other))
        this.#settle(other, AnswerStatus.superseded);
  }

  #watchDeadline(request: PoolRequest): void {
    if (request.state === "settled" || request.deadline === Number.POSITIVE_INFINITY) return;
    const leftMs = Math.max(0, 1000 * (request.deadline - this.clock.nowSeconds()));
    request.timer = setTimeout(() => this.#expire(request), leftMs);
  }

  /** Until the first deadline [ms]. */
  #msToDeadline(): number {
    let first = Number.POSITIVE_INFINITY;
    for (const { deadline } of this.#open) first = Math.min(first, deadline);
    return Math.max(0, 1000 * (first - this.clock.nowSeconds()));
  }

  /** Gives idle workers something to do: live questions first, and of either kind what was lost before what is new. */
  #dispatch(): void {
    for (const priority of ["live", "service"] as const) {
      for (let idle = this.#crew.idle(priority); idle.length > 0; idle = this.#crew.idle(priority)) {
        const part = this.#takeAgain(priority);
        const request = part === undefined ? this.#queue.next(priority) : undefined;
        if (part !== undefined) this.#send(idle[0]!, part);
        else if (request !== undefined) this.#spread(request, idle);
        else break;
      }
    }
  }

  #takeAgain(priority: PoolRequest["priority"]): PoolPart | undefined {
    const index = this.#again.findIndex(({ request }) => request.priority === priority);
    return index < 0 ? undefined : this.#again.splice(index, 1)[0];
  }

  /** Starts a question on its share of the idle workers. */
  #spread(request: PoolRequest, idle: readonly PlannerWorker<PoolPart>[]): void {
    const waiting = this.#queue.lengthOf(request.priority);
    const { kind, parts } = request.divide(Math.floor(idle.length / (1 + waiting)));
    request.state = "running";
    request.openParts = parts;
    for (let part = 0; part < parts; part++)
      this.#send(idle[part]!, { request, ticket: this.#newTicket(), kind, attempt: 0, part, parts });
  }

  #newTicket(): number {
    this.#tickets = (this.#tickets + 1) >>> 0 || 1;
    return this.#tickets;
  }

  #send(worker: PlannerWorker<PoolPart>, part: PoolPart): void {
    const { deadline, job } = part.request;
    const left = deadline - this.clock.nowSeconds();
    worker.send(job, deadline - Math.min(RETURN_TIME, RETURN_SHARE * Math.max(0, left)), part, performance.now());
  }

  async #listen(): Promise<void> {
    for (;;) {
      const result = await this.#results.receiveAsync();
      if (result === null) return;
      this.#take(result);
    }
  }

  #takeAll(): void {
    for (let result = this.#results.tryReceive(); result !== null; result = this.#results.tryReceive())
      this.#take(result);
  }

  /** Takes over a result and gives its memory back before anybody hears of it. */
  #take(result: Readonly<PlannerResult>): void {
    const worker = this.#crew.withTicket(result.worker, result.ticket);
    const part = worker?.assignment ?? null;
    const failure = result.state === JobState.failed ? result.message.read() : null;
    const { exhausted, seconds } = result;
    if (part !== null && part.request.state !== "settled" && failure === null) take(result, part);
    this.#results.release(result);
    if (worker === null || part === null) return;
    worker.assignment = null;
    this.#jobs++;
    this.#jobSeconds += seconds;
    if (exhausted) this.#crew.recycle(worker);
    if (part.request.state !== "settled") this.#conclude(part, failure, exhausted);
    this.#dispatch();
  }

  #conclude(part: PoolPart, failure: string | null, exhausted: boolean): void {
    const { request } = part;
    if (failure === null && request.openParts > 0) return;
    if (failure === null) this.#proceed(request);
    else if (exhausted) this.#tryAgain(part, failure);
    else this.#settle(request, AnswerStatus.failed, failure);
  }

  /** With the starts of a search found they are polished; after that it is over. */
  #proceed(request: PoolRequest): void {
    if (request.isDivisible) this.#queue.addFirst(request);
    else this.#answer(request);
  }

  #tryAgain(part: PoolPart, why: string): void {
    const attempt = part.attempt + 1;
    if (attempt < MOST_ATTEMPTS) this.#again.push({ ...part, attempt, ticket: this.#newTicket() });
    else this.#settle(part.request, AnswerStatus.failed, `${MOST_ATTEMPTS} workers in a row: ${why}`);
  }

  /** Of one ball no answer comes after a newer one. */
  #answer(request: PoolRequest): void {
    for (const older of this.#open) {
      if (older === request) break;
      if (request.track !== undefined && older.track === request.track) this.#settle(older, AnswerStatus.superseded);
    }
    this.#settle(request, AnswerStatus.answered);
  }

  /** The deadline is here: the best that is known now is the answer. */
  #expire(request: PoolRequest): void {
    this.#takeAll();
    if (request.state === "settled") return;
    for (const worker of this.#crew.busy())
      if (worker.assignment!.request === request) worker.readProgress((result) => request.rescue(result));
    request.cutShort();
    this.#answer(request);
    this.#dispatch();
  }

  #settle(request: PoolRequest, status: AnswerStatus, failure?: string): void {
    if (!this.#open.delete(request)) return;
    if (request.signal !== undefined) this.#aborts.remove(request.signal, request);
    this.#queue.remove(request);
    for (const worker of this.#crew.busy()) if (worker.assignment!.request === request) worker.cancel();
    for (let k = this.#again.length - 1; k >= 0; k--) if (this.#again[k]!.request === request) this.#again.splice(k, 1);
    this.#settled[status]++;
    this.#freeJobs.push(request.job);
    request.settle(failure === undefined ? { status } : { status, failure });
  }

  /** From the crew. */
  ready(): void {
    this.#dispatch();
  }

  /** From the crew. */
  lost(worker: PlannerWorker<PoolPart>, part: PoolPart | null): void {
    if (part !== null && part.request.state !== "settled") {
      worker.readProgress((result) => part.request.rescue(result));
      this.#tryAgain(part, "they died or were stuck");
    }
    this.#dispatch();
  }

  /** From the crew. */
  broken(error: unknown): void {
    this.#failure = `no worker can be started: ${error instanceof Error ? error.message : String(error)}`;
    for (const request of this.#open) this.#settle(request, AnswerStatus.failed, this.#failure);
  }
}

function take(result: Readonly<PlannerResult>, { request, kind, parts }: PoolPart): void {
  if (kind === JobKind.seeds) request.addSeeds(result);
  else request.add(result, parts);
}

function unknownArm(found: number, arms: PoolOptions["arms"]): FlycatcherError {
  return new FlycatcherError("FLY_POOL_JOB_SIZE", "The planner pool does not have this arm", {
    path: "arm",
    expected: `0 to ${arms.length - 1}`,
    found: String(found),
  });
}
