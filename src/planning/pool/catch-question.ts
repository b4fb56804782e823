import type { BallState } from "../../flight/flight-path.js";
import type { Pose } from "../../math/pose.js";
import type { Vec3 } from "../../math/vec3.js";
import type { KeepOutGeometry } from "../../robot/robot.js";
import type { VerifyChecks } from "../problem/checks.js";
import type { CatchMode } from "../request/request.js";

/** A keep-out shape and where its link stands in the frame of the arm's base. */
export interface PlacedKeepOut {
  readonly geometry: KeepOutGeometry;
  readonly baseFromLink: Pose;
}

/** Log-probability of a successful catch at the times from + i·step: what a `SuccessCurve` is made of. */
export interface SuccessTable {
  readonly from: number;
  readonly step: number;
  readonly values: Float64Array;
}

/**
 * A `CatchTask` as plain numbers, so that it can travel: whoever gets it builds the same task, to the last bit. Arrays
 * are in the order of the arm's dofs.
 */
export interface CatchQuestion {
  /** Which of the planner's arms. */
  readonly arm: number;
  readonly mode: CatchMode;
  /** Commanded position and velocity at t = 0. */
  readonly q0: Float64Array;
  readonly w0: Float64Array;
  readonly maxVelocity: Float64Array;
  readonly maxAcceleration: Float64Array;
  /** The ball in the frame of the arm's base, gravity in its axes [m/s²]. */
  readonly ball: BallState;
  readonly gravity: Vec3;
  /** The times its flight is laid out for [s]; no catch is outside. */
  readonly flightBegin: number;
  readonly flightEnd: number;
  /** All that the hand must stay out of, the robot's own shapes included. */
  readonly keepOut: readonly PlacedKeepOut[];
  /** Earliest and latest catch [s]. */
  readonly earliest: number;
  readonly latest: number;
  /** For `sure`; null where no covariance is known. */
  readonly success: SuccessTable | null;
  /** Position of every dof of the robot: where the bodies stand that the arm does not move. Null: as in the ready posture. */
  readonly posture: Float64Array | null;
  /** What a plan is checked for before it leaves. */
  readonly checks: VerifyChecks;
}

/** Where to look for a catch, and how long. */
export type CatchSearch =
  /** Everywhere: `starts` places to start from, each polished with `iterations` at most. */
  | { readonly kind: "cold"; readonly starts: number; readonly iterations: number }
  /** From given places: joint positions and catch time of each, one after the other. */
  | { readonly kind: "polish"; readonly starts: Float64Array; readonly iterations: number }
  /** From the last plan for the same ball, with the state its solver left. */
  | {
      readonly kind: "warm";
      readonly start: Float64Array;
      readonly warmStart: Float64Array;
      readonly iterations: number;
    };

/** What solves the tasks: our SQP, or NLopt for comparison. */
export type SolverName = "sqp" | "nlopt";
