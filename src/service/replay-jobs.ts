import { randomUUID } from "node:crypto";
import { type ReplayOrderings, replayFiles } from "../report/jobs/replay-files.js";
import type { ReplayReport } from "../report/report-types.js";
import type { ErrorCode } from "../runtime/error-catalogue.js";
import { FlycatcherError } from "../runtime/errors.js";
import type { Logger } from "../runtime/logger.js";
import type { StoredRecording } from "./recording-store.js";

/** A replay that was asked for. */
export interface ReplayJobState {
  readonly id: string;
  readonly recordings: readonly string[];
  state: "running" | "done" | "failed" | "cancelled";
  /** Share done, from 0 to 1. */
  progress: number;
  report?: ReplayReport;
  problem?: { readonly code: ErrorCode; readonly detail: string };
}

type ReplayListener = (job: ReplayJobState) => void;

/** So many replays are remembered, so many run at a time, each in so many threads. */
const KEPT = 20;
const RUNNING = 2;
const THREADS = 2;

interface Entry {
  readonly job: ReplayJobState;
  readonly abort: AbortController;
  readonly listeners: Set<ReplayListener>;
  readonly finished: Promise<void>;
}

/** Runs replays in threads of their own, and notifies listeners of their progress. */
export class ReplayJobs {
  readonly #logger: Logger;
  readonly #entries = new Map<string, Entry>();

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  /** Starts one; refuses while too many run. */
  start(recordings: readonly StoredRecording[], orderings: ReplayOrderings): ReplayJobState {
    const running = Array.from(this.#entries.values()).filter(({ job }) => job.state === "running").length;
    if (running >= RUNNING) throw new FlycatcherError("FLY_REPLAYS_BUSY", `${running} replays are running already`);
    const ids = recordings.map(({ id }) => id);
    const job: ReplayJobState = { id: randomUUID(), recordings: ids, state: "running", progress: 0 };
    const abort = new AbortController();
    const listeners = new Set<ReplayListener>();
    const finished = this.#run(job, recordings, orderings, abort.signal, listeners);
    this.#entries.set(job.id, { job, abort, listeners, finished });
    this.#forgetOldest();
    return job;
  }

  get(id: string): ReplayJobState {
    return this.#entry(id).job;
  }

  /** Tells `listener` of every step from now on; the function returned ends that. */
  listen(id: string, listener: ReplayListener): () => void {
    const { listeners } = this.#entry(id);
    listeners.add(listener);
    return () => listeners.delete(listener);
  }

  /** Ends a replay and forgets it. */
  async cancel(id: string): Promise<void> {
    const { abort, finished } = this.#entry(id);
    abort.abort();
    await finished;
    this.#entries.delete(id);
  }

  async close(): Promise<void> {
    for (const { abort } of this.#entries.values()) abort.abort();
    await Promise.all(Array.from(this.#entries.values(), ({ finished }) => finished));
  }

  #entry(id: string): Entry {
    const entry = this.#entries.get(id);
    if (entry !== undefined) return entry;
    throw new FlycatcherError("FLY_REPLAY_UNKNOWN", "there is no such replay", { found: id });
  }

  async #run(
    job: ReplayJobState,
    recordings: readonly StoredRecording[],
    orderings: ReplayOrderings,
    signal: AbortSignal,
    listeners: ReadonlySet<ReplayListener>,
  ): Promise<void> {
    const notify = (): void => {
      for (const listener of listeners) listener(job);
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
      job.state = "done";
      job.progress = 1;
    } catch (error) {
      job.state = signal.aborted ? "cancelled" : "failed";
      job.problem = problemOf(error, signal);
    }
    notify();
  }

  #forgetOldest(): void {
    for (const [id, { job }] of this.#entries) {
      if (this.#entries.size <= KEPT) return;
      if (job.state !== "running") this.#entries.delete(id);
    }
  }
}

function problemOf(error: unknown, signal: AbortSignal): { code: ErrorCode; detail: string } {
  if (signal.aborted) return { code: "FLY_REPLAY_FAILED", detail: "the replay was ended" };
  const code = error instanceof FlycatcherError ? error.code : "FLY_REPLAY_FAILED";
  return { code, detail: error instanceof Error ? error.message : String(error) };
}
