import type { DriverJoint } from "../../driver.js";
import { RobotClock } from "../../udp/robot-clock.js";
import { JOINTS, type UrState } from "./rtde-recipe.js";
import type { UrFault } from "./ur-modes.js";

/** What became of a state. */
export type StateVerdict = "new" | "stale" | UrFault;

/** A clock that goes back farther than this was set, or the controller began again [s]. */
const CLOCK_JUMP = 1;
/** A joint may seem this much faster than it can be, by noise and an uneven clock, and be this far off [rad]. */
const SPEED_MARGIN = 2;
const POSITION_MARGIN = 0.02;

/**
 * Judges states before anything acts on them: joints that jump or are not finite, a clock that goes back, gaps. A busy controller skips
 * packages and sends the newest, so gaps are found by time stamps.
 */
export class UrWatch {
  /** States taken, periods without one, and states older than one before. */
  readonly counts = { received: 0, lost: 0, stale: 0 };
  /** When the joints of the newest state were measured, on the run's clock [s]. */
  time = Number.NaN;
  readonly #joints: readonly DriverJoint[];
  readonly #period: number;
  readonly #clock = new RobotClock();
  readonly #q = new Float64Array(JOINTS);
  #timestamp = Number.NaN;

  constructor(joints: readonly DriverJoint[], rate: number) {
    this.#joints = joints;
    this.#period = 1 / rate;
  }

  /** `arrival` [s] is on the run's clock. */
  take({ timestamp, q, qd }: UrState, arrival: number): StateVerdict {
    const elapsed = timestamp - this.#timestamp;
    if (!Number.isFinite(timestamp)) return "state-not-finite";
    if (elapsed <= 0) {
      if (elapsed < -CLOCK_JUMP) return "clock";
      this.counts.stale++;
      return "stale";
    }
    for (let i = 0; i < JOINTS; i++) {
      if (!Number.isFinite(q[i]!) || !Number.isFinite(qd[i]!)) return "state-not-finite";
      const reach = SPEED_MARGIN * this.#joints[i]!.maxSpeed * elapsed + POSITION_MARGIN;
      if (Math.abs(q[i]! - this.#q[i]!) > reach) return "state-jump";
    }
    this.counts.received++;
    if (elapsed > 1.5 * this.#period) this.counts.lost += Math.round(elapsed / this.#period) - 1;
    this.#timestamp = timestamp;
    this.#q.set(q);
    this.time = this.#clock.place(timestamp, arrival);
    return "new";
  }
}
