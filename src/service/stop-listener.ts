import type { Config } from "../runtime/config-schema.js";
import { FlycatcherError } from "../runtime/errors.js";
import type { Logger } from "../runtime/logger.js";
import type { StopAddress } from "../transport/stop-report.js";
import { type RunningWorker, startWorker } from "../transport/workers/start-worker.js";
import type { StopListenerInput, StopReport } from "./stop-listener.module.js";
import { StopWord } from "./stop-words.js";

/** Lower than all that leads the robot, higher than what computes. */
const PRIORITY = 65;
const START_TIMEOUT_MS = 30_000;

/** The listener of the emergency stop, in a thread of its own: nothing that the service does can hold it up. */
export class StopListener {
  readonly address: StopAddress;
  readonly #worker: RunningWorker;
  readonly #words: Int32Array;

  /** @param pagePort The port of the service, whose page may ask. */
  static async start(
    { host, token, stopPort, portTries, stopHeartbeatMs }: Config["service"],
    stopLine: SharedArrayBuffer,
    pagePort: number,
    logger: Logger,
  ): Promise<StopListener> {
    const words = new Int32Array(new SharedArrayBuffer(StopWord.count * Int32Array.BYTES_PER_ELEMENT));
    const input: StopListenerInput = {
      ...{ host, token, port: stopPort, portTries, heartbeatMs: stopHeartbeatMs },
      ...{ pagePort, stopLine, words, priority: PRIORITY },
    };
    try {
      const worker = await startWorker("service/stop-listener", {
        workerData: input,
        startTimeoutMs: START_TIMEOUT_MS,
        logger,
      });
      return new StopListener(worker, words, input, logger);
    } catch (cause) {
      const message = `Cannot listen for stops on ${host}, port ${stopPort}`;
      throw new FlycatcherError("FLY_SERVICE_ADDRESS_UNAVAILABLE", message, {}, { cause });
    }
  }

  private constructor(worker: RunningWorker, words: Int32Array, input: StopListenerInput, logger: Logger) {
    const { host, heartbeatMs } = input;
    const port = Atomics.load(words, StopWord.port);
    this.#worker = worker;
    this.#words = words;
    this.address = { url: `http://${host.includes(":") ? `[${host}]` : host}:${port}`, port, heartbeatMs };
    worker.thread.on("message", ({ severity, text }: StopReport) => logger[severity]({ component: "stop" }, text));
  }

  /** Heartbeats must come from now on, if any are expected. */
  supervise(): void {
    Atomics.store(this.#words, StopWord.isSupervised, 1);
  }

  /** A heartbeat that has come another way: from the page. */
  beat(): void {
    Atomics.add(this.#words, StopWord.beats, 1);
  }

  async close(): Promise<void> {
    await this.#worker.stop();
  }
}
