import { execFile } from "node:child_process";
import { cpus } from "node:os";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { ThrowResult } from "../../src/catching/run-summary.js";
import type { SpaceRequest } from "./catch-space.js";
import type { SeriesRequest } from "./series.js";

const run = promisify(execFile);
/** Room for what a process prints [B]. */
const MOST_OUTPUT = 256 * 2 ** 20;
/** Throws of one process: enough that its start does not count, few enough that all end at about the same time. */
const CHUNK = 20;

/** Told how many throws are done. */
export type Progress = (done: number) => void;

/** Plays a series in as many processes as there are cores; results in the order of the throws, however many those are. */
export function playInParallel(request: SeriesRequest, progress?: Progress): Promise<ThrowResult[][]> {
  return inParallel<ThrowResult[]>("./series.js", request, progress);
}

/** Whether each throw, or pair, is in the catch space. */
export function findInSpaceInParallel(request: SpaceRequest): Promise<boolean[]> {
  return inParallel<boolean>("./catch-space.js", request);
}

/** Runs `script` on chunks of the throws, which do not depend on the number of processes, and joins what they print. */
async function inParallel<Result>(
  script: string,
  request: { readonly throws: readonly (readonly number[])[] },
  progress: Progress = () => undefined,
): Promise<Result[]> {
  const path = fileURLToPath(new URL(script, import.meta.url));
  const chunks: (readonly (readonly number[])[])[] = [];
  for (let first = 0; first < request.throws.length; first += CHUNK) {
    chunks.push(request.throws.slice(first, first + CHUNK));
  }
  const results: Result[][] = chunks.map(() => []);
  let next = 0;
  let done = 0;
  const work = async (): Promise<void> => {
    while (next < chunks.length) {
      const index = next++;
      const throws = chunks[index]!;
      const argument = JSON.stringify({ ...request, throws });
      const { stdout } = await run(process.execPath, [path, argument], { maxBuffer: MOST_OUTPUT });
      results[index] = JSON.parse(stdout, reviveNumber) as Result[];
      done += throws.length;
      progress(done);
    }
  };
  await Promise.all(Array.from({ length: cpus().length }, work));
  return results.flat();
}

/** JSON has no Infinity: a ball that never met the hand has errors of null. */
function reviveNumber(key: string, value: unknown): unknown {
  return value === null && (key === "lateral" || key === "timing") ? Number.POSITIVE_INFINITY : value;
}
