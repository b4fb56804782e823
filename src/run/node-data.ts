import type { BodyUse } from "../catching/body-helper.js";
import type { CatchTimes } from "../catching/catch-times.js";
import type { AfterCatch } from "../catching/coordinator-options.js";
import type { RobotAddress } from "../catching/live/robot-process.module.js";
import type { HistorySnapshot } from "../control/history-ring.js";
import type { CatchMode } from "../planning/request/request.js";
import type { MonitorOptions } from "../safety/monitor/monitor-options.js";

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
