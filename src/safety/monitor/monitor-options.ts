import type { Stopwatch } from "../../collision/pairs/anytime-pairs.js";
import type { Obstacle } from "../../robot/loading/obstacles.js";
import { FlycatcherError } from "../../runtime/errors.js";
import type { BrakingOptions } from "../braking/braking-intervals.js";

/** Settings of the monitor. Lengths [m], angles [rad], times [s]. */
export interface MonitorOptions {
  /**
   * Distance to be kept by every pair until standstill. It covers what the model leaves out: deflection, calibration,
   * servo error beyond `braking.positionError`. The default suits a calibrated arm that follows to a millimetre.
   */
  readonly margin?: number;
  /** By how much more than the margin a robot that was stopped must be clear before it is safe again. */
  readonly hysteresis?: number;
  /** Period of the control loop. */
  readonly tickPeriod?: number;
  /** Greatest age of a measured state. */
  readonly maxStateAge?: number;
  /** How far beyond its limits a joint may be measured [rad or m]. */
  readonly limitTolerance?: number;
  /** How far a dof may be from where it was told to be [rad or m]. */
  readonly trackingTolerance?: number;
  /** Share of the speed limits that recovery may use. */
  readonly recoverySpeedShare?: number;
  readonly braking?: BrakingOptions;
  readonly obstacles?: readonly Obstacle[];
  /** Measures pairs only within a time budget; without it every pair at every tick. */
  readonly anytime?: { readonly stopwatch: Stopwatch; readonly budget: number };
}

/** The numbers among the settings, all given. */
export type MonitorNumbers = Required<Omit<MonitorOptions, "braking" | "obstacles" | "anytime">>;

/** Default, least and greatest value of each. */
const ranges: { readonly [name in keyof MonitorNumbers]: readonly [number, number, number] } = {
  margin: [0.002, 0, 1],
  hysteresis: [0.003, 0, 1],
  tickPeriod: [1e-3, 1e-5, 0.1],
  maxStateAge: [5e-3, 1e-5, 1],
  limitTolerance: [0.02, 0, 1],
  trackingTolerance: [0.1, 0, 10],
  recoverySpeedShare: [0.1, 1e-3, 1],
};

/** The settings with defaults filled in; throws on one out of its range. */
export function completeNumbers(options: MonitorOptions): MonitorNumbers {
  const entries = Object.entries(ranges).map(([name, [standard, least, greatest]]) => {
    const value = options[name as keyof MonitorNumbers] ?? standard;
    if (!(value >= least && value <= greatest)) {
      throw new FlycatcherError("FLY_MONITOR_INVALID", "a setting of the self-collision monitor is out of its range", {
        path: name,
        expected: `${least} … ${greatest}`,
        found: String(value),
      });
    }
    return [name, value] as const;
  });
  return Object.fromEntries(entries) as unknown as MonitorNumbers;
}
