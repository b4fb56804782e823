import { onParentMessage, postToParent, workerReady } from "../../transport/workers/worker-context.js";
import { type ReplayJob, type ReplayOutcome, runReplayJob } from "./replay-job.js";

/** What a thread that replays is given, one job after the other. */
export interface ReplayOrder {
  readonly number: number;
  readonly job: ReplayJob;
}

/** What it reports; `outcome` comes last. */
export type ReplayNotice =
  | { readonly kind: "progress"; readonly number: number; readonly share: number }
  | { readonly kind: "outcome"; readonly number: number; readonly outcome: ReplayOutcome };

/** Progress is reported in steps of this share. */
const STEP = 0.02;

onParentMessage(async ({ number, job }: ReplayOrder) => {
  let published = 0;
  const outcome = await runReplayJob(job, (share) => {
    if (share < published + STEP) return;
    published = share;
    publish({ kind: "progress", number, share });
  });
  publish({ kind: "outcome", number, outcome });
});

function publish(report: ReplayNotice): void {
  postToParent(report);
}

workerReady();
