import { parentPort } from "node:worker_threads";
import { workerReady } from "../../runtime/worker-context.js";
import { type ReplayJob, type ReplayOutcome, runReplayJob } from "./replay-job.js";

/** What a thread that replays is told, one job after the other. */
export interface ReplayOrder {
  readonly number: number;
  readonly job: ReplayJob;
}

/** What it says; `outcome` comes last. */
export type ReplayWord =
  | { readonly kind: "progress"; readonly number: number; readonly share: number }
  | { readonly kind: "outcome"; readonly number: number; readonly outcome: ReplayOutcome };

/** Progress is told in steps of this share. */
const STEP = 0.02;

parentPort?.on("message", async ({ number, job }: ReplayOrder) => {
  let told = 0;
  const outcome = await runReplayJob(job, (share) => {
    if (share < told + STEP) return;
    told = share;
    say({ kind: "progress", number, share });
  });
  say({ kind: "outcome", number, outcome });
});

function say(word: ReplayWord): void {
  parentPort?.postMessage(word);
}

workerReady();
