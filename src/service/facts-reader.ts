import type { ReadLimits } from "../recording/mcap/read-budget.js";
import { FlycatcherError } from "../runtime/errors.js";
import type { Logger } from "../runtime/logger.js";
import { type RunningWorker, startWorker } from "../transport/workers/start-worker.js";
import type { FactsAnswer, FactsOrder, RecordingFacts } from "./recording-facts.js";

/** So many recordings are read at a time; others wait. */
const MOST_THREADS = 2;
/** Memory of a thread beside the chunks it unpacks [MB]. */
const THREAD_MEMORY = 512;

export interface FactsReaderOptions {
  readonly limits: ReadLimits;
  /** A recording that takes longer is refused [ms]. */
  readonly timeoutMs: number;
  readonly logger: Logger;
}

/** Reads uploaded recordings, each in a thread of its own that ends when its time is over or its client is gone. */
export class FactsReader {
  readonly #options: FactsReaderOptions;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(options: FactsReaderOptions) {
    this.#options = options;
  }

  async read(path: string, signal: AbortSignal): Promise<RecordingFacts> {
    if (this.#running >= MOST_THREADS) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#running++;
    try {
      if (signal.aborted) throw cancelled();
      return await this.#readInThread({ path, limits: this.#options.limits }, signal);
    } finally {
      this.#running--;
      this.#waiting.shift()?.();
    }
  }

  async #readInThread(order: FactsOrder, signal: AbortSignal): Promise<RecordingFacts> {
    const { timeoutMs, logger } = this.#options;
    const worker = await startWorker("service/recording-facts", {
      workerData: order,
      resourceLimits: { maxOldGenerationSizeMb: THREAD_MEMORY },
      stopTimeoutMs: 0,
      logger,
    });
    const deadline = AbortSignal.timeout(timeoutMs);
    const answer = await answerOf(worker, AbortSignal.any([signal, deadline]));
    if (answer?.kind === "facts") return answer.facts;
    if (answer?.kind === "refused") throw new FlycatcherError(answer.code, answer.message, answer.details);
    if (signal.aborted) throw cancelled();
    const message = "The recording takes too much work to read";
    const expected = deadline.aborted ? `at most ${timeoutMs} ms` : `at most ${THREAD_MEMORY} MB`;
    throw new FlycatcherError("FLY_RECORDING_BUDGET", message, { expected });
  }
}

/** What the thread says; null if it ends without a word, or `signal` ends it. */
async function answerOf(worker: RunningWorker, signal: AbortSignal): Promise<FactsAnswer | null> {
  let answer: FactsAnswer | null = null;
  worker.thread.on("message", (message: FactsAnswer) => {
    answer = message;
  });
  const stop = (): void => void worker.stop();
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) stop();
  await worker.exited;
  signal.removeEventListener("abort", stop);
  return answer;
}

function cancelled(): FlycatcherError {
  return new FlycatcherError("FLY_UPLOAD_CANCELLED", "The client has gone before its recording was read");
}
