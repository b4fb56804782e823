import type { Pose } from "../math/pose.js";
import * as pose from "../math/pose.js";
import type { CatchArm } from "../planning/problem/catch-arm.js";
import { forwardKinematics, relativePose } from "../robot/kinematics/kinematics.js";
import type { Robot } from "../robot/robot.js";
import { RobotState } from "../robot/state.js";

/** Where the error of a hand at the catch comes from, all [m]. */
export interface ErrorSplit {
  /**
   * How far from the ball's line the hand would have been had the arm done exactly as told: what was wrong about the
   * ball, the head and the chest.
   */
  readonly prediction: number;
  /** How far the hand was from where it was told to be, by the joints' positions. */
  readonly servo: number;
  /** How far the hand was from where its joints say it is. */
  readonly calibration: number;
}

/** The hand as our kinematics has it, at the joint positions told and measured, in the true world. */
export interface HandPoses {
  readonly told: Pose;
  readonly servo: number;
  readonly calibration: number;
}

/** Takes apart where a hand is: told, followed, believed. */
export class HandErrors {
  readonly #state: RobotState;
  readonly #arm: CatchArm;
  readonly #told = pose.create();
  readonly #followed = pose.create();

  /** `robot` is the one we believe in. */
  constructor(robot: Robot, arm: CatchArm) {
    this.#state = new RobotState(robot.model);
    this.#arm = arm;
  }

  /** Joints told to be at `command` and found at `measured`, in model order; base and hand as they truly are. */
  split(command: Float64Array, measured: Float64Array, trueBase: Readonly<Pose>, trueHand: Readonly<Pose>): HandPoses {
    const told = this.#place(command, trueBase, this.#told);
    const followed = this.#place(measured, trueBase, this.#followed);
    return { told, servo: distance(told, followed), calibration: distance(followed, trueHand) };
  }

  #place(q: Float64Array, trueBase: Readonly<Pose>, out: Pose): Pose {
    const { group } = this.#arm;
    this.#state.q.set(q);
    forwardKinematics(this.#state);
    relativePose(this.#state, group.baseLink, group.tipLink, out);
    return pose.compose(trueBase as Pose, out, out);
  }
}

function distance(a: Readonly<Pose>, b: Readonly<Pose>): number {
  return Math.hypot(a[9] - b[9], a[10] - b[10], a[11] - b[11]);
}
