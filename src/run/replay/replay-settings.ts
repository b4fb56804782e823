import { catchGroups } from "../../planning/problem/catch-arm.js";
import { buildRecordedRobot } from "../../recording/recorded-robot.js";
import type { RecordedRobot, RecordedRun, RecordingHeader } from "../../recording/recording.js";
import type { Robot } from "../../robot/robot.js";
import { FlycatcherError } from "../../runtime/errors.js";
import { getOrCreate } from "../../runtime/get-or-create.js";
import { RunParts } from "../run-parts.js";
import { recordedRun, type SettingChanges } from "../run-settings.js";

/** What a replay sees by: the images, the circles that were found in them, or points. */
export type ReplayInput = "images" | "circles" | "points";

/** How the robot is kept from hitting itself: each plan is checked as a whole, or each tick's command by the monitor too. */
export type ReplayMonitor = "motion" | "full";

/** What a replay does otherwise than the run that was recorded; whatever is not here stays. */
export type ReplayChanges = SettingChanges;

export interface ReplayOptions {
  readonly changes?: ReplayChanges;
  /** Another robot to catch; default: the one of the recording. */
  readonly robot?: Robot | undefined;
  /** What to see by; default: images if there are any, else what there is. */
  readonly input?: ReplayInput | undefined;
  readonly monitor?: ReplayMonitor;
  /** Whether distances between the robot's bodies are measured as it moves, for a report; they are not by default. */
  readonly clearance?: "measured" | "left out";
  /** The part of the recording to replay [ns]. */
  readonly fromNs?: number | undefined;
  readonly toNs?: number | undefined;
}

/** All that a replay goes by, nothing left open. */
export interface ReplaySettings {
  /** The robot that catches, and the one that saw; the same but for `robot`. */
  readonly robot: Robot;
  readonly seer: Robot;
  readonly run: RecordedRun;
  readonly input: ReplayInput | "truth";
  readonly monitor: ReplayMonitor;
  /** What takes long to make for the robot that catches; replays one after the other share it. */
  readonly parts: RunParts;
  /** Whether everything is as in the run that was recorded. */
  readonly isUnchanged: boolean;
}

export function replaySettings(header: RecordingHeader, options: ReplayOptions): ReplaySettings {
  const recorded = header.robot === null ? null : recordedRobot(header.robot);
  const robot = options.robot ?? recorded;
  if (robot === null) {
    throw new FlycatcherError("FLY_REPLAY_ROBOT", "the recording is of balls alone: which robot is to catch them?", {
      path: "--robot",
      expected: "the name of a robot",
      found: "none",
    });
  }
  const { changes = {}, monitor = "motion" } = options;
  const isSame = options.robot === undefined;
  // How to catch is taken over from another robot's run; with which arms, is not.
  const arms = catchGroups(robot).map(({ name }) => name);
  const before = header.run === null || isSame ? header.run : { ...header.run, arms };
  return {
    robot,
    seer: recorded ?? robot,
    run: recordedRun(robot, toldChanges(header, changes), before),
    input: inputOf(header, options.input),
    parts: partsOf(robot),
    monitor,
    isUnchanged: isSame && header.run !== null && Object.keys(changes).length === 0,
  };
}

/** A recording of balls alone says what the tracker is to be told of them; what is changed comes last. */
function toldChanges({ run, tracker }: RecordingHeader, changes: ReplayChanges): ReplayChanges {
  if (run !== null || tracker === undefined) return changes;
  return { ...changes, tracker: { ...tracker, ...changes.tracker } };
}

/** The robots of the last recordings, by all that they are made of: most files of a series are of the same one. */
const recordedRobots = new Map<string, Robot>();
const MOST_ROBOTS = 4;

function recordedRobot(source: RecordedRobot): Robot {
  const key = JSON.stringify(source);
  return getOrCreate(recordedRobots, key, () => {
    if (recordedRobots.size >= MOST_ROBOTS) recordedRobots.delete(recordedRobots.keys().next().value!);
    return buildRecordedRobot(source);
  });
}

/** Parts live as long as their robot does. */
const madeParts = new WeakMap<Robot, RunParts>();

function partsOf(robot: Robot): RunParts {
  const waiting = robot.postures.get("ready") ?? new Float64Array(robot.model.dofCount);
  return getOrCreate(madeParts, robot, () => new RunParts(robot, waiting));
}

function inputOf({ perception }: RecordingHeader, wanted: ReplayInput | undefined): ReplaySettings["input"] {
  if (wanted === undefined || wanted === perception) return perception;
  if (perception === "images" && wanted === "circles") return wanted;
  throw new FlycatcherError("FLY_REPLAY_INPUT", "the recording does not hold what is to be seen by", {
    path: "--input",
    expected: perception === "images" ? "images or circles" : perception,
    found: wanted,
  });
}
