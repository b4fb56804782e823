import type { RecorderReport } from "../recording/recorder/prioritised-writer.js";
import type { RecordedItem, RecordingHeader, RecordingSink } from "../recording/recording.js";
import type { RunClock } from "../runtime/clock.js";
import type { ErrorCode } from "../runtime/error-catalogue.js";
import { FlycatcherError } from "../runtime/errors.js";
import type { ThreadsExecutor } from "../transport/threads-executor.js";
import { type RunningWorker, startWorker } from "../transport/workers/start-worker.js";
import { catchGraph, type GraphOptions } from "./graph.js";
import type { RecordedRing, RecorderReply, RecorderRequest } from "./recorder.module.js";

export interface RunRecording {
  readonly path: string;
  readonly header: RecordingHeader;
  readonly clock: RunClock;
  /** What is recorded: any out-ports that there are. */
  readonly rings: readonly RecordedRing[];
  /** Bytes that may wait for the disk; default: 64 MB. */
  readonly room?: number;
}

/** Time that a disk has to take the rest when a recording ends [ms]. */
const END_MS = 30_000;

/**
 * The recorder's node on a thread of its own, beside a run in real time. Prepared before the run starts, since loading a
 * thread's program disturbs the others; begun when there are rings to read.
 *
 * @example
 * const recorder = await RunRecorder.prepare();
 * const run = await realTimeRun(options);
 * await recorder.begin({ path, header, clock: run.clock, rings: run.host.recordedRings() });
 * const { drops } = await recorder.end();
 */
export class RunRecorder implements RecordingSink {
  readonly #worker: RunningWorker;
  #isEnding = false;
  #isAlive = true;
  #cut: (reason: string) => void = () => undefined;
  /** Settles with the reason if the recording ends early: the disk takes no more, or the thread dies. */
  readonly cut = new Promise<string>((resolve) => {
    this.#cut = resolve;
  });

  static async prepare(): Promise<RunRecorder> {
    return new RunRecorder(await startWorker("run/recorder", { stopTimeoutMs: END_MS }));
  }

  private constructor(worker: RunningWorker) {
    this.#worker = worker;
    worker.thread.on("message", (reply: RecorderReply) => {
      if (reply.type === "cut") this.#cut(reply.reason);
    });
    void worker.exited.then(({ reason }) => {
      this.#isAlive = false;
      if (!this.#isEnding) this.#cut(`the recorder's thread has ended (${reason})`);
    });
  }

  /** Whether its thread is there. */
  get isAlive(): boolean {
    return this.#isAlive;
  }

  /** For those that reclaim the ports of threads that died. */
  get threadId(): number {
    return this.#worker.threadId;
  }

  /** Opens the file and the ports; refuses as `RecordingWriter.create` does. */
  async begin({ clock, ...recording }: RunRecording): Promise<void> {
    const answer = this.#answer("begun");
    this.#send({ type: "begin", ...recording, clock: clock.origin });
    const { failure } = await answer;
    if (failure !== null) throw new FlycatcherError(failure.code as ErrorCode, failure.message);
  }

  /** Records something that is on no ring, as the result of a throw. */
  write(item: RecordedItem): void {
    this.#send({ type: "item", item });
  }

  /** Writes the rest, closes the file and ends the thread. A disk that takes longer than `timeoutMs` is not waited for. */
  async end(timeoutMs = END_MS): Promise<RecorderReport> {
    this.#isEnding = true;
    const patience = setTimeout(() => void this.#worker.thread.terminate(), timeoutMs);
    try {
      const answer = this.#answer("ended");
      this.#send({ type: "end" });
      const { report } = await answer;
      await this.#worker.exited;
      return report;
    } finally {
      clearTimeout(patience);
    }
  }

  /** Ends the thread of a recorder that could not begin, or whose run failed; the file is closed as it should be. */
  async abandon(timeoutMs = END_MS): Promise<void> {
    this.#isEnding = true;
    const patience = setTimeout(() => void this.#worker.thread.terminate(), timeoutMs);
    this.#send({ type: "end" });
    await this.#worker.exited;
    clearTimeout(patience);
  }

  #send(request: RecorderRequest): void {
    this.#worker.thread.postMessage(request);
  }

  #answer<Type extends RecorderReply["type"]>(type: Type): Promise<Extract<RecorderReply, { type: Type }>> {
    const { thread } = this.#worker;
    return new Promise((resolve, reject) => {
      const listen = (reply: RecorderReply): void => {
        if (reply.type !== type) return;
        thread.off("message", listen);
        resolve(reply as Extract<RecorderReply, { type: Type }>);
      };
      thread.on("message", listen);
      void this.#worker.exited.then(({ error, reason }) =>
        reject(error ?? new FlycatcherError("FLY_WORKER_CRASHED", `The recorder has ended (${reason})`)),
      );
    });
  }
}

/** The rings of the edges that lead to the recorder in a graph that has one; whole images are left out. */
export function recordedRingsOf(executor: ThreadsExecutor, options: GraphOptions): RecordedRing[] {
  const { edges } = catchGraph({ ...options, recorder: true });
  const recorded = edges.filter(({ to }) => to.startsWith("recorder.") && !to.startsWith("recorder.images"));
  return recorded.map(({ from, to }) => {
    return { from, to: to.slice("recorder.".length) as RecordedRing["to"], ring: executor.share(from) };
  });
}
