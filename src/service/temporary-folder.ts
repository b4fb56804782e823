import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";

/** Folders of services: `flycatcher-<kind>-<host>-<process>-<random>`. Several machines may share a temporary folder. */
function prefixOf(kind: string): string {
  return `flycatcher-${kind}-${hostname().replaceAll(/[^A-Za-z0-9]/g, "")}-`;
}

/** Makes a folder that no other user can read, and deletes those of services that were killed. */
export function makeTemporaryFolder(kind: string, parent: string = tmpdir()): string {
  removeAbandoned(kind, parent);
  return mkdtempSync(join(parent, `${prefixOf(kind)}${process.pid}-`));
}

/** Deletes folders of this kind whose process has ended, as far as they may be deleted. */
export function removeAbandoned(kind: string, parent: string = tmpdir()): void {
  const prefix = prefixOf(kind);
  for (const name of readdirSync(parent)) {
    if (!name.startsWith(prefix)) continue;
    const owner = /^(\d+)-\w{6}$/.exec(name.slice(prefix.length))?.[1];
    if (owner === undefined || isAlive(Number(owner))) continue;
    try {
      rmSync(join(parent, name), { recursive: true, force: true });
    } catch {
      // Another user's: it stays.
    }
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}
