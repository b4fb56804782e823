import type { ByteSink } from "../../src/recording/mcap/byte-sink.js";

/** Keeps the bytes of a recording in memory. */
export class MemorySink implements ByteSink {
  readonly #parts: Uint8Array[] = [];

  write(bytes: Uint8Array): void {
    this.#parts.push(bytes);
  }

  close(): void {}

  /** Everything written so far. */
  bytes(): Uint8Array {
    return Buffer.concat(this.#parts);
  }
}
