import { type RtdeType, rtdeInputs, rtdeOutputs, rtdeSizes, type UrReading, writeRtde } from "./rtde-values.js";
import type { UrController } from "./ur-controller.js";

/** Type bytes of packages. */
const Kind = {
  version: 86,
  controller: 118,
  outputs: 79,
  inputs: 73,
  start: 83,
  pause: 80,
  data: 85,
  text: 77,
} as const;
const HEADER = 3;
/** Longest list of names that is accepted [bytes]. */
const LONGEST_LIST = 2048;
/** Fastest rates: e-Series, CB3 [Hz]. */
const MAX_RATE = 500;

/** Inputs that are held, by name; one client each. */
export type HeldInputs = Map<string, RtdeSession>;

interface RtdeSessionOptions {
  readonly controller: UrController;
  readonly held: HeldInputs;
  readonly send: (bytes: Uint8Array) => void;
  /** The connection ends: what came was no package. */
  readonly fail: () => void;
  /** Rate of protocol 1, and the greatest [Hz]; 500 by default. */
  readonly maxRate?: number;
}

interface Field {
  readonly name: string;
  readonly type: RtdeType;
}

/** One client of the real-time data exchange, without its socket. */
export class RtdeSession {
  readonly #options: RtdeSessionOptions;
  #received: Buffer = Buffer.alloc(0);
  #protocol = 1;
  #outputs: readonly Field[] = [];
  #inputs: readonly Field[] = [];
  #periodSeconds: number;
  #isStarted = false;
  #sentAt = Number.NEGATIVE_INFINITY;

  constructor(options: RtdeSessionOptions) {
    this.#options = options;
    this.#periodSeconds = 1 / (options.maxRate ?? MAX_RATE);
  }

  receive(bytes: Uint8Array): void {
    this.#received = Buffer.concat([this.#received, bytes]);
    while (this.#received.length >= HEADER) {
      const size = this.#received.readUInt16BE(0);
      if (size < HEADER || size > LONGEST_LIST + 16) {
        this.#options.fail();
        return;
      }
      if (this.#received.length < size) return;
      this.#take(this.#received.readUInt8(2), this.#received.subarray(HEADER, size));
      this.#received = this.#received.subarray(size);
    }
  }

  #take(kind: number, payload: Buffer): void {
    switch (kind) {
      case Kind.version:
        this.#setVersion(payload);
        break;
      case Kind.controller:
        this.#answer(kind, words(5, 11, 0, 108249));
        break;
      case Kind.outputs:
        this.#setOutputs(payload);
        break;
      case Kind.inputs:
        this.#setInputs(payload);
        break;
      case Kind.start:
        this.#isStarted = this.#outputs.length > 0;
        this.#answer(kind, [this.#isStarted ? 1 : 0]);
        break;
      case Kind.pause:
        this.#isStarted = false;
        this.#answer(kind, [1]);
        break;
      case Kind.data:
        this.#takeInputs(payload);
        break;
      default:
        this.#options.fail();
        break;
    }
  }

