import { readFileSync } from "node:fs";
import { FlycatcherError } from "./errors.js";

/** A JSON file, parsed but not yet checked; refused with the file's path if it cannot be read or is not JSON. */
export function readJsonFile(path: string): unknown {
  const text = readTextFile(path);
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new FlycatcherError("FLY_JSON_MALFORMED", `Not JSON: ${(cause as Error).message}`, { path }, { cause });
  }
}

/** The text of a file; refused with the path if it cannot be read. */
export function readTextFile(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new FlycatcherError("FLY_FILE_UNREADABLE", `The file cannot be read (${code})`, { path }, { cause });
  }
}
