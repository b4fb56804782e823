import * as pose from "../../math/pose.js";
import { forwardKinematics } from "../../robot/kinematics/kinematics.js";
import { RobotState } from "../../robot/state.js";
import { createRigidMotion } from "../head-motion/elastic-chain.js";
import type { TrueHead } from "../head-motion/true-head.js";
import type { Perturbation, RobotSetPoints } from "./perturbation.js";

/**
 * The elastic body in the simulated world: `TrueHead` says where the chest really is, with deflection, vibration and
 * slip, and the world displaces its chest by the difference to the joints' kinematics. So IMU and images made from
 * `TrueHead` agree with the arms and hands of the world; what differs is only how the servos follow.
 */
export class ElasticChest implements Perturbation {
  readonly link: number;
  readonly #head: TrueHead;
  readonly #state: RobotState;
  readonly #startTime: number;
  readonly #true = createRigidMotion();

  /** The world begins at `startTime` [s] on the clock of `head`, and steps with its period. */
  constructor(head: TrueHead, startTime = 0) {
    this.link = head.robot.frames.chest ?? 0;
    this.#head = head;
    this.#startTime = startTime;
    this.#state = new RobotState(head.robot.model);
  }

  start(posture: Float64Array, out: pose.Pose): void {
    this.#head.start(this.#startTime, posture);
    this.#displacement(posture, out);
  }

  step({ position, velocity, acceleration }: RobotSetPoints, out: pose.Pose): void {
    this.#head.step(position, velocity, acceleration);
    this.#displacement(position, out);
  }

  #displacement(q: Float64Array, out: pose.Pose): void {
    this.#state.q.set(q);
    forwardKinematics(this.#state);
    this.#head.chestAt(this.#head.time, this.#true);
    pose.composeInverse(this.#state.worldFromLink[this.link]!, this.#true.worldFromBody, out);
  }
}
