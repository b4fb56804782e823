import { type RunningWorker, startWorker } from "../../runtime/start-worker.js";

/** Who hears of the threads of a run. */
export interface PartThreadsWatcher {
  /** A thread has ended; what it held may be given back. */
  ended(threadId: number): void;
  /** It ended without being asked to, and is started again. */
  died(name: string, reason: string): void;
  /** Another one has taken its place, or could not be started. */
  restarted(name: string): void;
  lost(name: string): void;
}

/** The threads of a run's parts: each that dies is started again, until all are stopped. */
export class PartThreads {
  readonly #watcher: PartThreadsWatcher;
  readonly #workers = new Set<RunningWorker>();
  #isStopping = false;

  constructor(watcher: PartThreadsWatcher) {
    this.#watcher = watcher;
  }

  /** Starts a part's thread; `began` is called with it, and with each that takes its place. */
  async start(
    name: string,
    workerData: unknown,
    began: (worker: RunningWorker) => void = () => undefined,
  ): Promise<void> {
    const worker = await startWorker(name, { workerData, startTimeoutMs: START_TIMEOUT_MS });
    const { threadId } = worker;
    this.#workers.add(worker);
    began(worker);
    void worker.exited.then(({ reason }) => {
      this.#workers.delete(worker);
      this.#watcher.ended(threadId);
      if (this.#isStopping) return;
      this.#watcher.died(name, reason);
      this.start(name, workerData, began).then(
        () => this.#watcher.restarted(name),
        () => this.#watcher.lost(name),
      );
    });
  }

  /** Ends a part's threads amid their work, as a fault would; `name` as in "seeing". */
  kill(name: string): void {
    for (const worker of this.#workers) if (worker.name.endsWith(`/${name}`)) void worker.thread.terminate();
  }

  /** From now on threads may end. */
  expectEnd(): void {
    this.#isStopping = true;
  }

  async stop(): Promise<void> {
    this.expectEnd();
    await Promise.all(Array.from(this.#workers, (worker) => worker.stop()));
  }
}

/** Parts practise before they are ready; on a busy machine that takes its time. */
const START_TIMEOUT_MS = 120_000;
