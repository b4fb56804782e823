import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { packageRoot } from "../../src/runtime/package-root.js";
import { type RunningWorker, startWorker } from "../../src/transport/workers/start-worker.js";
import type { DetectorInput } from "./detector.worker.js";

/** Starts the detector thread of one camera; it looks at images from when this returns. */
export function startDetector(input: DetectorInput): Promise<RunningWorker> {
  const program = pathToFileURL(join(packageRoot, "dist", "bench", "tracking", "detector.worker.js"));
  return startWorker(program, { workerData: input });
}
