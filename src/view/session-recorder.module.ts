import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { ThrowResult } from "../catching/run-summary.js";
import { unwritableFile } from "../recording/mcap/byte-sink.js";
import { outcomeOf } from "../recording/throw-outcome.js";
import type { RealTimeOptions } from "../run/real-time-options.js";
import { headerOf } from "../run/record-real-time.js";
import type { Run } from "../run/run.js";
import { RunRecorder } from "../run/run-recorder.js";
import type { ThreadsHost } from "../run/threads-host.js";
import type { SessionRecorder } from "./session.js";

/**
 * Records a live run whenever the page asks for it, each time into a file of its own in `folder`. The recorder's thread is
 * prepared when the run is, since starting one would disturb a robot that moves, and the next one when a recording has ended.
 */
export class LiveSessionRecorder implements SessionRecorder<Run<ThreadsHost>> {
  readonly #folder: string;
  readonly #settings: RealTimeOptions;
  #next: Promise<RunRecorder | null>;
  #current: RunRecorder | null = null;

  constructor(folder: string, settings: RealTimeOptions) {
    this.#folder = folder;
    this.#settings = settings;
    this.#next = prepared();
  }

  async begin(run: Run<ThreadsHost>, cut: (reason: string) => void): Promise<string> {
    const startedAt = new Date().toISOString().replaceAll(/[:.]/g, "-");
    const name = `${this.#settings.robot}-${startedAt}.mcap`;
    const path = join(this.#folder, name);
    const recorder = await this.#takeNext();
    try {
      makeFolder(this.#folder, path);
      const header = headerOf(run, this.#settings, { throws: 0, title: `live run of ${this.#settings.robot}` });
      await recorder.begin({ path, header, clock: run.clock, rings: run.host.recordedRings() });
    } catch (error) {
      this.#next = Promise.resolve(recorder);
      throw error;
    }
    this.#current = recorder;
    void recorder.cut.then((reason) => {
      if (this.#current === recorder) cut(reason);
    });
    return name;
  }

  /** The thread that was prepared; another one if that has died meanwhile. */
  async #takeNext(): Promise<RunRecorder> {
    const next = await this.#next;
    return next?.isAlive === true ? next : RunRecorder.prepare();
  }

  thrown(result: ThrowResult, timeNs: number): void {
    this.#current?.write({ topic: "results", timeNs, ...outcomeOf(result) });
  }

  async end(timeoutMs?: number): Promise<void> {
    const recorder = this.#current;
    if (recorder === null) return;
    this.#current = null;
    try {
      await recorder.end(timeoutMs);
    } finally {
      this.#next = prepared();
    }
  }

  /** Lets the thread that waits for a recording go. */
  async close(): Promise<void> {
    await this.end(END_MS).catch(() => undefined);
    await (await this.#next)?.abandon(END_MS);
  }
}

/** How long a disk is waited for when the run ends [ms]. */
const END_MS = 1000;

/** A thread for the next recording; null if it did not start: the next recording tries again. */
function prepared(): Promise<RunRecorder | null> {
  return RunRecorder.prepare().catch(() => null);
}

function makeFolder(folder: string, path: string): void {
  try {
    mkdirSync(folder, { recursive: true });
  } catch (cause) {
    throw unwritableFile(path, cause);
  }
}
