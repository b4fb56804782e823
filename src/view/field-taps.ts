import { FlycatcherError } from "../runtime/errors.js";
import type { MessageType } from "../transport/message.js";
import { type NumberReader, numberReader, timeReader } from "../transport/message-numbers.js";
import { type InPort, takeEach } from "../transport/port.js";

/** Most samples of a field a second of the run's clock. */
export const SAMPLE_RATE = 50;
/** Samples of a field that wait to be published at most; the oldest are given up. */
export const MAX_SAMPLES = 128;
/** Fields that are tapped at most. */
export const MAX_FIELDS = 32;
/** Share of the period by which a sample may come early: stamps are not exact. */
const TOLERANCE = 0.05;

/** Where messages are tapped. */
export interface TapSource {
  /** The message of an out-port; null if there is no such port. */
  typeOf(port: string): MessageType | null;
  tap(port: string): InPort<object>;
  untap(port: string, tapped: InPort<object>): void;
}

/** Values of one field over time, as they were received. */
export interface FieldSeries {
  /** As `tracker.predictions.balls[0].lastSeen`. */
  readonly field: string;
  readonly times: Float64Array;
  readonly values: Float64Array;
}

/** The names of an out-port and of a field of its message. */
export function splitField(field: string): { readonly port: string; readonly path: string } {
  const [node = "", port = "", ...path] = field.split(".");
  return { port: `${node}.${port}`, path: path.join(".") };
}

/** Refuses what is no number of a message of the graph. */
export function checkFields(source: Pick<TapSource, "typeOf">, fields: readonly string[]): void {
  for (const field of fields) readerOf(source, field);
}

function readerOf(source: Pick<TapSource, "typeOf">, field: string): NumberReader {
  const { port, path } = splitField(field);
  const type = source.typeOf(port);
  if (type !== null) return numberReader(type, path);
  throw new FlycatcherError("FLY_FIELD_UNKNOWN", "there is no such out-port", {
    expected: "an out-port",
    found: field,
  });
}

interface TappedField {
  readonly name: string;
  readonly read: NumberReader;
  times: number[];
  values: number[];
}

interface PortTap {
  readonly port: InPort<object>;
  readonly timeOf: NumberReader | null;
  readonly fields: Map<string, TappedField>;
  /** Of the last message that was sampled [s]. */
  last: number;
}

/** Samples fields of messages: a port is tapped while any of its fields is wanted, and each field is sampled at a limited rate. */
export class FieldTaps {
  readonly #source: TapSource;
  readonly #taps = new Map<string, PortTap>();

  constructor(source: TapSource) {
    this.#source = source;
  }

  /** The fields that are wanted from now on, and no others. */
  set fields(names: readonly string[]) {
    const wanted = names.slice(0, MAX_FIELDS);
    checkFields(this.#source, wanted);
    for (const [port, tap] of this.#taps) this.#prune(port, tap, wanted);
    for (const name of wanted) this.#add(name);
  }

  /** Out-ports that are tapped. */
  get ports(): string[] {
    return [...this.#taps.keys()];
  }

  #prune(port: string, tap: PortTap, wanted: readonly string[]): void {
    for (const name of tap.fields.keys()) if (!wanted.includes(name)) tap.fields.delete(name);
    if (tap.fields.size > 0) return;
    this.#source.untap(port, tap.port);
    this.#taps.delete(port);
  }

  #add(name: string): void {
    const { port } = splitField(name);
    const tap = this.#taps.get(port) ?? this.#open(port);
    if (tap.fields.has(name)) return;
    tap.fields.set(name, { name, read: readerOf(this.#source, name), times: [], values: [] });
  }

  #open(port: string): PortTap {
    const timeOf = timeReader(this.#source.typeOf(port)!);
    const tap: PortTap = { port: this.#source.tap(port), timeOf, fields: new Map(), last: Number.NEGATIVE_INFINITY };
    this.#taps.set(port, tap);
    return tap;
  }

  /** Takes what has come by `nowNs`. */
  poll(nowNs: number): void {
    for (const tap of this.#taps.values()) takeEach(tap.port, nowNs, (message) => sample(tap, message, nowNs / 1e9));
  }

  /** What was sampled since the last call; fields without samples are left out. */
  take(): FieldSeries[] {
    const series: FieldSeries[] = [];
    for (const { fields } of this.#taps.values()) {
      for (const field of fields.values()) {
        if (field.times.length === 0) continue;
        const { name, times, values } = field;
        series.push({ field: name, times: Float64Array.from(times), values: Float64Array.from(values) });
        field.times = [];
        field.values = [];
      }
    }
    return series;
  }
}

function sample(tap: PortTap, message: object, now: number): void {
  const own = tap.timeOf?.(message);
  const time = own !== undefined && Number.isFinite(own) ? own : now;
  const isNew = time < tap.last || time - tap.last >= (1 - TOLERANCE) / SAMPLE_RATE;
  if (!isNew) return;
  tap.last = time;
  for (const field of tap.fields.values()) {
    if (field.times.length === MAX_SAMPLES) {
      field.times.shift();
      field.values.shift();
    }
    field.times.push(time);
    field.values.push(field.read(message));
  }
}
