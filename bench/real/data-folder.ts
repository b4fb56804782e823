import { existsSync } from "node:fs";
import { join } from "node:path";
import { packageRoot } from "../../src/runtime/package-root.js";

/**
 * A file of recorded data, which is not part of the project: in the folder that FLYCATCHER_DATA names, or in
 * `../shared/data` beside the project. Null if it is not there.
 */
export function dataFile(name: string): string | null {
  const path = join(process.env.FLYCATCHER_DATA ?? join(packageRoot, "..", "shared", "data"), name);
  return existsSync(path) ? path : null;
}
