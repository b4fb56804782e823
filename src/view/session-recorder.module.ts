import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { ThrowResult } from "../catching/run-summary.js";
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
  #next: Promise<RunRecorder>;
  #current: RunRecorder | null = null;

  constructor(folder: string, settings: RealTimeOptions) {
    this.#folder = folder;
    this.#settings = settings;
    this.#next = RunRecorder.prepare();
    this.#next.catch(() => undefined);
  }

  async begin(run: Run<ThreadsHost>): Promise<string> {
    mkdirSync(this.#folder, { recursive: true });
    const startedAt = new Date().toISOString().replaceAll(/[:.]/g, "-");
    const name = `${this.#settings.robot}-${startedAt}.mcap`;
    const recorder = await this.#next;
    const header = headerOf(run, this.#settings, { throws: 0, title: `live run of ${this.#settings.robot}` });
    await recorder.begin({ path: join(this.#folder, name), header, clock: run.clock, rings: run.host.recordedRings() });
    this.#current = recorder;
    return name;
  }

  thrown(result: ThrowResult, timeNs: number): void {
    this.#current?.write({ topic: "results", timeNs, ...outcomeOf(result) });
  }

  async end(): Promise<void> {
    const recorder = this.#current;
    if (recorder === null) return;
    this.#current = null;
    await recorder.end();
    this.#next = RunRecorder.prepare();
    this.#next.catch(() => undefined);
  }

  /** Lets the thread that waits for a recording go. */
  async close(): Promise<void> {
    await this.end();
    await (await this.#next).abandon();
  }
}
