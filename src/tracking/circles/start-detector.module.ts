import type { Logger } from "../../runtime/logger.js";
import { type RunningWorker, startWorker } from "../../runtime/start-worker.js";
import type { DetectorInput } from "./detector.module.js";

/** Starts the detector thread of one camera; it looks at images from when this returns. */
export function startDetector(input: DetectorInput, logger?: Logger): Promise<RunningWorker> {
  return startWorker("tracking/circles/detector", { workerData: input, ...(logger && { logger }) });
}
