import { nameOf } from "../../runtime/name-of.js";

/** What the monitor is doing. */
export const MonitorPhase = {
  /** Commands pass while the robot can stop clear of itself. */
  safe: 0,
  /** Commands are replaced by a ramp to standstill. */
  braking: 1,
  /** The robot is held where it stopped, until someone asks for recovery. */
  stopped: 2,
  /** Commands pass if they are slow and lead out of every violated distance. */
  recovering: 3,
} as const;
export type MonitorPhase = (typeof MonitorPhase)[keyof typeof MonitorPhase];

/** What is to be done with the monitor's `command`. */
export const MonitorAction = {
  /** It is the command as given. */
  pass: 0,
  /** It is the next step of the brake, or the place to hold. */
  brake: 1,
  /** There is none: no sound state was ever seen. Send nothing; the robot's side brakes by itself. */
  withhold: 2,
} as const;
export type MonitorAction = (typeof MonitorAction)[keyof typeof MonitorAction];

/** Why the monitor brakes, or braked last. */
export const BrakeReason = {
  none: 0,
  /** If the command were followed, two bodies could come nearer than the margin before the robot stands. */
  predictedTouch: 1,
  /** A measured position or velocity is not finite. */
  invalidState: 2,
  /** The measured state is too old, or of the future, or the time is not a number. */
  staleState: 3,
  /** A joint is beyond its limits by more than the tolerance. */
  outsideLimits: 4,
  /** State or command have another number of dofs than the robot. */
  sizeMismatch: 5,
  /** A commanded position, velocity or acceleration is not finite. */
  invalidCommand: 6,
  /** The robot is not where it was told to be. */
  notFollowing: 7,
  /** The command is faster than the robot, by what it claims or by how far it is from the last one. */
  unattainableCommand: 8,
  /** A motion of the recovery was faster than allowed. */
  recoveryTooFast: 9,
  /** A motion of the recovery did not lead out of a violated distance or limit. */
  recoveryNotLeaving: 10,
  /** Somebody asked for it: a watchdog, or a person. */
  requested: 11,
} as const;
export type BrakeReason = (typeof BrakeReason)[keyof typeof BrakeReason];

/** The reason in a word. */
export function brakeWords(reason: BrakeReason): string {
  return nameOf(BrakeReason, reason) ?? "for no reason";
}
