import type { PacketMemory } from "./packet-memory.js";

const encoder = new TextEncoder();

/** A text in a packet: UTF-8, padded with zero bytes to its fixed length. Reading allocates the string. */
export class TextView {
  readonly bytes: Uint8Array;

  constructor(memory: PacketMemory, offset: number, length: number) {
    this.bytes = new Uint8Array(memory.buffer, offset, length);
  }

  /** Text that is too long is cut after the last whole character that fits. */
  write(text: string): void {
    const { written } = encoder.encodeInto(text, this.bytes);
    this.bytes.fill(0, written);
  }

  read(): string {
    const end = this.bytes.indexOf(0);
    const length = end === -1 ? this.bytes.length : end;
    return Buffer.from(this.bytes.buffer, this.bytes.byteOffset, length).toString("utf8");
  }
}
