import type { HistoryRing } from "../../control/history-ring.js";
import type { Severity } from "../../messages/event.js";
import type { WorldMessage } from "../../simulation/robot-sim/world-protocol.js";

/** Something a person can follow. */
export interface LiveEvent {
  /** On the run's clock [s]. */
  readonly time: number;
  readonly severity: Severity;
  readonly source: string;
  readonly code: string;
  readonly text: string;
}

/** Who watches a run. */
export interface LiveWatcher {
  event?(event: LiveEvent): void;
  /** What the simulated world says. */
  world?(message: WorldMessage): void;
  /** The robot was stopped; the last ticks of control, measured and commanded. */
  braked?(reason: string, history: HistoryRing): void;
}
