import type { ErrorCode } from "../runtime/error-catalogue.js";
import { FlycatcherError } from "../runtime/errors.js";
import type { Logger } from "../runtime/logger.js";
import { type RunningWorker, startWorker, type WorkerOptions } from "../transport/workers/start-worker.js";
import { errorOf, type ReadAnswer } from "./reading-thread.js";

/** Memory of a thread, beside what lies outside of the engine's heap [MB]. */
const THREAD_MEMORY = 512;

export interface UploadReaderOptions {
  /** The thread's program: it calls `answerByReading`. */
  readonly program: string;
  /** So many uploads are read at a time; others wait. */
  readonly threads: number;
  /** An upload that takes longer is refused [ms]. */
  readonly timeoutMs: number;
  /** Of an upload that takes too much time or memory. */
  readonly budgetCode: ErrorCode;
  readonly logger: Logger;
}

/** Reads uploads, each in a thread of its own that ends when its time is over or its client is gone. */
export class UploadReader<Order, Result> {
  readonly #options: UploadReaderOptions;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(options: UploadReaderOptions) {
    this.#options = options;
  }

  /** `handedOver`: memory of the order that the thread takes over. */
  async read(order: Order, signal: AbortSignal, handedOver: readonly ArrayBuffer[] = []): Promise<Result> {
    if (this.#running >= this.#options.threads) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#running++;
    try {
      if (signal.aborted) throw cancelled();
      return await this.#readInThread({ workerData: order, transferList: [...handedOver] }, signal);
    } finally {
      this.#running--;
      this.#waiting.shift()?.();
    }
  }

  async #readInThread(order: Pick<WorkerOptions, "workerData" | "transferList">, signal: AbortSignal): Promise<Result> {
    const { program, timeoutMs, budgetCode, logger } = this.#options;
    const worker = await startWorker(program, {
      ...order,
      resourceLimits: { maxOldGenerationSizeMb: THREAD_MEMORY },
      stopTimeoutMs: 0,
      logger,
    });
    const deadline = AbortSignal.timeout(timeoutMs);
    const answer = await answerOf<Result>(worker, AbortSignal.any([signal, deadline]));
    if (answer?.kind === "read") return answer.result;
    if (answer?.kind === "refused") throw errorOf(answer);
    if (signal.aborted) throw cancelled();
    const expected = deadline.aborted ? `at most ${timeoutMs} ms` : `at most ${THREAD_MEMORY} MB`;
    throw new FlycatcherError(budgetCode, "The upload takes too much work to read", { expected });
  }
}

/** What the thread says; null if it ends without a word, or `signal` ends it. */
async function answerOf<Result>(worker: RunningWorker, signal: AbortSignal): Promise<ReadAnswer<Result> | null> {
  let answer: ReadAnswer<Result> | null = null;
  worker.thread.on("message", (message: ReadAnswer<Result>) => {
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
  return new FlycatcherError("FLY_UPLOAD_CANCELLED", "The client has gone before its upload was read");
}
