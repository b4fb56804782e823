import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The folder of Flycatcher's `package.json`, found upwards from this file: the same from `src/` and from `dist/`. */
export const packageRoot: string = findPackageRoot(dirname(fileURLToPath(import.meta.url)));

/** Flycatcher's version, as in `package.json`. */
export const packageVersion: string = readManifest(packageRoot).version;

function findPackageRoot(from: string): string {
  for (let folder = from; ; folder = dirname(folder)) {
    if (existsSync(join(folder, "package.json")) && readManifest(folder).name === "flycatcher") return folder;
    if (dirname(folder) === folder) throw new Error(`no package.json of flycatcher above ${from}`);
  }
}

function readManifest(folder: string): { name: string; version: string } {
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
}
