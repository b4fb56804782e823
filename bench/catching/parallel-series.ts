import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { ThrowResult } from "../../src/catching/run-summary.js";
import type { SeriesRequest } from "./series.js";

const run = promisify(execFile);
const script = fileURLToPath(new URL("./series.js", import.meta.url));
/** Room for what a series prints [B]. */
const MOST_OUTPUT = 256 * 2 ** 20;
/** Throws of one process: enough that its start does not count, few enough that progress shows. */
const CHUNK = 20;

/** Plays a series in `processes` processes side by side; results in the order of the throws. */
export async function playInParallel(
  request: SeriesRequest,
  processes: number,
  progress: (done: number) => void = () => undefined,
): Promise<ThrowResult[][]> {
  const chunks: (readonly (readonly number[])[])[] = [];
  for (let first = 0; first < request.throws.length; first += CHUNK) {
    chunks.push(request.throws.slice(first, first + CHUNK));
  }
  const results: ThrowResult[][][] = chunks.map(() => []);
  let next = 0;
  let done = 0;
  const work = async (): Promise<void> => {
    while (next < chunks.length) {
      const index = next++;
      const throws = chunks[index]!;
      const argument = JSON.stringify({ ...request, throws });
      const { stdout } = await run(process.execPath, [script, argument], { maxBuffer: MOST_OUTPUT });
      results[index] = JSON.parse(stdout, reviveNumber) as ThrowResult[][];
      done += throws.length;
      progress(done);
    }
  };
  await Promise.all(Array.from({ length: processes }, work));
  return results.flat();
}

/** JSON has no Infinity: a ball that never met the hand has errors of null. */
function reviveNumber(key: string, value: unknown): unknown {
  return value === null && (key === "lateral" || key === "timing") ? Number.POSITIVE_INFINITY : value;
}
