import { type FileHandle, open } from "node:fs/promises";
import { type ByteSink, unwritableFile } from "../mcap/byte-sink.js";

/** Writes all of some bytes, later. */
export type WriteBytes = (bytes: Uint8Array) => Promise<void>;

/**
 * A file that is written in the background: `write` only queues. However slow the disk is, the recorder goes on listening; how
 * much waits for the disk tells it what to leave out.
 */
export class BackgroundFile implements ByteSink {
  readonly #write: WriteBytes;
  readonly #queue: Uint8Array[] = [];
  #backlog = 0;
  #failure: Error | null = null;
  #pumping: Promise<void> = Promise.resolve();
  #isPumping = false;

  /** A new file, and what is to be awaited after `close`. */
  static async create(path: string): Promise<{ readonly file: BackgroundFile; readonly closed: () => Promise<void> }> {
    const handle = await openNew(path);
    const file = new BackgroundFile((bytes) => writeAll(handle, bytes));
    return {
      file,
      closed: async () => {
        await file.drained();
        await handle.close();
      },
    };
  }

  constructor(write: WriteBytes) {
    this.#write = write;
  }

  /** Bytes that wait for the disk. */
  get backlog(): number {
    return this.#backlog;
  }

  /** Why nothing more is written; null while the disk takes what comes. */
  get failure(): string | null {
    return this.#failure?.message ?? null;
  }

  /** Throws if an earlier write has failed. */
  write(bytes: Uint8Array): void {
    if (this.#failure !== null) throw this.#failure;
    this.#queue.push(bytes);
    this.#backlog += bytes.length;
    if (!this.#isPumping) this.#pumping = this.#pump();
  }

  async #pump(): Promise<void> {
    this.#isPumping = true;
    try {
      for (let bytes = this.#queue.shift(); bytes !== undefined; bytes = this.#queue.shift()) {
        await this.#write(bytes);
        this.#backlog -= bytes.length;
      }
    } catch (error) {
      this.#failure = error as Error;
      this.#queue.length = 0;
      this.#backlog = 0;
    } finally {
      this.#isPumping = false;
    }
  }

  /** Nothing to do at once: see `drained`. */
  close(): void {}

  /** Settles when everything that was queued is written; rejects if it could not be. */
  async drained(): Promise<void> {
    await this.#pumping;
    if (this.#failure !== null) throw this.#failure;
  }
}

async function openNew(path: string): Promise<FileHandle> {
  try {
    return await open(path, "w");
  } catch (cause) {
    throw unwritableFile(path, cause);
  }
}

async function writeAll(handle: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const { bytesWritten } = await handle.write(bytes, done, bytes.length - done);
    done += bytesWritten;
  }
}
