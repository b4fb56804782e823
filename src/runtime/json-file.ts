import { readFileSync } from "node:fs";
import { FlycatcherError } from "./errors.js";

/** A JSON file, parsed but not yet checked; refused with the file's path if it cannot be read or is not JSON. */
export function readJsonFile(path: string): unknown {
  return parseJson(readTextFile(path), path);
}

/** The value of a JSON text; refused with the path of its file if it is not JSON. */
export function parseJson(text: string, path: string): unknown {
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
    throw unreadableFile(path, cause);
  }
}

/** Of a file that the system does not let be read. */
export function unreadableFile(path: string, cause: unknown): FlycatcherError {
  const { code } = cause as NodeJS.ErrnoException;
  return new FlycatcherError("FLY_FILE_UNREADABLE", `The file cannot be read (${code})`, { path }, { cause });
}
