import type { CatchTimes } from "../catching/catch-times.js";
import type { HistorySnapshot } from "../control/history-ring.js";
import { defaultBall } from "../flight/ball.js";
import type { MonitorOptions } from "../safety/monitor/monitor-options.js";
import type { RobotAddress } from "../simulation/robot-sim/robot-process.module.js";
import type { PerceptionKind } from "./graph.js";
import type { OwnNodeModules } from "./own-nodes.js";
import { calibrated, cameraShare, type RealTimeOptions, reactionTime } from "./real-time-options.js";
import type { DriverChoice } from "./robot-link.js";
import { type RunSettings, settingsIn } from "./run-settings.js";

/** What a thread of a real-time run builds its nodes from: plain data and shared memory. */
export interface RealTimeNodeData {
  readonly robot: string;
  /** File of its overlay; left out: the usual one. */
  readonly calibration?: string;
  readonly arms: readonly string[];
  readonly settings: Pick<RealTimeOptions, "perception" | "seed"> &
    Pick<RunSettings, "ball"> &
    Partial<Omit<RunSettings, "times">>;
  readonly times: CatchTimes;
  /** Where the robot stood when it was connected, in model order; null for threads to which that does not matter. */
  readonly posture: Float64Array | null;
  /** Where the robot is; null for threads that do not speak to it. */
  readonly address: RobotAddress | null;
  /** What drives its joints; none: the UDP protocol. */
  readonly drivers: readonly DriverChoice[];
  /** See `InjectedFaults`, `StopLine`, `sharedChallenges`. */
  readonly faults: SharedArrayBuffer;
  readonly stopLine: SharedArrayBuffer;
  readonly challenges: SharedArrayBuffer;
  readonly monitor: MonitorOptions;
  readonly cameraShare: number;
  /** Placements whose signs of life control watches, by their places among all. */
  readonly watched: readonly { readonly name: string; readonly part: number }[];
  /** Modules of nodes that replace the graph's. */
  readonly nodes: OwnNodeModules;
  /** A run in lock-step before the nodes are built, so that the engine has seen their classes at work; null: none. */
  readonly warmUp: { readonly perception: PerceptionKind; readonly throws: number } | null;
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
  run: Pick<
    RealTimeNodeData,
    "arms" | "times" | "posture" | "address" | "faults" | "stopLine" | "challenges" | "warmUp"
  >,
): RealTimeNodeData {
  const { perception, seed, ball = defaultBall } = options;
  return {
    ...run,
    robot: options.robot,
    ...calibrated(options),
    nodes: options.nodes ?? {},
    drivers: options.drivers ?? [],
    settings: { perception, seed, ball, ...settingsIn(options) },
    monitor: { maxStateAge: STATE_AGE, braking: { reactionTime: reactionTime(options.missedCycles) } },
    cameraShare: cameraShare(),
    watched: WATCHED.map((name) => ({ name, part: placements.indexOf(name) })),
  };
}
