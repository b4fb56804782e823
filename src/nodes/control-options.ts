import type { ControlCycle } from "../control/control-cycle.js";
import type { NeckSettings } from "../control/neck/neck-follower.js";
import type { MotionPart } from "../control/robot-motion.js";
import type { WatchedPart } from "../control/watchdog.js";
import type { MonitorOptions } from "../safety/monitor/monitor-options.js";
import type { SelfCollisionMonitor } from "../safety/monitor/self-collision-monitor.js";
import type { StopLine } from "../transport/stop-line.js";

/** How the control node is set. */
export interface ControlNodeOptions {
  readonly tickNs: number;
  /** Where the robot waits for balls, and where it stands at first; in model order. */
  readonly waiting: Float64Array;
  readonly posture: Float64Array;
  readonly parts: readonly MotionPart[];
  /** Ticks kept for the time something goes wrong. */
  readonly history: number;
  readonly monitor: MonitorOptions;
  /** A monitor that is never asked, where whole motions are checked instead. */
  readonly idleMonitor: SelfCollisionMonitor | null;
  /** Where stops are asked for and noted. */
  readonly stopLine: StopLine;
  /** How the neck keeps balls in view; null: it stands. */
  readonly neck: NeckSettings | null;
  /** Parts that control listens to; whether each gave a sign of life since it was last asked. */
  readonly watched: readonly WatchedPart[];
  readonly takeBeat: (part: number) => boolean;
  /** Ticks with all but the sending of commands before the first that counts; none by default. */
  readonly warmUpTicks?: number;
  /** Called when all has begun again from a posture and nothing waits for control. */
  readonly onBegin?: () => void;
  /** Called when the robot stands after a brake, with the ticks before it. */
  readonly onBrake?: (cycle: ControlCycle, reason: string) => void;
}
