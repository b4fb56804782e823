import type { HistoryRing } from "../control/history-ring.js";
import type { Event } from "../messages/report.js";
import type { WarmUpProgress } from "../runtime/warm-up.js";
import type { WorldMessage } from "../simulation/robot-sim/world-protocol.js";

/** An event, and when it came to be known on the run's clock [s]. */
export type TimedEvent = Event & { readonly time: number };

/** What is reported of a run in real time. */
export interface RealTimeObserver {
  event?(event: TimedEvent): void;
  /** How far the start has come. */
  progress?(progress: WarmUpProgress): void;
  /** What the simulated world's process reports. */
  world?(message: WorldMessage): void;
  /** The robot was stopped; the last ticks of control, measured and commanded. */
  braked?(reason: string, history: HistoryRing): void;
}
