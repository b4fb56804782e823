import type { Ball } from "../../flight/ball.js";
import type { ItemOf } from "../../recording/recording.js";
import type { Robot } from "../../robot/robot.js";
import { BallWorld } from "../../simulation/world/ball-world.js";
import type { RobotCommand } from "../../simulation/world/catch-world.js";

/**
 * The world of a replay: the robot is where it is told to be, or where it was found to be then. Balls fly as they truly
 * did, where that is known.
 */
export class ReplayWorld extends BallWorld {
  readonly #joints = new Map<number, ItemOf<"joints">>();
  readonly #tickNs: number;
  #nowNs: number;

  constructor(robot: Robot, posture: Float64Array, ball: Ball, tickNs: number, startNs: number) {
    super(robot, posture, ball);
    this.#tickNs = tickNs;
    this.#nowNs = startNs;
  }

  /** Where the joints were found to be, for a replay that repeats the run as it was. */
  addJoints(item: ItemOf<"joints">): void {
    this.#joints.set(item.timeNs, item);
  }

  override step(command: RobotCommand): void {
    this.#nowNs += this.#tickNs;
    const found = this.#joints.get(this.#nowNs);
    this.#joints.delete(this.#nowNs);
    if (found === undefined) super.step(command);
    else super.step({ ...command, q: found.q, qd: found.qd });
  }
}
