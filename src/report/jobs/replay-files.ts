import { readdirSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import type { ReplayChanges } from "../../run/replay/replay-settings.js";
import { defined } from "../../runtime/defined.js";
import { FlycatcherError } from "../../runtime/errors.js";
import { packageRoot } from "../../runtime/package-root.js";
import { replayReport } from "../replay-report.js";
import type { ReplayReport } from "../report-types.js";
import { type CrewOptions, replayAll } from "./replay-crew.js";
import type { ReplayJob, ReplayOutcome } from "./replay-job.js";

/** Folder of the recordings shipped with Flycatcher. */
export const throwsFolder: string = join(packageRoot, "data", "throws");

/** The recordings that paths mean: files as they are, folders for all `.mcap` files below them, sorted. */
export function findRecordings(paths: readonly string[]): string[] {
  const found = paths.flatMap((path) => (isFolder(path) ? recordingsBelow(path) : [path]));
  if (found.length > 0) return found;
  throw new FlycatcherError("FLY_REPLAY_NOTHING", "there is no recording to replay", {
    expected: "paths of recordings, or of folders that hold some",
    found: paths.join(", ") || "none",
  });
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function recordingsBelow(folder: string): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return names
    .filter((name) => name.endsWith(".mcap"))
    .sort()
    .map((name) => join(folder, name));
}

/** How a recording is called in reports: by its path from here, or within the data set. */
export function recordingName(path: string): string {
  const shipped = relative(throwsFolder, path);
  const isShipped = !shipped.startsWith("..");
  return (isShipped ? shipped : relative(".", path)).replaceAll("\\", "/");
}

/** What is the same for all files of a replay. */
export type ReplayOrderings = Omit<ReplayJob, "path" | "name">;

/** What may be asked of a replay, times in seconds of the recording; what is undefined is as recorded. */
interface AskedReplay extends Omit<ReplayOrderings, "changes" | "fromNs" | "toNs"> {
  readonly mode?: ReplayChanges["mode"] | undefined;
  readonly body?: ReplayChanges["body"] | undefined;
  readonly tracker?: ReplayChanges["tracker"] | undefined;
  readonly starts?: number | undefined;
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

export function replayOrderings({ mode, body, tracker, starts, from, to, ...asked }: AskedReplay): ReplayOrderings {
  const planner = starts === undefined ? undefined : { starts };
  const nanoseconds = (time: number | undefined) => (time === undefined ? undefined : Math.round(1e9 * time));
  const changes = defined({ mode, body, planner, tracker });
  return { ...asked, changes, fromNs: nanoseconds(from), toNs: nanoseconds(to) };
}

/** Replays recordings and reports on all of them together. */
export async function replayFiles(
  paths: readonly string[],
  orderings: ReplayOrderings,
  crew: CrewOptions,
  nameOf: (path: string) => string = recordingName,
): Promise<ReplayReport> {
  const begun = performance.now();
  const jobs = paths.map((path) => ({ ...orderings, path, name: nameOf(path) }));
  const outcomes = await replayAll(jobs, crew);
  const seconds = (performance.now() - begun) / 1e3;
  return reportOf(jobs, outcomes, orderings, seconds);
}

function reportOf(
  jobs: readonly ReplayJob[],
  outcomes: readonly ReplayOutcome[],
  { changes, robot, monitor }: ReplayOrderings,
  seconds: number,
): ReplayReport {
  const files = outcomes.flatMap((outcome) => (outcome.kind === "done" ? [outcome.report] : []));
  const failures = outcomes.flatMap((outcome, k) =>
    outcome.kind === "failed" ? [{ file: jobs[k]!.name, code: outcome.code, message: outcome.message }] : [],
  );
  const duration = files.reduce((sum, file) => sum + file.duration, 0);
  return replayReport(files, {
    settings: { robot: robot ?? null, monitor, changes: { ...changes } },
    failures,
    wallClock: { seconds, realTimeFactor: duration / seconds },
  });
}
