import type { BodyUse } from "../catching/body-helper.js";
import type { CatchTimes } from "../catching/catch-times.js";
import type { Commitment } from "../catching/commitment.js";
import type { AfterCatch } from "../catching/coordinator-options.js";
import type { NeckOptions } from "../catching/seeing/neck-follower.js";
import type { CatchMode } from "../planning/problem/objectives.js";
import type { Config } from "../runtime/config-schema.js";
import { type TrackerOptions, trackerOptionsOf } from "../tracking/hypotheses/tracker-options.js";

/** What the configuration says of a run, in lock-step and in real time alike: plain data. */
export interface RunSettings {
  readonly mode: CatchMode;
  readonly body: BodyUse;
  readonly afterCatch: AfterCatch;
  readonly latestCatch: number;
  readonly commitment: Commitment;
  readonly returnShare: number;
  readonly times: Partial<CatchTimes>;
  /** Starts of the planner's global search. */
  readonly starts: number;
  readonly tracker: TrackerOptions;
  readonly neck: NeckSettings;
}

export interface NeckSettings extends NeckOptions {
  readonly follows: boolean;
  /** Whether it keeps speed and acceleration in reserve; null: in real time. */
  readonly gentle: boolean | null;
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
    starts: planning.starts,
    tracker: trackerOptionsOf(config),
    neck: { ...neck, gentle: neck.gentle === "auto" ? null : neck.gentle === "on" },
  };
}
