import type { ResultMessage } from "../../planning/pool/job-messages.js";
import type { PlannerPriority } from "../../planning/pool/jobs.js";
import { type Assignment, PlannerWorker, type WorkerSetup } from "./planner-worker.module.js";

/** What a crew reports to its pool. */
export interface CrewEvents<A extends Assignment> {
  /** A worker can take a job again. */
  ready(): void;
  /** A worker has sent a result. */
  result(worker: PlannerWorker<A>, result: ResultMessage): void;
  /** A worker ended or was ended; what it had in hand is to be done again. */
  lost(assignment: A | null): void;
  /** No worker can be started any more. */
  broken(error: unknown): void;
}

interface CrewSizes {
  readonly workers: number;
  /** The first so many workers are for live planning alone. */
  readonly liveWorkers: number;
  /** A worker that has a job and gives no sign of life for so long is replaced [ms]. */
  readonly stuckTimeoutMs: number;
}

/** Starts in a row that may fail before a place stays empty, and how long to wait after the first [ms]. */
const MOST_START_FAILURES = 5;
const RETRY_DELAY_MS = 50;

/** The workers of a pool: started together, and each replaced when it has died or is stuck. */
export class PlannerCrew<A extends Assignment> {
  /** How many workers had to be replaced. */
  replaced = 0;
  readonly #setup: WorkerSetup;
  readonly #sizes: CrewSizes;
  readonly #events: CrewEvents<A>;
  /** Null while the worker of that place is not there (yet, or again). */
  readonly #places: (PlannerWorker<A> | null)[];
  /** What is still going on with workers that are starting or ending. */
  readonly #comings = new Set<Promise<void>>();
  #brokenPlaces = 0;
  #isClosing = false;

  constructor(setup: WorkerSetup, sizes: CrewSizes, events: CrewEvents<A>) {
    this.#setup = setup;
    this.#sizes = sizes;
    this.#events = events;
    this.#places = Array.from({ length: sizes.workers }, () => null);
  }

  /** Starts all of them; if one cannot start, all are ended again. */
  async start(): Promise<void> {
    const starts = await Promise.allSettled(this.#places.map((_, index) => PlannerWorker.start<A>(index, this.#setup)));
    for (const start of starts) if (start.status === "fulfilled") this.#install(start.value);
    const failure = starts.find((start) => start.status === "rejected");
    if (failure === undefined) return;
    await this.close();
    throw failure.reason;
  }

  /** Workers that are there. */
  get present(): number {
    return this.#places.filter((worker) => worker !== null).length;
  }

  /** Workers with nothing to do that may do this, those reserved for it first. */
  idle(priority: PlannerPriority): PlannerWorker<A>[] {
    const first = priority === "live" ? 0 : this.#sizes.liveWorkers;
    const idle: PlannerWorker<A>[] = [];
    for (let index = first; index < this.#places.length; index++) {
      const worker = this.#places[index]!;
      if (worker !== null && worker.assignment === null) idle.push(worker);
    }
    return idle;
  }

  /** Workers with something to do. */
  busy(): PlannerWorker<A>[] {
    return this.#places.filter((worker) => worker !== null && worker.assignment !== null) as PlannerWorker<A>[];
  }

  /** Replaces workers that give no sign of life. */
  replaceStuck(nowMs: number): void {
    for (const worker of this.#places) {
      if (worker === null || !worker.isStuck(nowMs, this.#sizes.stuckTimeoutMs)) continue;
      this.#setup.logger?.warn({ worker: worker.index }, "planner worker is stuck and will be replaced");
      this.#end(worker, () => worker.terminate());
    }
  }

  /** Ends the thread of a place as a fault would. */
  async kill(index: number): Promise<void> {
    await this.#places[index]?.terminate();
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    const stops = this.#places.map((worker) => worker?.stop());
    this.#places.fill(null);
    await Promise.all(stops);
    while (this.#comings.size > 0) await Promise.all(this.#comings);
  }

  #install(worker: PlannerWorker<A>): void {
    this.#places[worker.index] = worker;
    worker.listen((result) => this.#events.result(worker, result));
    // An end that was not asked for: of others the place is empty or taken again by then.
    void worker.exited.then(() => {
      if (this.#places[worker.index] === worker) this.#end(worker, () => Promise.resolve());
    });
  }

  #end(worker: PlannerWorker<A>, how: () => Promise<void>): void {
    this.replaced++;
    this.#places[worker.index] = null;
    const { assignment } = worker;
    this.#follow(how().then(() => this.#fill(worker.index)));
    this.#events.lost(assignment);
  }

  /** Starts a worker for an empty place. */
  async #fill(index: number): Promise<void> {
    for (let failures = 0; !this.#isClosing; ) {
      try {
        const worker = await PlannerWorker.start<A>(index, this.#setup);
        if (this.#isClosing) return await worker.stop();
        this.#install(worker);
        this.#events.ready();
        return;
      } catch (error) {
        if (this.#isClosing || this.#setup.signal?.aborted) return;
        this.#setup.logger?.error({ worker: index, err: error }, "planner worker cannot be started");
        if (++failures >= MOST_START_FAILURES) return this.#giveUp(error);
        await new Promise((resolve) => setTimeout(resolve, RETRY_DELAY_MS * 2 ** failures));
      }
    }
  }

  #giveUp(error: unknown): void {
    this.#brokenPlaces++;
    if (this.#brokenPlaces === this.#places.length) this.#events.broken(error);
  }

  #follow(coming: Promise<void>): void {
    this.#comings.add(coming);
    void coming.finally(() => this.#comings.delete(coming));
  }
}
