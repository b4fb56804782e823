import { type ActionThreshold, defaultActionThreshold } from "../catching/action-threshold.js";
import type { BodyUse } from "../catching/arm-surroundings.js";
import { type BudgetKind, type CatchTimes, timesOf } from "../catching/catch-times.js";
import type { AfterCatch } from "../catching/coordinator-options.js";
import { NORMAL_RETURN } from "../catching/way-back.js";
import { type NeckSettings, neckDefaults } from "../control/neck/neck-follower.js";
import type { Ball } from "../flight/ball.js";
import { describedBall, knownBalls } from "../flight/known-balls.js";
import { catchGroups } from "../planning/problem/catch-arm.js";
import type { CatchMode } from "../planning/problem/objectives.js";
import type { RecordedRun } from "../recording/recording.js";
import type { Robot } from "../robot/robot.js";
import { type Config, OWN_BALL } from "../runtime/config-schema.js";
import { type CameraPipes, type CameraSettings, cameraDefaults } from "../simulation/camera-settings.js";
import type { ThrowerSettings } from "../simulation/world/thrower.js";
import { LATEST_CATCH } from "../simulation/world/throws.js";
import { type DetectorSettings, detectorDefaults } from "../tracking/circles/detector-options.js";
import type { TrackerOptions } from "../tracking/hypotheses/tracker-options.js";

/** What the configuration says of a run, in lock-step and in real time alike: plain data. */
export interface RunSettings {
  readonly mode: CatchMode;
  readonly body: BodyUse;
  readonly afterCatch: AfterCatch;
  readonly latestCatch: number;
  readonly commitment: ActionThreshold;
  readonly returnShare: number;
  readonly times: Partial<CatchTimes>;
  /** Bounds of the planner's search. */
  readonly planner: Partial<RecordedRun["planner"]>;
  readonly tracker: TrackerOptions;
  readonly neck: NeckSettings;
  readonly cameras: CameraSettings;
  readonly detector: DetectorSettings;
  readonly budget: BudgetKind;
  /** How the simulated thrower throws. */
  readonly thrower: ThrowerSettings;
  /** What it throws, and what is looked for. */
  readonly ball: Ball;
}

const MILLISECOND = 1e6;

export function runSettingsOf(config: Config): RunSettings {
  const { planning, catching, timing, neck, cameras } = config;
  const { sigma, sigmaOfSeveral, hurry, holdMs } = catching;
  const { framesToConfirm, trackingMs, coldBudgetMs, warmBudgetMs, searchMs, transportMs } = timing;
  return {
    mode: planning.mode,
    body: catching.body,
    afterCatch: catching.afterCatch,
    latestCatch: planning.tMax,
    commitment: { sigma, sigmaOfSeveral, hurry },
    returnShare: catching.returnShare,
    times: {
      framesToConfirm,
      trackingNs: trackingMs * MILLISECOND,
      coldBudgetNs: coldBudgetMs * MILLISECOND,
      warmBudgetNs: warmBudgetMs * MILLISECOND,
      searchNs: searchMs * MILLISECOND,
      holdNs: holdMs * MILLISECOND,
      ...(transportMs > 0 && { transportNs: transportMs * MILLISECOND }),
      ...(cameras.rateHz > 0 && { framePeriodNs: Math.round(1e3 / cameras.rateHz) * MILLISECOND }),
    },
    planner: { starts: planning.starts },
    tracker: config.tracking,
    neck,
    cameras: {
      windows: cameras.windows,
      scale: cameras.scale === "auto" ? null : Number(cameras.scale),
      colour: cameras.colour,
      ...pipesOf(cameras),
    },
    detector: configuredDetector(config.detector),
    budget: timing.budget,
    thrower: config.throws,
    ball: configuredBall(config.ball),
  };
}

/** Programs that send frames, if any are named. */
function pipesOf({ left, right, framing }: Config["cameras"]): Pick<CameraSettings, "pipes"> {
  if (left === "" && right === "") return {};
  return { pipes: { left, right, framing: framing as CameraPipes["framing"] } };
}

function configuredBall({ kind, ...own }: Config["ball"]): Ball {
  return kind === OWN_BALL ? describedBall(own) : knownBalls[kind];
}

function configuredDetector({ contrast, ...projection }: Config["detector"]): DetectorSettings {
  return { contrast, projection };
}

/** Settings as a recording has them: those that differ from what is there already. */
export type SettingChanges = Partial<Omit<RunSettings, "commitment">> & {
  readonly arms?: readonly string[];
  readonly commitment?: Partial<ActionThreshold>;
};

const settingNames = [
  "mode",
  "body",
  "afterCatch",
  "latestCatch",
  "commitment",
  "returnShare",
  "planner",
  "tracker",
  "neck",
  "cameras",
  "detector",
  "budget",
] as const satisfies readonly (keyof RunSettings)[];

/** The settings among some options, but for times; plain data. */
export function settingsIn<O extends object>(options: O): Pick<O, Extract<keyof O, (typeof settingNames)[number]>> {
  const entries = Object.entries(options).filter(([name, value]) => isSetting(name) && value !== undefined);
  return Object.fromEntries(entries) as Pick<O, Extract<keyof O, (typeof settingNames)[number]>>;
}

function isSetting(name: string): boolean {
  return (settingNames as readonly string[]).includes(name);
}

/** The bounds of `TimedPlanner`. */
const plannerDefaults: RecordedRun["planner"] = { starts: 16, coldIterations: 100, warmIterations: 60 };

/** What runs had that were recorded before their recordings said it. */
const unrecorded = {
  returnShare: NORMAL_RETURN,
  neck: { ...neckDefaults, gentle: false },
  cameras: { windows: false, scale: null },
  detector: detectorDefaults,
  budget: "fixed",
} as const satisfies Partial<RecordedRun>;

/** All settings of a run of `robot`, nothing left open: those of `before`, or the usual ones, with `changes`. */
export function recordedRun(
  robot: Robot,
  changes: SettingChanges,
  before: RecordedRun | null = null,
): Required<RecordedRun> {
  const base = before === null ? usualRun(robot) : { ...unrecorded, ...before };
  const { arms = base.arms, times, commitment, planner, tracker } = changes;
  return {
    ...base,
    ...settingsIn(changes),
    arms,
    // Searches took as long as they might.
    times: { ...base.times, searchNs: base.times.searchNs ?? base.times.coldBudgetNs, ...times },
    commitment: { ...base.commitment, ...commitment },
    planner: { ...base.planner, ...planner },
    tracker: { ...base.tracker, ...tracker },
  };
}

function usualRun(robot: Robot): Required<RecordedRun> {
  return {
    mode: "soft",
    arms: catchGroups(robot).map(({ name }) => name),
    body: "rule",
    afterCatch: "return",
    latestCatch: LATEST_CATCH,
    commitment: defaultActionThreshold,
    times: timesOf(robot),
    planner: plannerDefaults,
    tracker: {},
    returnShare: NORMAL_RETURN,
    neck: neckDefaults,
    cameras: cameraDefaults,
    detector: detectorDefaults,
    budget: "adaptive",
  };
}
