import type { RobotAction, RobotFault, RobotMode } from "../../control/udp/robot-session.js";

/** How a simulated robot is led. */
export interface RobotEndSession {
  readonly mode: RobotMode;
  readonly fault: RobotFault;
  /** Whether a client leads the robot, and its next command has not come yet. */
  readonly isWaitingForCommand: boolean;
  /** Where the joints are to go, and how fast [count]. */
  readonly target: Float64Array;
  readonly targetVelocity: Float64Array;
}

/** What the joints' sensors say, in model order. */
export interface RobotReading {
  readonly q: Float64Array;
  readonly qd: Float64Array;
  readonly effort: Float64Array;
}

/** What may happen at a controller without its client's doing: a person, the safety system, the power. */
export const controllerEvents = [
  "protective-stop",
  "emergency-stop",
  "emergency-release",
  "power-off",
  "half-speed",
  "full-speed",
] as const;
export type ControllerEvent = (typeof controllerEvents)[number];

/** The robot's end of a protocol: what leads the simulated robot. */
export interface RobotEnd {
  readonly session: RobotEndSession;
  /** Whether the wire is whole; nothing passes a wire that is cut. */
  isWhole: boolean;
  /**
   * What the robot is to do in this cycle, or in `cycles` at once; `q` is where its joints were last sent to, `measured` where
   * they are.
   */
  cycle(q: Float64Array, cycles: number, measured: Float64Array): RobotAction;
  /** Tells clients what the joints do at `time` [s] of the robot's clock. */
  tell(reading: RobotReading, time: number): void;
  /** Something happens at the controller; left out by a robot without one. */
  happen?(event: ControllerEvent): void;
  close(): Promise<void>;
}
