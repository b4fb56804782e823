import { FlycatcherError } from "../../runtime/errors.js";
import type { Logger } from "../../runtime/logger.js";
import { type RunningWorker, startWorker } from "../../transport/workers/start-worker.js";
import { type ReplayJob, type ReplayOutcome, runReplayJob } from "./replay-job.js";
import type { ReplayNotice, ReplayOrder } from "./replay-worker.module.js";

export interface CrewOptions {
  /** Threads; 0 replays in the calling one. */
  readonly workers: number;
  readonly logger?: Logger;
  /** Told the share of all jobs that is done, from 0 to 1. */
  readonly onProgress?: (share: number) => void;
  readonly signal?: AbortSignal;
}

/**
 * Replays files, several at a time, each in one thread. Outcomes come in the order of the jobs, whichever was done first,
 * and do not depend on the number of threads.
 */
export async function replayAll(jobs: readonly ReplayJob[], options: CrewOptions): Promise<ReplayOutcome[]> {
  const progress = progressOf(jobs.length, options.onProgress ?? (() => undefined));
  const count = Math.min(options.workers, jobs.length);
  if (count === 0) return replayHere(jobs, progress, options.signal);
  const outcomes = new Array<ReplayOutcome>(jobs.length);
  const queue = Array.from(jobs.keys());
  const threads = Array.from({ length: count }, async () => {
    const worker = await startWorker("report/jobs/replay-worker", options.logger ? { logger: options.logger } : {});
    try {
      for (let number = queue.shift(); number !== undefined; number = queue.shift()) {
        options.signal?.throwIfAborted();
        outcomes[number] = await order(worker, { number, job: jobs[number]! }, progress, options.signal);
      }
    } finally {
      await worker.stop();
    }
  });
  await Promise.all(threads);
  return outcomes;
}

async function replayHere(
  jobs: readonly ReplayJob[],
  progress: Progress,
  signal: AbortSignal | undefined,
): Promise<ReplayOutcome[]> {
  const outcomes: ReplayOutcome[] = [];
  for (const [number, job] of jobs.entries()) {
    signal?.throwIfAborted();
    outcomes.push(await runReplayJob(job, (share) => progress(number, share)));
    progress(number, 1);
  }
  return outcomes;
}

/** One job in a thread; a thread that dies fails its job. */
function order(
  worker: RunningWorker,
  message: ReplayOrder,
  progress: Progress,
  signal: AbortSignal | undefined,
): Promise<ReplayOutcome> {
  return new Promise((resolve, reject) => {
    const handle = (report: ReplayNotice): void => {
      progress(report.number, report.kind === "progress" ? report.share : 1);
      if (report.kind === "outcome") settle(() => resolve(report.outcome));
    };
    const abort = (): void => settle(() => reject(signal?.reason));
    const settle = (act: () => void): void => {
      worker.thread.off("message", handle);
      signal?.removeEventListener("abort", abort);
      act();
    };
    worker.thread.on("message", handle);
    signal?.addEventListener("abort", abort);
    void worker.exited.then(({ error, reason }) =>
      settle(() => resolve(failure(error ?? new FlycatcherError("FLY_REPLAY_FAILED", `the thread was ${reason}`)))),
    );
    worker.thread.postMessage(message);
  });
}

function failure({ code, message }: FlycatcherError): ReplayOutcome {
  return { kind: "failed", code, message };
}

/** Takes the share done of a job, by its number. */
type Progress = (job: number, share: number) => void;

/** Publishes the share of all jobs that is done. */
function progressOf(count: number, publish: (share: number) => void): Progress {
  const shares = new Float64Array(count);
  return (job, share) => {
    shares[job] = share;
    publish(shares.reduce((sum, part) => sum + part, 0) / count);
  };
}
