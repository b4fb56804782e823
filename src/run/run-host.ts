import type { CatchTimes } from "../catching/catch-times.js";
import type { MotionPart } from "../control/robot-motion.js";
import type { PlannerTimings } from "../planning/arm/timed-planner.js";
import type { Robot } from "../robot/robot.js";
import type { RunClock } from "../runtime/clock.js";
import type { Graph } from "../transport/graph.js";
import type { InPort, OutPort, Policy } from "../transport/port.js";
import type { StopLine } from "../transport/stop-line.js";

/** What the graph of a run is executed in: lock-step, or threads. All that differs between runs is here. */
export interface RunHost {
  readonly robot: Robot;
  /** Names of the arms that catch. */
  readonly arms: readonly string[];
  readonly parts: readonly MotionPart[];
  readonly times: CatchTimes;
  readonly graph: Graph;
  readonly clock: RunClock;
  /** The emergency stop. */
  readonly stopLine: StopLine;
  /** How long planning took. */
  readonly timings: PlannerTimings;
  /** Another reader of an out-port. */
  tap<M extends object>(from: string, policy?: Policy): InPort<M>;
  /** The same for messages that `onMessages` waits for. */
  watch<M extends object>(from: string): InPort<M>;
  /** Puts into an in-port, beside what the graph joins to it. */
  feed<M extends object>(to: string): OutPort<M>;
  /** Calls `look` whenever messages may have come to a port of `watch`. */
  onMessages(look: (nowNs: number) => void): void;
  /** Lets time pass until `isOver`; false if that takes longer than `timeout` [s]. */
  until(isOver: () => boolean, timeout: number): Promise<boolean>;
  /** A throw is over, and the next has not begun. */
  afterThrow?(): void;
  close(): Promise<void>;
}
