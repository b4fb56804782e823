import type { BodyUse } from "../catching/body-helper.js";
import type { CatchTimes } from "../catching/catch-times.js";
import type { AfterCatch } from "../catching/coordinator-options.js";
import type { HistorySnapshot } from "../control/history-ring.js";
import type { CatchMode } from "../planning/problem/objectives.js";
import type { MonitorOptions } from "../safety/monitor/monitor-options.js";
import type { RobotAddress } from "../simulation/robot-sim/robot-process.module.js";
import { cameraShare, type RealTimeOptions, reactionTime } from "./real-time-options.js";
import type { RunSettings } from "./run-settings.js";

/** What a thread of a real-time run builds its nodes from: plain data and shared memory. */
export interface RealTimeNodeData {
  readonly robot: string;
  readonly arms: readonly string[];
  readonly perception: "truth" | "images";
  readonly seed: number;
  readonly mode: CatchMode;
  readonly body: BodyUse;
  readonly afterCatch: AfterCatch;
  readonly latestCatch: number;
  readonly starts: number;
  readonly commitment?: RunSettings["commitment"];
  readonly returnShare?: number;
  readonly tracker?: RunSettings["tracker"];
  readonly neck?: RunSettings["neck"];
  readonly times: CatchTimes;
  /** Where the robot stood when it was connected, in model order; null for threads to which that does not matter. */
  readonly posture: Float64Array | null;
  readonly address: RobotAddress;
  /** See `LinkStatus`, `InjectedFaults`, `SharedChallenges`. */
  readonly link: SharedArrayBuffer;
  readonly faults: SharedArrayBuffer;
  readonly challenges: SharedArrayBuffer;
  readonly monitor: MonitorOptions;
  readonly cameraShare: number;
  /** Placements whose signs of life control watches, by their places among all. */
  readonly watched: readonly { readonly name: string; readonly part: number }[];
  /** A run in lock-step before the nodes are built, so that the engine has seen their classes at work; null: none. */
  readonly warmUp: { readonly perception: "truth" | "circles"; readonly throws: number } | null;
}

/** What such a thread posts to the main thread. */
export type NodeThreadMessage =
  | { readonly type: "scheduled"; readonly granted: boolean; readonly text: string }
  | { readonly type: "braked"; readonly reason: string; readonly history: HistorySnapshot };

/** Oldest state that control acts upon [s]. */
const STATE_AGE = 0.02;
/** Threads whose silence control notices. */
const WATCHED = ["catching", "perception"];

/** What a thread is started with; `placements` are those of the run, in the order of their heartbeats. */
export function nodeData(
  options: RealTimeOptions,
  placements: readonly string[],
  run: Pick<RealTimeNodeData, "arms" | "times" | "posture" | "address" | "link" | "faults" | "challenges" | "warmUp">,
): RealTimeNodeData {
  const { robot, perception, seed, mode, body, afterCatch, latestCatch, starts, missedCycles } = options;
  const { commitment, returnShare, tracker, neck } = options;
  return {
    ...run,
    ...{ robot, perception, seed, mode, body, afterCatch, latestCatch, starts },
    ...(commitment !== undefined && { commitment }),
    ...(returnShare !== undefined && { returnShare }),
    ...(tracker !== undefined && { tracker }),
    ...(neck !== undefined && { neck }),
    monitor: { maxStateAge: STATE_AGE, braking: { reactionTime: reactionTime(missedCycles) } },
    cameraShare: cameraShare(),
    watched: WATCHED.map((name) => ({ name, part: placements.indexOf(name) })),
  };
}
