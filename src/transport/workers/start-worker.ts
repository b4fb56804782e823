import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import {
  MessageChannel,
  type WorkerOptions as NodeWorkerOptions,
  type ResourceLimits,
  Worker,
} from "node:worker_threads";
import { FlycatcherError } from "../../runtime/errors.js";
import type { Logger } from "../../runtime/logger.js";
import { packageRoot } from "../../runtime/package-root.js";
import type { WorkerBoot } from "./worker-context.js";

export interface WorkerOptions {
  /** What the worker gets from `workerInput()`; shared memory is shared, the rest is cloned. */
  readonly workerData?: unknown;
  /** Objects of `workerData` that are handed over instead of cloned. */
  readonly transferList?: NonNullable<NodeWorkerOptions["transferList"]>;
  readonly resourceLimits?: ResourceLimits;
  /** How long the worker may take until it calls `workerReady()` [ms]. */
  readonly startTimeoutMs?: number;
  /** How long `stop()` waits for the worker to end by itself [ms]. */
  readonly stopTimeoutMs?: number;
  /** Ends the worker at once if it has not started by then. */
  readonly signal?: AbortSignal;
  readonly logger?: Logger;
  /** Called once, when a worker that had been ready has ended, whatever the reason. */
  readonly onExit?: (exit: WorkerExit) => void;
}

/** How a worker ended. */
export interface WorkerExit {
  readonly name: string;
  /** finished: by itself · stopped: on request · terminated: did not end when asked · crashed: an error or exit code. */
  readonly reason: "finished" | "stopped" | "terminated" | "crashed";
  readonly exitCode: number;
  /** FLY_WORKER_CRASHED with its cause, where it crashed. */
  readonly error?: FlycatcherError;
}

/** A worker that is ready. */
export interface RunningWorker {
  readonly name: string;
  readonly threadId: number;
  /** The thread itself, for messages. */
  readonly thread: Worker;
  /** Settles when the worker has ended; never rejects. */
  readonly exited: Promise<WorkerExit>;
  /** Asks the worker to end, and terminates it if it does not; further calls wait for the same end. */
  stop(): Promise<WorkerExit>;
}

const defaultStartTimeoutMs = 30_000;
const defaultStopTimeoutMs = 2000;

/**
 * Starts a worker thread from the build and waits until it is ready.
 *
 * @param name Path below `src/` without `.module.ts`, as in "planning/planner"; or the URL of a compiled file.
 */
export async function startWorker(name: string | URL, options: WorkerOptions = {}): Promise<RunningWorker> {
  const file = locateWorker(name);
  const label = typeof name === "string" ? name : (fileURLToPath(name).split(/[\\/]/).at(-1) ?? "worker");
  const worker = new ManagedWorker(label, file, options);
  await worker.ready;
  return worker;
}

function locateWorker(name: string | URL): URL {
  const path =
    typeof name === "string" ? join(packageRoot, "dist", "bundle", `${name}.module.js`) : fileURLToPath(name);
  if (!existsSync(path)) {
    throw new FlycatcherError("FLY_WORKER_NOT_BUILT", `The worker ${name} has not been built`, { path });
  }
  return pathToFileURL(path);
}

class ManagedWorker implements RunningWorker {
  readonly name: string;
  readonly threadId: number;
  readonly thread: Worker;
  readonly exited: Promise<WorkerExit>;
  readonly ready: Promise<void>;
  readonly #stopSignal = new Int32Array(new SharedArrayBuffer(4));
  readonly #control = new MessageChannel();
  readonly #stopTimeoutMs: number;
  #failure: unknown;
  #state: "starting" | "ready" | "stopping" | "terminating" = "starting";

