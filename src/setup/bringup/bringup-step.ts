import type { DriverJoint } from "../../control/driver.js";
import type { Robot } from "../../robot/robot.js";
import type { RealTimeOptions } from "../../run/real-time-options.js";
import type { DriverChoice } from "../../run/robot-link.js";
import type { StepRecord } from "./bringup-protocol.js";

/** The person at the robot. */
export interface BringupOperator {
  readonly kind: "person" | "unattended";
  say(line: string): void;
  /** Whether the person says yes. */
  confirms(question: string): Promise<boolean>;
  /** Whether the person lets the robot move now, by more than a yes. */
  enables(what: string): Promise<boolean>;
}

/** Watches over a run that moves: the operator's heartbeat, without which the robot brakes, and a stop from outside. */
export interface BringupWatch {
  /** Where else the robot can be stopped. */
  readonly address: string;
  /** Longest time between two heartbeats [ms]. */
  readonly heartbeatMs: number;
  /** Heartbeats begin, and must come from now on. */
  begin(): void;
  /** No heartbeat for so long [ms], to see what follows. */
  pause(ms: number): Promise<void>;
  close(): Promise<void>;
}

/** A state that the robot reported while nothing was commanded. */
export interface BringupReading {
  /** When the joints were read, and when that came [s]. */
  readonly time: number;
  readonly arrival: number;
  readonly q: readonly number[];
}

/** What a group's driver was found to be. */
export interface ReadDevice {
  readonly group: string;
  readonly joints: readonly DriverJoint[];
  readonly rate: number;
  readonly words: string;
  readonly readings: readonly BringupReading[];
}

export interface BringupSettings {
  /** Name or path, as `loadRobot` takes it. */
  readonly robot: string;
  readonly drivers: readonly DriverChoice[];
  /** What runs are started with, but for robot and drivers. */
  readonly run: Omit<RealTimeOptions, "robot" | "drivers">;
  /** Whether the robot may be moved at all. */
  readonly isArmed: boolean;
  /** Largest share of its speed. */
  readonly ceiling: number;
  /** How long states are listened to [s], and how many balls are thrown in each step of catches. */
  readonly listenSeconds: number;
  readonly throws: number;
  /** Where recordings go. */
  readonly folder: string;
  /** The robot's calibration overlay, which is written. */
  readonly overlay: string;
}

/** What steps find out for those after them. */
export interface BringupSite {
  readonly settings: BringupSettings;
  readonly operator: BringupOperator;
  /** Opens the watch over a run with the memory of its `StopLine`; null: the robot is not to move. */
  readonly openWatch: ((stopLine: SharedArrayBuffer) => Promise<BringupWatch>) | null;
  devices: readonly ReadDevice[];
  /** The robot as its files describe it now. */
  robot(): Robot;
}

export type StepOutcome = Pick<StepRecord, "verdict" | "lines" | "figures"> & {
  readonly recording?: string;
  /** Of the lines: those that the operator has seen already. */
  readonly shown?: number;
};

/** One step of bringing a robot up. */
export interface BringupStep {
  readonly name: string;
  readonly title: string;
  /** Whether the robot is commanded. */
  readonly moves: boolean;
  perform(site: BringupSite): Promise<StepOutcome>;
}
