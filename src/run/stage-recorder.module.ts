import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { LiveOptions } from "../catching/live/live-options.js";
import type { LiveRun } from "../catching/live/live-run.module.js";
import type { ThrowResult } from "../catching/run-summary.js";
import type { StageRecorder } from "../catching/stage/stage.js";
import { LiveRecorder } from "../recording/recorder/live-recorder.module.js";
import { resultItem } from "../recording/recorder/packet-items.module.js";
import { headerOf, tapsOf } from "./record-live-run.module.js";

/**
 * Records a live run whenever somebody asks for it, each time into a file of its own in `folder`. The recorder's thread is
 * prepared when the run is, since starting one would disturb a robot that moves, and the next one when a recording has ended.
 */
export class LiveStageRecorder implements StageRecorder<LiveRun> {
  readonly #folder: string;
  readonly #settings: LiveOptions;
  #next: Promise<LiveRecorder>;
  #current: LiveRecorder | null = null;

  constructor(folder: string, settings: LiveOptions) {
    this.#folder = folder;
    this.#settings = settings;
    this.#next = LiveRecorder.prepare();
    this.#next.catch(() => undefined);
  }

  async begin(run: LiveRun): Promise<string> {
    mkdirSync(this.#folder, { recursive: true });
    const startedAt = new Date().toISOString().replaceAll(/[:.]/g, "-");
    const name = `${this.#settings.robot}-${startedAt}.mcap`;
    const recorder = await this.#next;
    const header = headerOf(run, this.#settings, { throws: 0, title: `live run of ${this.#settings.robot}` });
    await recorder.begin({ path: join(this.#folder, name), header, clock: run.clock, taps: tapsOf(run) });
    this.#current = recorder;
    return name;
  }

  thrown(result: ThrowResult, timeNs: number): void {
    this.#current?.write(resultItem(result, timeNs));
  }

  async end(): Promise<void> {
    const recorder = this.#current;
    if (recorder === null) return;
    this.#current = null;
    await recorder.end();
    this.#next = LiveRecorder.prepare();
    this.#next.catch(() => undefined);
  }

  /** Lets the thread that waits for a recording go. */
  async close(): Promise<void> {
    await this.end();
    await (await this.#next).abandon();
  }
}