  constructor(name: string, file: URL, options: WorkerOptions) {
    this.name = name;
    this.#stopTimeoutMs = options.stopTimeoutMs ?? defaultStopTimeoutMs;
    const boot: WorkerBoot = { control: this.#control.port2, stopSignal: this.#stopSignal };
    this.thread = new Worker(file, {
      name,
      workerData: { flycatcher: boot, input: options.workerData },
      transferList: [boot.control, ...(options.transferList ?? [])],
      ...(options.resourceLimits && { resourceLimits: options.resourceLimits }),
    });
    this.threadId = this.thread.threadId;
    this.thread.once("error", (error: unknown) => {
      this.#failure = error ?? new Error("the worker threw undefined");
    });
    this.exited = new Promise((resolve) => this.thread.once("exit", (code) => resolve(this.#describeExit(code))));
    this.ready = this.#awaitReady(options.startTimeoutMs ?? defaultStartTimeoutMs, options.signal);
    this.#report(options);
  }

  async stop(): Promise<WorkerExit> {
    if (this.#state === "ready") {
      this.#state = "stopping";
      Atomics.store(this.#stopSignal, 0, 1);
      Atomics.notify(this.#stopSignal, 0);
      this.#control.port1.postMessage("stop");
      const patience = setTimeout(() => this.#terminate(), this.#stopTimeoutMs);
      await this.exited;
      clearTimeout(patience);
    }
    return this.exited;
  }

  #terminate(): void {
    this.#state = "terminating";
    void this.thread.terminate();
  }

  async #awaitReady(timeoutMs: number, signal: AbortSignal | undefined): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const abort = () => this.#terminate();
    signal?.addEventListener("abort", abort);
    if (signal?.aborted) abort();
    const outcome = await Promise.race([
      new Promise<"ready">((resolve) => this.#control.port1.once("message", () => resolve("ready"))),
      this.exited,
      new Promise<"late">((resolve) => {
        timer = setTimeout(() => resolve("late"), timeoutMs);
      }),
    ]);
    clearTimeout(timer);
    signal?.removeEventListener("abort", abort);
    if (outcome === "ready") {
      this.#state = "ready";
      this.#control.port1.unref();
      return;
    }
    this.#control.port1.close();
    if (outcome === "late") {
      this.#terminate();
      await this.exited;
      throw new FlycatcherError("FLY_WORKER_START_TIMEOUT", `The worker ${this.name} was not ready in ${timeoutMs} ms`);
    }
    throw this.#startError(outcome);
  }

  #startError(exit: WorkerExit): FlycatcherError {
    if (this.#failure === undefined) {
      const message = `The worker ${this.name} ended before it was ready, with exit code ${exit.exitCode}`;
      return new FlycatcherError("FLY_WORKER_EXITED_EARLY", message);
    }
    const message = `The worker ${this.name} could not start: ${messageOf(this.#failure)}`;
    return new FlycatcherError("FLY_WORKER_LOAD_FAILED", message, {}, { cause: this.#failure });
  }

  #describeExit(exitCode: number): WorkerExit {
    this.#control.port1.close();
    const exit = { name: this.name, exitCode };
    if (this.#state === "terminating") return { ...exit, reason: "terminated" };
    if (this.#failure !== undefined || exitCode !== 0) {
      const why = this.#failure === undefined ? `exit code ${exitCode}` : messageOf(this.#failure);
      const message = `The worker ${this.name} crashed: ${why}`;
      const error = new FlycatcherError("FLY_WORKER_CRASHED", message, {}, { cause: this.#failure });
      return { ...exit, reason: "crashed", error };
    }
    return { ...exit, reason: this.#state === "stopping" ? "stopped" : "finished" };
  }

  #report({ logger, onExit }: WorkerOptions): void {
    const announce = async (): Promise<void> => {
      await this.ready;
      logger?.debug({ worker: this.name, threadId: this.threadId }, "worker ready");
      const exit = await this.exited;
      const { reason, exitCode, error } = exit;
      const facts = { worker: this.name, reason, exitCode, ...(error && { err: error }) };
      if (error === undefined) logger?.debug(facts, "worker ended");
      else logger?.error(facts, "worker crashed");
      onExit?.(exit);
    };
    // A start that fails is thrown to the caller of startWorker; nothing more is to be said of it here.
    this.ready.then(announce, () => undefined);
  }
}

function messageOf(failure: unknown): string {
  return failure instanceof Error ? failure.message : String(failure);
}
