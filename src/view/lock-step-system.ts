import type { PageMessage } from "../messages/page.js";
import type { LockStepHost } from "../run/lock-step-host.js";
import type { Run } from "../run/run.js";
import type { StepMeter } from "../transport/step-meter.js";
import { FieldTaps } from "./field-taps.js";
import { typeOfPort } from "./graph-message.js";
import type { LockStepReport } from "./lock-step-messages.js";
import { instantOf, type TraceInstant } from "./trace-file.js";

/** Between two reports of the nodes, and between two of samples [ms of the wall clock]. */
const STATUS_MS = 1000;
const SAMPLES_MS = 100;

/** In the thread of a lock-step run: measures its nodes, samples fields, and traces steps on request. */
export class LockStepSystem {
  readonly #meter: StepMeter;
  readonly #taps: FieldTaps;
  readonly #post: (report: LockStepReport) => void;
  #statusMs = Number.NEGATIVE_INFINITY;
  #samplesMs = Number.NEGATIVE_INFINITY;
  /** The trace that is being taken: when it ends [ms], and what happened. */
  #trace: { readonly endMs: number; readonly instants: TraceInstant[] } | null = null;

  constructor({ host, graph }: Run<LockStepHost>, post: (report: LockStepReport) => void) {
    this.#post = post;
    this.#meter = host.measure();
    this.#taps = new FieldTaps({
      typeOf: (port) => typeOfPort(graph, port),
      tap: (port) => host.tap(port),
      untap: (port, tapped) => host.untap(port, tapped),
    });
  }

  /** Fields that are sampled from now on. */
  set fields(names: readonly string[]) {
    this.#taps.fields = names;
  }

  /** After each tick. */
  look(nowNs: number, wallMs: number): void {
    this.#taps.poll(nowNs);
    if (wallMs >= this.#samplesMs + SAMPLES_MS) {
      this.#samplesMs = wallMs;
      const series = this.#taps.take();
      if (series.length > 0) this.#post({ type: "samples", time: nowNs / 1e9, series });
    }
    if (wallMs < this.#statusMs + STATUS_MS) return;
    this.#statusMs = wallMs;
    this.#post({ type: "status", runNs: nowNs, wallNs: 1e6 * wallMs, reports: this.#meter.reports() });
  }

  /** A message to pages, for the trace. */
  note(message: PageMessage): void {
    const instant = this.#trace === null ? null : instantOf(message, this.#meter.nowNs());
    if (instant !== null) this.#trace?.instants.push(instant);
  }

  beginTrace(seconds: number, wallMs: number): void {
    this.#trace = { endMs: wallMs + 1e3 * seconds, instants: [] };
    this.#meter.beginTrace();
  }

  /** Ends a trace whose time is over; to be called while time stands still, too. */
  endTrace(wallMs: number): void {
    if (this.#trace === null || wallMs < this.#trace.endMs) return;
    const { instants } = this.#trace;
    this.#trace = null;
    this.#post({ type: "trace", trace: this.#meter.endTrace("lock-step run"), instants });
  }
}
