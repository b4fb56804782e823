/** Types of packages of RTDE, the state interface of UR's controllers. All numbers are big-endian. */
export const RtdePackage = {
  text: 77,
  outputs: 79,
  pause: 80,
  start: 83,
  data: 85,
  version: 86,
  controllerVersion: 118,
} as const;
export type RtdePackage = (typeof RtdePackage)[keyof typeof RtdePackage];

/** Size (u16) and type (u8) of every package. */
export const HEADER_SIZE = 3;
/** The size is a u16. */
const MAX_PACKAGE = 0xffff;

/** A package with so many bytes after its header. */
function packageOf(type: RtdePackage, payload: number): Buffer {
  const bytes = Buffer.alloc(HEADER_SIZE + payload);
  bytes.writeUInt16BE(bytes.length, 0);
  bytes.writeUInt8(type, 2);
  return bytes;
}

export function encodeVersionRequest(version: number): Buffer {
  const bytes = packageOf(RtdePackage.version, 2);
  bytes.writeUInt16BE(version, HEADER_SIZE);
  return bytes;
}

/** A request without content: `controllerVersion`, `start` or `pause`. */
export function encodeRequest(type: RtdePackage): Buffer {
  return packageOf(type, 0);
}

/** Asks for fields; `rate` [Hz] only where version 2 of the protocol is in use. */
export function encodeOutputs(names: readonly string[], rate: number | null): Buffer {
  const text = Buffer.from(names.join(","), "latin1");
  const start = rate === null ? 0 : 8;
  const bytes = packageOf(RtdePackage.outputs, start + text.length);
  if (rate !== null) bytes.writeDoubleBE(rate, HEADER_SIZE);
  text.copy(bytes, HEADER_SIZE + start);
  return bytes;
}

export interface RtdeText {
  readonly text: string;
  readonly source: string;
  /** 0 exception, 1 error, 2 warning, 3 information. */
  readonly level: number;
}

/** A text message; null if its lengths do not fit. Before version 2 is agreed it is a level and the text. */
export function decodeText(payload: Buffer, version: 1 | 2): RtdeText | null {
  if (version === 1) {
    return payload.length < 1 ? null : { level: payload[0]!, text: payload.toString("latin1", 1), source: "" };
  }
  const textEnd = 1 + (payload[0] ?? 0);
  const sourceEnd = textEnd + 1 + (payload[textEnd] ?? 0);
  if (payload.length !== sourceEnd + 1) return null;
  return {
    text: payload.toString("latin1", 1, textEnd),
    source: payload.toString("latin1", textEnd + 1, sourceEnd),
    level: payload[sourceEnd]!,
  };
}

/** Takes a whole package: its type, and where its payload is in the reader's memory. Do not keep the buffer. */
export type PackageSink = (type: number, memory: Buffer, start: number, end: number) => void;

/**
 * Cuts a stream of bytes into packages, in memory of a fixed size. A size that no package has is a broken stream: there is no way
 * to find the next package, and the connection must be closed.
 */
export class RtdeReader {
  /** Whether the stream is broken. */
  isBroken = false;
  readonly #memory = Buffer.alloc(2 * MAX_PACKAGE);
  #filled = 0;

  take(bytes: Uint8Array, sink: PackageSink): void {
    for (let from = 0; from < bytes.length && !this.isBroken; ) {
      const room = this.#memory.length - this.#filled;
      const part = Math.min(room, bytes.length - from);
      this.#memory.set(bytes.subarray(from, from + part), this.#filled);
      this.#filled += part;
      from += part;
      this.#cut(sink);
    }
  }

  #cut(sink: PackageSink): void {
    let at = 0;
    while (!this.isBroken && this.#filled - at >= HEADER_SIZE) {
      const size = this.#memory.readUInt16BE(at);
      if (size < HEADER_SIZE) this.isBroken = true;
      if (this.#filled - at < size || this.isBroken) break;
      sink(this.#memory[at + 2]!, this.#memory, at + HEADER_SIZE, at + size);
      at += size;
    }
    this.#memory.copyWithin(0, at, this.#filled);
    this.#filled -= at;
  }
}
