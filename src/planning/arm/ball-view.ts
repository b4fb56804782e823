import type { FlightPath } from "../../flight/flight-path.js";
import type { Pose } from "../../math/pose.js";
import * as pose from "../../math/pose.js";
import type { Vec3 } from "../../math/vec3.js";
import type { KeepOutSet } from "../problem/keep-out.js";
import type { SuccessModel } from "../success/success-model.js";

/**
 * A ball, and what the hand must stay out of, as seen from an arm's base, standing or moving. Times count from the start
 * of the arm's motion [s].
 */
export interface BallView {
  /** The ball in the frame of the base; `velocity` is relative to the base. */
  readonly path: FlightPath;
  readonly keepOut: KeepOutSet;
  /** How surely the ball is caught over the time of the catch; null where its covariance is not known. */
  readonly success: SuccessModel | null;
  worldFromBase(t: number, out: Pose): Pose;
  ballInWorld(t: number, position: Vec3, velocity: Vec3): void;
}

/** The view from a base that stands: the flight is turned into its frame, and is exact there. */
export class StandingBallView implements BallView {
  readonly path: FlightPath;
  readonly keepOut: KeepOutSet;
  readonly success: SuccessModel | null;
  readonly #worldFromBase: Pose;

  constructor(path: FlightPath, keepOut: KeepOutSet, success: SuccessModel | null, worldFromBase: Pose) {
    this.path = path;
    this.keepOut = keepOut;
    this.success = success;
    this.#worldFromBase = worldFromBase;
  }

  worldFromBase(_t: number, out: Pose): Pose {
    return pose.copy(this.#worldFromBase, out);
  }

  ballInWorld(t: number, position: Vec3, velocity: Vec3): void {
    this.path.position(t, position);
    this.path.velocity(t, velocity);
    pose.transformPoint(this.#worldFromBase, position, position);
    pose.rotateVector(this.#worldFromBase, velocity, velocity);
  }
}
