import { CommandMode } from "../messages/command-mode.js";

/** What the robot says of itself, as a driver hands it to control. Made once, filled in each cycle. */
export class DriverState {
  /** When the encoders were read [s], on the run's clock: known delays are subtracted by the driver. */
  time = Number.NEGATIVE_INFINITY;
  /** Number of the robot's cycle; a gap is a lost one. */
  cycle = 0;
  /** q [rad or m] and q̇ in model order. [count] */
  readonly q: Float64Array;
  readonly qd: Float64Array;

  constructor(count: number) {
    this.q = new Float64Array(count);
    this.qd = new Float64Array(count);
  }
}

/** What control wants of the robot in one cycle. Made once, filled in each cycle. */
export class DriverCommand {
  /** Time of the tick [s]. */
  time = 0;
  /** Number of the tick. */
  cycle = 0;
  mode: CommandMode = CommandMode.hold;
  /** Position [rad or m], velocity and acceleration in model order. [count] */
  readonly q: Float64Array;
  readonly qd: Float64Array;
  readonly qdd: Float64Array;

  constructor(count: number) {
    this.q = new Float64Array(count);
    this.qd = new Float64Array(count);
    this.qdd = new Float64Array(count);
  }
}
