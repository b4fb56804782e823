import { MessageChannel, type MessagePort, receiveMessageOnPort } from "node:worker_threads";
import type { JobMessage, ResultMessage } from "../../planning/pool/job-messages.js";
import type { JobRunnerInput } from "../../planning/pool/job-runner.js";
import type { ClockOrigin } from "../../runtime/clock.js";
import type { Logger } from "../../runtime/logger.js";
import { type RunningWorker, startWorker, type WorkerExit } from "../../transport/workers/start-worker.js";
import type { PlannerThreadInput } from "./planner-thread.module.js";
import { type ResultBell, WorkerControl } from "./worker-control.js";

/** What all workers of a pool have in common. */
export interface WorkerSetup {
  readonly runner: JobRunnerInput;
  readonly clock: ClockOrigin;
  readonly bell: ResultBell;
  readonly signal: AbortSignal | undefined;
  readonly logger: Logger | undefined;
}

/** A worker looks for a cancelled job before each iteration; one that does not end within this hangs [ms]. */
const STOP_TIMEOUT_MS = 500;
/** Loading robots with their collision proofs and the warm-up take seconds [ms]. */
const START_TIMEOUT_MS = 120_000;

/** What a worker has in hand. */
export interface Assignment {
  readonly ticket: number;
}

/**
 * One planner thread as its pool sees it. A thread that has ended is of no more use: its successor is another
 * `PlannerWorker`, with a port of its own, so that nothing of the dead one is left in it.
 */
export class PlannerWorker<A extends Assignment> {
  readonly index: number;
  /** What it works on; null: idle. */
  assignment: A | null = null;
  /** Settles when the thread has ended. */
  readonly exited: Promise<WorkerExit>;
  readonly #control: WorkerControl;
  readonly #port: MessagePort;
  readonly #worker: RunningWorker;
  /** Beats seen last, and when [ms]. */
  #beats = 0;
  #lastBeat = 0;

  /** Starts a thread and waits until it has loaded its robots and is warm. */
  static async start<A extends Assignment>(index: number, setup: WorkerSetup): Promise<PlannerWorker<A>> {
    const { runner, clock, bell, signal, logger } = setup;
    const { port1, port2 } = new MessageChannel();
    const control = new WorkerControl();
    const workerData: PlannerThreadInput = { runner, port: port2, control: control.memory, bell: bell.memory, clock };
    const worker = await startWorker("nodes/planner-host/planner-thread", {
      workerData,
      transferList: [port2],
      startTimeoutMs: START_TIMEOUT_MS,
      stopTimeoutMs: STOP_TIMEOUT_MS,
      ...(signal && { signal }),
      ...(logger && { logger }),
    });
    return new PlannerWorker<A>(index, worker, control, port1);
  }

  private constructor(index: number, worker: RunningWorker, control: WorkerControl, port: MessagePort) {
    this.index = index;
    this.exited = worker.exited;
    this.#worker = worker;
    this.#control = control;
    this.#port = port;
  }

  /** Calls `take` with each result that comes while the event loop turns. */
  listen(take: (result: ResultMessage) => void): void {
    this.#port.on("message", take);
    // The thread itself keeps the process alive.
    this.#port.unref();
  }

  /** A result that has come, without the event loop; undefined: none. */
  receive(): ResultMessage | undefined {
    return receiveMessageOnPort(this.#port)?.message as ResultMessage | undefined;
  }

  /** Gives the worker, which is idle, a job. */
  send(message: JobMessage, assignment: A, nowMs: number): void {
    this.assignment = assignment;
    this.#beats = this.#control.beats;
    this.#lastBeat = nowMs;
    this.#port.postMessage(message);
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

  /** Asks the thread to end after its job, which it may give up. */
  async stop(): Promise<void> {
    this.cancel();
    await this.#worker.stop();
    this.#port.close();
  }

  /** Ends the thread at once, whatever it does. */
  async terminate(): Promise<void> {
    await this.#worker.thread.terminate();
    this.#port.close();
  }
}
