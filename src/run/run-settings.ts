import { type ActionThreshold, defaultActionThreshold } from "../catching/action-threshold.js";
import type { BodyUse } from "../catching/arm-surroundings.js";
import { type CatchTimes, timesOf } from "../catching/catch-times.js";
import type { AfterCatch } from "../catching/coordinator-options.js";
import type { NeckSettings } from "../control/neck/neck-follower.js";
import { catchGroups } from "../planning/problem/catch-arm.js";
import type { CatchMode } from "../planning/problem/objectives.js";
import type { RecordedRun } from "../recording/recording.js";
import type { Robot } from "../robot/robot.js";
import type { Config } from "../runtime/config-schema.js";
import { LATEST_CATCH } from "../simulation/throws.js";
import { type TrackerOptions, trackerOptionsOf } from "../tracking/hypotheses/tracker-options.js";

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
}

const MILLISECOND = 1e6;

export function runSettingsOf(config: Config): RunSettings {
  const { planning, catching, timing, neck } = config;
  const { sigma, sigmaOfSeveral, hurry, holdMs } = catching;
  const { framesToConfirm, trackingMs, coldBudgetMs, warmBudgetMs, transportMs } = timing;
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
      holdNs: holdMs * MILLISECOND,
      ...(transportMs > 0 && { transportNs: transportMs * MILLISECOND }),
    },
    planner: { starts: planning.starts },
    tracker: trackerOptionsOf(config),
    neck: { ...neck, gentle: neck.gentle === "auto" ? null : neck.gentle === "on" },
  };
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

/** All settings of a run of `robot`, nothing left open: those of `before`, or the usual ones, with `changes`. */
export function recordedRun(robot: Robot, changes: SettingChanges, before: RecordedRun | null = null): RecordedRun {
  const base: RecordedRun = before ?? {
    mode: "soft",
    arms: catchGroups(robot).map(({ name }) => name),
    body: "rule",
    afterCatch: "return",
    latestCatch: LATEST_CATCH,
    commitment: defaultActionThreshold,
    times: timesOf(robot),
    planner: plannerDefaults,
    tracker: {},
  };
  const { arms = base.arms, times, commitment, planner, tracker } = changes;
  return {
    ...base,
    ...settingsIn(changes),
    arms,
    times: { ...base.times, ...times },
    commitment: { ...base.commitment, ...commitment },
    planner: { ...base.planner, ...planner },
    tracker: { ...base.tracker, ...tracker },
  };
}
