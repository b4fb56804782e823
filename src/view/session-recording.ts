import { setTimeout as pause } from "node:timers/promises";
import { FlycatcherError } from "../runtime/errors.js";
import type { SessionRecorder } from "./session.js";

/** How long the recorder is waited for when it has failed, or the run ends [ms]. */
const END_MS = 700;

interface RecordingObserver {
  /** The name of the recording from now on; null: nothing is recorded. */
  changed(recording: string | null): void;
  /** A recording ended early. */
  cut(text: string): void;
}

/**
 * The recordings of a live run, one after the other: two requests that begin one at a time begin one. Where the disk is full, or the
 * recorder dies, that is reported at once, and a recording can be begun again.
 */
export class SessionRecording<Run> {
  readonly #recorder: SessionRecorder<Run>;
  readonly #run: Run;
  readonly #observer: RecordingObserver;
  /** Settles when all that was asked so far is done. */
  #queue: Promise<unknown> = Promise.resolve();
  #name: string | null = null;
  /** Why the last recording ended early, until somebody has been answered so. */
  #cut: string | null = null;

  constructor(recorder: SessionRecorder<Run>, run: Run, observer: RecordingObserver) {
    this.#recorder = recorder;
    this.#run = run;
    this.#observer = observer;
  }

  /** Begins a recording, if none is in progress. */
  begin(): Promise<void> {
    return this.#enqueue(() => this.#begin());
  }

  /** Ends it; throws FLY_RECORDING_CUT if it has ended early. */
  end(): Promise<void> {
    return this.#enqueue(() => this.#end());
  }

  #enqueue(action: () => Promise<void>): Promise<void> {
    const done = this.#queue.then(action);
    this.#queue = done.catch(() => undefined);
    return done;
  }

  async #begin(): Promise<void> {
    if (this.#name !== null) return;
    this.#cut = null;
    const name = await this.#recorder.begin(this.#run, (reason) => this.#noteCut(reason));
    // It may have been cut in the same moment.
    if (this.#cut === null) this.#become(name);
  }

  async #end(timeoutMs?: number): Promise<void> {
    const cut = this.#cut;
    this.#cut = null;
    if (cut !== null) throw new FlycatcherError("FLY_RECORDING_CUT", `The recording ended early: ${cut}`);
    if (this.#name === null) return;
    this.#become(null);
    await this.#recorder.end(timeoutMs);
  }

  #become(name: string | null): void {
    this.#name = name;
    this.#observer.changed(name);
  }

  #noteCut(reason: string): void {
    this.#observer.cut(`the recording ${this.#name ?? ""} ended early: ${reason}`);
    this.#cut = reason;
    this.#become(null);
    this.#enqueue(() => this.#recorder.end(END_MS)).catch(() => undefined);
  }

  /** The run has ended: what hangs is not waited for. */
  async close(): Promise<void> {
    await Promise.race([this.#queue, pause(END_MS, undefined, { ref: false })]);
    await this.#end(END_MS).catch(() => undefined);
  }
}
