import { closeSync, openSync, writeSync } from "node:fs";
import { FlycatcherError } from "../../runtime/errors.js";

/** Where the bytes of a recording go, one after the other. */
export interface ByteSink {
  /** Takes all of the bytes, or throws. The bytes are the sink's from then on. */
  write(bytes: Uint8Array): void;
  close(): void;
}

/** A new file. What was written survives the end of the process, however it ends. */
export class FileSink implements ByteSink {
  readonly path: string;
  readonly #file: number;

  constructor(path: string) {
    this.path = path;
    try {
      this.#file = openSync(path, "w");
    } catch (cause) {
      throw unwritableFile(path, cause);
    }
  }

  write(bytes: Uint8Array): void {
    for (let done = 0; done < bytes.length; ) done += writeSync(this.#file, bytes, done, bytes.length - done);
  }

  close(): void {
    closeSync(this.#file);
  }
}

export function unwritableFile(path: string, cause: unknown): FlycatcherError {
  const { code } = cause as NodeJS.ErrnoException;
  return new FlycatcherError("FLY_FILE_UNWRITABLE", `The file cannot be written (${code})`, { path }, { cause });
}
