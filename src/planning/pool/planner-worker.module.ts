import { type Channel, type ChannelHandle, createChannel } from "../../channels/channel.js";
import type { GetPort } from "../../channels/get-port.js";
import type { PutPort } from "../../channels/put-port.js";
import type { ClockOrigin } from "../../runtime/clock.js";
import type { Logger } from "../../runtime/logger.js";
import { type RunningWorker, startWorker, type WorkerExit } from "../../runtime/start-worker.js";
import { copyJob } from "./job-codec.module.js";
import type { PlannerInput } from "./planner.module.js";
import type { PlannerArm } from "./planner-arm.js";
import { JobKind, PlannerJob, PlannerResult } from "./planner-packets.module.js";
import { WorkerControl } from "./worker-control.js";

/** What all workers of a pool have in common. */
export interface WorkerSetup {
  readonly arms: readonly PlannerArm[];
  readonly results: Channel<PlannerResult>;
  readonly clock: ClockOrigin;
  readonly practice: number;
  readonly logger: Logger | undefined;
}

/** A worker looks at the clock before each iteration; one that does not end within this hangs [ms]. */
const STOP_TIMEOUT_MS = 500;

/** What a worker has in hand: which part of which question. */
export interface Assignment {
  readonly ticket: number;
  readonly kind: JobKind;
  readonly attempt: number;
  readonly part: number;
  readonly parts: number;
}

/**
 * One planner thread as its pool sees it. A thread that has ended is of no more use: its successor is another
 * `PlannerWorker`, with channels of its own, so that nothing of the dead one lies about in them.
 */
export class PlannerWorker<A extends Assignment> {
  readonly index: number;
  /** What it works on; null: idle. */
  assignment: A | null = null;
  readonly #setup: WorkerSetup;
  readonly #control: WorkerControl;
  readonly #jobs: PutPort<PlannerJob>;
  readonly #progress: GetPort<PlannerResult>;
  readonly #worker: RunningWorker;
  /** Beats seen last, and when [ms]. */
  #beats = 0;
  #lastBeat = 0;

  /** Starts a thread and waits until it has loaded its arms and practised. */
  static async start<A extends Assignment>(index: number, setup: WorkerSetup): Promise<PlannerWorker<A>> {
    const jobs = createChannel(PlannerJob, { ringSize: 2, maxPutPorts: 1, maxGetPorts: 1, maxBorrows: 1 });
    const progress = createChannel(PlannerResult, { ringSize: 1, maxPutPorts: 1, maxGetPorts: 1, maxBorrows: 1 });
    const control = new WorkerControl();
    const { arms, results, clock, practice, logger } = setup;
    const handles: Record<"jobs" | "progress" | "results", ChannelHandle> = {
      jobs: jobs.handle,
      progress: progress.handle,
      results: results.handle,
    };
    const workerData: PlannerInput = { index, arms, ...handles, control: control.memory, clock, practice };
    const stopTimeoutMs = STOP_TIMEOUT_MS;
    const worker = await startWorker("planning/pool/planner", { workerData, stopTimeoutMs, ...(logger && { logger }) });
    return new PlannerWorker<A>(index, setup, worker, control, jobs, progress);
  }

  private constructor(
    index: number,
    setup: WorkerSetup,
    worker: RunningWorker,
    control: WorkerControl,
    jobs: Channel<PlannerJob>,
    progress: Channel<PlannerResult>,
  ) {
    this.index = index;
    this.#setup = setup;
    this.#worker = worker;
    this.#control = control;
    this.#jobs = jobs.openPutPort();
    this.#progress = progress.openGetPort("newest");
  }

  get threadId(): number {
    return this.#worker.threadId;
  }

  /** Settles when the thread has ended and what it had of the pool's channels has been given back. */
  get exited(): Promise<WorkerExit> {
    return this.#worker.exited.then((exit) => {
      this.#setup.results.reclaimThread(this.#worker.threadId);
      return exit;
    });
  }

  /** Gives the worker, which is idle, a job. */
  send(job: Readonly<PlannerJob>, deadline: number, assignment: A, nowMs: number): void {
    const packet = this.#jobs.reserve();
    copyJob(job, packet);
    packet.kind = assignment.kind;
    packet.ticket = assignment.ticket;
    packet.attempt = assignment.attempt;
    packet.part = assignment.part;
    packet.parts = assignment.parts;
    packet.deadline = deadline;
    this.assignment = assignment;
    this.#beats = this.#control.beats;
    this.#lastBeat = nowMs;
    this.#jobs.publish();
  }

  /** Lets it give up its job; it answers all the same. */
  cancel(): void {
    if (this.assignment !== null) this.#control.cancel(this.assignment.ticket);
  }

  /** Whether it has a job and has not moved for `timeoutMs`. */
  isStuck(nowMs: number, timeoutMs: number): boolean {
    const { beats } = this.#control;
    if (this.assignment === null || beats !== this.#beats) {
      this.#beats = beats;
      this.#lastBeat = nowMs;
      return false;
    }
    return nowMs - this.#lastBeat > timeoutMs;
  }

  /** Hands out the best so far of the job in hand, if it has said so. */
  readProgress(read: (result: Readonly<PlannerResult>) => void): void {
    const result = this.#progress.tryReceive();
    if (result === null) return;
    if (result.ticket === this.assignment?.ticket) read(result);
    this.#progress.release(result);
  }

  /** Asks the thread to end after its job, which it may give up. */
  async stop(): Promise<void> {
    this.cancel();
    const stopped = this.#worker.stop();
    this.#jobs.reserve().kind = JobKind.wake;
    this.#jobs.publish();
    await stopped;
  }

  /** Ends the thread at once, whatever it does. */
  async terminate(): Promise<void> {
    await this.#worker.thread.terminate();
  }
}
