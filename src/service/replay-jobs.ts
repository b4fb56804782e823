import { type ReplayOrderings, replayFiles } from "../report/jobs/replay-files.js";
import type { ReplayReport } from "../report/report-types.js";
import type { ErrorCode } from "../runtime/error-catalogue.js";
import { FlycatcherError } from "../runtime/errors.js";
import type { Logger } from "../runtime/logger.js";
import { type Job, JobList } from "./job-list.js";
import type { StoredRecording } from "./recording-store.js";

/** A replay that was asked for. */
export interface ReplayJobState extends Job {
  readonly recordings: readonly string[];
  report?: ReplayReport;
}

type ReplayListener = (job: ReplayJobState) => void;

/** So many replays run at a time, each in so many threads. */
const RUNNING = 2;
const THREADS = 2;

interface RunningReplay extends ReplayJobState {
  readonly abort: AbortController;
  readonly listeners: Set<ReplayListener>;
  finished: Promise<void>;
}

/** Runs replays in threads of their own, and notifies listeners of their progress. */
export class ReplayJobs {
  readonly #logger: Logger;
  readonly #jobs = new JobList<RunningReplay>("replay", "FLY_REPLAY_UNKNOWN");

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  /** Starts one; refuses while too many run. */
  start(recordings: readonly StoredRecording[], orderings: ReplayOrderings): ReplayJobState {
    const { running } = this.#jobs;
    if (running >= RUNNING) throw new FlycatcherError("FLY_REPLAYS_BUSY", `${running} replays are running already`);
    const job = this.#jobs.add((begun) => ({
      ...begun,
      recordings: recordings.map(({ id }) => id),
      abort: new AbortController(),
      listeners: new Set(),
      finished: Promise.resolve(),
    }));
    job.finished = this.#run(job, recordings, orderings);
    return job;
  }

  get(id: string): ReplayJobState {
    return this.#jobs.get(id);
  }

  /** Notifies `listener` of every step from now on; the function returned ends that. */
  listen(id: string, listener: ReplayListener): () => void {
    const { listeners } = this.#jobs.get(id);
    listeners.add(listener);
    return () => listeners.delete(listener);
  }

  /** Ends a replay and forgets it. */
  async cancel(id: string): Promise<void> {
    const { abort, finished } = this.#jobs.get(id);
    abort.abort();
    await finished;
    this.#jobs.delete(id);
  }

  async close(): Promise<void> {
    for (const { abort } of this.#jobs.all) abort.abort();
    await Promise.all(this.#jobs.all.map(({ finished }) => finished));
  }

  async #run(job: RunningReplay, recordings: readonly StoredRecording[], orderings: ReplayOrderings): Promise<void> {
    const { signal } = job.abort;
    const notify = (): void => {
      for (const listener of job.listeners) listener(job);
    };
    const names = new Map(recordings.map(({ path, id }) => [path, id]));
    const onProgress = (share: number): void => {
      job.progress = share;
      notify();
    };
    try {
      const crew = { workers: THREADS, logger: this.#logger, onProgress, signal };
      const paths = recordings.map(({ path }) => path);
      job.report = await replayFiles(paths, orderings, crew, (path) => names.get(path) ?? "");
      const [failure] = job.report.files.length === 0 ? job.report.failures : [];
      job.state = failure === undefined ? "done" : "failed";
      if (failure !== undefined) job.problem = { code: failure.code as ErrorCode, detail: failure.message };
      job.progress = 1;
    } catch (error) {
      job.state = signal.aborted ? "cancelled" : "failed";
      const code = error instanceof FlycatcherError && !signal.aborted ? error.code : "FLY_REPLAY_FAILED";
      const detail = error instanceof Error ? error.message : String(error);
      job.problem = { code, detail: signal.aborted ? "the replay was ended" : detail };
    }
    notify();
  }
}