  #setVersion(payload: Buffer): void {
    const isKnown = payload.length === 2 && [1, 2].includes(payload.readUInt16BE(0));
    if (isKnown) this.#protocol = payload.readUInt16BE(0);
    this.#answer(Kind.version, [isKnown ? 1 : 0]);
  }

  #setOutputs(payload: Buffer): void {
    const { maxRate = MAX_RATE } = this.#options;
    const names = this.#protocol === 2 ? payload.subarray(8) : payload;
    if (this.#protocol === 2) {
      const rate = payload.length >= 8 ? payload.readDoubleBE(0) : 0;
      if (!(rate > 0)) {
        this.#options.fail();
        return;
      }
      this.#periodSeconds = 1 / Math.min(rate, maxRate);
    }
    const types = listOf(names).map((name) => rtdeOutputs[own(rtdeOutputs, name)]?.type ?? "NOT_FOUND");
    const isWhole = !types.includes("NOT_FOUND");
    this.#outputs = isWhole ? listOf(names).map((name, i) => ({ name, type: types[i] as RtdeType })) : [];
    this.#answerRecipe(Kind.outputs, isWhole, types);
  }

  #setInputs(payload: Buffer): void {
    const { held } = this.#options;
    const names = listOf(payload);
    const types = names.map((name) => {
      const type = rtdeInputs[own(rtdeInputs, name)];
      if (type === undefined) return "NOT_FOUND";
      return held.has(name) && held.get(name) !== this ? "IN_USE" : type;
    });
    const isWhole = !types.some((type) => type === "NOT_FOUND" || type === "IN_USE");
    this.#inputs = isWhole ? names.map((name, i) => ({ name, type: types[i] as RtdeType })) : [];
    for (const { name } of this.#inputs) held.set(name, this);
    this.#answerRecipe(Kind.inputs, isWhole, types, "always");
  }

  /** The number of the recipe, 0 if a name was refused, and the types. */
  #answerRecipe(
    kind: number,
    isWhole: boolean,
    types: readonly string[],
    id: "always" | "version 2" = "version 2",
  ): void {
    const head = id === "always" || this.#protocol === 2 ? [isWhole ? 1 : 0] : [];
    this.#answer(kind, [...head, ...Buffer.from(types.join(","), "latin1")]);
  }

  #takeInputs(payload: Buffer): void {
    const size = this.#inputs.reduce((sum, { type }) => sum + rtdeSizes[type], 1);
    if (this.#inputs.length === 0 || payload.length !== size || payload.readUInt8(0) !== 1) return;
    let at = 1;
    const values: Record<string, number> = {};
    for (const { name, type } of this.#inputs) {
      values[name] = type === "DOUBLE" ? payload.readDoubleBE(at) : payload.readUInt32BE(at);
      at += rtdeSizes[type];
    }
    const { speed_slider_mask: mask = 0, speed_slider_fraction: fraction = Number.NaN } = values;
    if (mask === 1 && fraction >= 0 && fraction <= 1) this.#options.controller.arm.speedFraction = fraction;
  }

  /** Sends the outputs if they are due. */
  publish(reading: UrReading): void {
    const { controller, send } = this.#options;
    if (!this.#isStarted || controller.time - this.#sentAt < this.#periodSeconds - 1e-6) return;
    this.#sentAt = controller.time;
    const hasId = this.#protocol === 2;
    const size = this.#outputs.reduce((sum, { type }) => sum + rtdeSizes[type], HEADER + (hasId ? 1 : 0));
    const view = new DataView(new ArrayBuffer(size));
    view.setUint16(0, size);
    view.setUint8(2, Kind.data);
    let at = HEADER;
    if (hasId) view.setUint8(at++, 1);
    for (const { name, type } of this.#outputs)
      at = writeRtde(view, at, type, rtdeOutputs[name]!.read(controller, reading));
    send(new Uint8Array(view.buffer));
  }

  /** The client has gone: its inputs are free. */
  close(): void {
    const { held } = this.#options;
    for (const { name } of this.#inputs) if (held.get(name) === this) held.delete(name);
  }

  #answer(kind: number, payload: readonly number[] | Uint8Array): void {
    const bytes = Buffer.alloc(HEADER + payload.length);
    bytes.writeUInt16BE(bytes.length, 0);
    bytes.writeUInt8(kind, 2);
    bytes.set(payload, HEADER);
    this.#options.send(bytes);
  }
}

function listOf(names: Buffer): string[] {
  return names.toString("latin1").split(",");
}

/** A name that a table has itself, else one that no table has. */
function own(table: object, name: string): string {
  return Object.hasOwn(table, name) ? name : "";
}

function words(...values: readonly number[]): Uint8Array {
  const bytes = Buffer.alloc(4 * values.length);
  for (const [i, value] of values.entries()) bytes.writeUInt32BE(value, 4 * i);
  return bytes;
}
