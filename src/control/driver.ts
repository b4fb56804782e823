import { CommandMode } from "../messages/command-mode.js";

/**
 * The driver of a robot, or of a part of it: an arm, a hand, a base. One node (`DriverRobotNode`) stands between drivers and the
 * graph; it checks them, cuts commands into their joints and puts their states together. docs/drivers.md describes the contract.
 *
 * A call that fails before anything moves throws a `FlycatcherError`. While the robot moves nothing throws: the driver has a `fault`.
 */
export interface RobotDriver {
  /** What the device can do; complete once `open` has settled. */
  readonly capabilities: DriverCapabilities;
  /** Why the device does not follow, by one word of the driver's; `none` while it does. */
  readonly fault: string;
  /**
   * Whether the robot moves again after this fault only when a person has released it, on the page or over HTTP: a protective
   * stop, a mode of the robot. Without it, it may after any.
   */
  readonly needsRelease?: boolean;
  /** The same as words, with what else is worth a line: losses, payload. */
  readonly detail: string;
  /** Connects, learns what the device is, and begins to report its state. Nothing moves. */
  open(): Promise<void>;
  /**
   * Makes the device follow commands, from where it stands: after `open`, and after a fault when control asks for a reset. Throws
   * if the device is not ready; the fault then stays.
   */
  start(): Promise<void>;
  /** Reads a state newer than the last one; false if there is none. Called at least every 20 ms. */
  receive(out: DriverState): boolean;
  /** The newest command, at most `rate` times a second. Its memory is written again afterwards. */
  send(command: DriverCommand): void;
  /** Brings the device to rest by its own means, at once. It follows again only after `start`. */
  stop(): void;
  /** Brings the device to rest and takes leave. */
  close(): Promise<void>;
}

/** Kinds of device. Sensors are nodes of their own; of the kinds here a robot is put together. */
export type DeviceKind = "arm" | "gripper" | "base";

/** What a device can do, as far as a run must know. */
export interface DriverCapabilities {
  readonly device: DeviceKind;
  /** Its joints. */
  readonly joints: number;
  /**
   * Who owns the clock. `run`: a command leaves when control has computed it. `robot`: the device asks in each of its cycles, and
   * the driver answers with the newest command.
   */
  readonly clock: "run" | "robot";
  /** Commands that it takes per second [Hz]. */
  readonly rate: number;
  readonly commands: readonly ("position" | "velocity")[];
  /** Whether each command may change the motion at once; else a motion is given as a whole. */
  readonly streaming: boolean;
  /** Whether it uses the acceleration of a command. */
  readonly feedForward: boolean;
  /** Whether it brakes by itself when commands cease. */
  readonly brakes: boolean;
}

/** The place of a driver in a run. */
export interface DriverSite {
  /** Name of the group of joints that it drives, and its joints with their limits, in the order of states and commands. */
  readonly group: string;
  readonly joints: readonly DriverJoint[];
  /** Period of control [ns]. */
  readonly tickNs: number;
  /** The run's clock [ns]. */
  readonly nowNs: () => number;
  /** To be called when a state has come or the fault has changed: the node then calls `receive`. */
  readonly received: () => void;
}

/** A joint that a driver moves; [rad or m], per second. */
export interface DriverJoint {
  readonly name: string;
  readonly lower: number;
  readonly upper: number;
  readonly maxSpeed: number;
}

/** Makes a driver: what a module of one's own exports as `createDriver`. `options` are those given beside the module's name. */
export type DriverFactory = (site: DriverSite, options: unknown) => RobotDriver;

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
