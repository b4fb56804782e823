import { openRecording, type RecordingFile } from "../../recording/format/open-recording.js";
import { loadRobot } from "../../robot/loading/load-robot.js";
import type { Robot } from "../../robot/robot.js";
import { type ReplayPace, replayRecording } from "../../run/replay/replay-run.js";
import type { ReplayChanges, ReplayInput, ReplayMonitor } from "../../run/replay/replay-settings.js";
import type { ErrorCode } from "../../runtime/error-catalogue.js";
import { FlycatcherError } from "../../runtime/errors.js";
import { getOrCreate } from "../../runtime/get-or-create.js";
import { fileReport } from "../replay-report.js";
import type { FileReport } from "../report-types.js";
import type { ModeComparison } from "../throw-report.js";

/** A replay of one file, as it can be handed to another thread. */
export interface ReplayJob {
  /** Path of the recording, and how it is called in reports. */
  readonly path: string;
  readonly name: string;
  readonly changes: ReplayChanges;
  /** Name or path of another robot. */
  readonly robot?: string | undefined;
  readonly input?: ReplayInput | undefined;
  readonly monitor: ReplayMonitor;
  readonly fromNs?: number | undefined;
  readonly toNs?: number | undefined;
  /** Share of the recording's own speed; as fast as can be by default. */
  readonly speed?: number | undefined;
  /** full: with what takes long, the motions of three modes and distances within the robot; brief: without. */
  readonly detail: "full" | "brief";
}

/** What came of it. `wallMs` is of this machine. */
export type ReplayOutcome =
  | { readonly kind: "done"; readonly report: FileReport; readonly wallMs: number; readonly imagesSearched: number }
  | { readonly kind: "failed"; readonly code: ErrorCode; readonly message: string };

/** Robots are loaded once. */
const robots = new Map<string, Robot>();

/** Replays a file and reports on it; never throws. */
export async function runReplayJob(job: ReplayJob, onProgress: (share: number) => void): Promise<ReplayOutcome> {
  let recording: RecordingFile | null = null;
  try {
    recording = await openRecording(job.path);
    return await replayFile(recording, job, onProgress);
  } catch (error) {
    const code = error instanceof FlycatcherError ? error.code : "FLY_REPLAY_FAILED";
    return { kind: "failed", code, message: error instanceof Error ? error.message : String(error) };
  } finally {
    await recording?.close();
  }
}

async function replayFile(
  recording: RecordingFile,
  job: ReplayJob,
  onProgress: (share: number) => void,
): Promise<ReplayOutcome> {
  const { path: _, name, robot, speed, detail, ...part } = job;
  const endNs = Math.max(1, Math.min(part.toNs ?? Number.POSITIVE_INFINITY, recording.endNs));
  const pace: ReplayPace = {
    stopwatch: () => performance.now(),
    onProgress: (nowNs) => onProgress(Math.min(1, nowNs / endNs)),
    speed,
  };
  const other = robot === undefined ? undefined : getOrCreate(robots, robot, () => loadRobot(robot));
  const clearance = detail === "full" ? "measured" : "left out";
  const replay = await replayRecording(recording, { ...part, robot: other, clearance }, pace);
  const modes: ModeComparison = detail === "full" ? "compared" : "left out";
  const report = fileReport(replay, name, modes);
  return { kind: "done", report, wallMs: replay.wallMs, imagesSearched: replay.imagesSearched };
}
