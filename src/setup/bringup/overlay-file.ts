import { existsSync, writeFileSync } from "node:fs";
import { parseOverlay } from "../../robot/loading/load-robot.js";
import { layOver, type Overlay } from "../../robot/sidecar/overlay-schema.js";
import { readJsonFile } from "../../runtime/json-file.js";
import { packageVersion } from "../../runtime/package-root.js";

/** The overlay in a file; null if there is none. */
export function readOverlay(file: string): Overlay | null {
  return existsSync(file) ? parseOverlay(readJsonFile(file), file) : null;
}

/** Lays some of an overlay over what the file has; the rest stays. */
export function extendOverlay(file: string, change: Partial<Overlay>, date: string): void {
  const made: Overlay = { schemaVersion: 1, date, version: packageVersion, ...change };
  const before = readOverlay(file);
  const overlay = before === null ? made : layOver(before, made);
  writeFileSync(file, `${JSON.stringify(overlay, null, 2)}\n`);
}
