import { type FileHandle, open } from "node:fs/promises";
import type { IReadable } from "@mcap/core";
import { unreadableFile } from "../../runtime/json-file.js";

/** Bytes that can be read from anywhere; as `@mcap/core` wants them. */
export interface ByteSource extends IReadable {
  readonly byteLength: number;
  close(): Promise<void>;
}

/** A file, read piece by piece. */
export class FileSource implements ByteSource {
  readonly byteLength: number;
  readonly #file: FileHandle;

  static async open(path: string): Promise<FileSource> {
    try {
      const file = await open(path, "r");
      return new FileSource(file, (await file.stat()).size);
    } catch (cause) {
      throw unreadableFile(path, cause);
    }
  }

  private constructor(file: FileHandle, byteLength: number) {
    this.#file = file;
    this.byteLength = byteLength;
  }

  async size(): Promise<bigint> {
    return BigInt(this.byteLength);
  }

  async read(offset: bigint, size: bigint): Promise<Uint8Array> {
    checkRange(this.byteLength, offset, size);
    const bytes = new Uint8Array(Number(size));
    for (let done = 0; done < bytes.length; ) {
      const { bytesRead } = await this.#file.read(bytes, done, bytes.length - done, Number(offset) + done);
      if (bytesRead === 0) throw new RangeError("the file shrank while it was read");
      done += bytesRead;
    }
    return bytes;
  }

  async close(): Promise<void> {
    await this.#file.close();
  }
}

/** Bytes in memory. */
export class MemorySource implements ByteSource {
  readonly #bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get byteLength(): number {
    return this.#bytes.length;
  }

  async size(): Promise<bigint> {
    return BigInt(this.#bytes.length);
  }

  async read(offset: bigint, size: bigint): Promise<Uint8Array> {
    checkRange(this.#bytes.length, offset, size);
    return this.#bytes.subarray(Number(offset), Number(offset + size));
  }

  async close(): Promise<void> {}
}

/** Offsets come from the file and may be anything. */
function checkRange(byteLength: number, offset: bigint, size: bigint): void {
  if (offset >= 0n && size >= 0n && offset + size <= BigInt(byteLength)) return;
  throw new RangeError(`bytes ${offset} to ${offset + size} of a file of ${byteLength}`);
}
