import type { Ball } from "../../flight/ball.js";
import type { TrueFlight } from "../../messages/world.js";
import type { JointsItem, TruthItem } from "../../recording/recorded-messages.js";
import { vector } from "../../recording/recorded-values.js";
import type { Robot } from "../../robot/robot.js";
import { BallWorld } from "../../simulation/ball-world.js";
import type { RobotCommand } from "../../simulation/catch-world.js";

/**
 * The world of a replay: the robot is where it is told to be, or where it was found to be then. Balls fly as they truly
 * did, where that is known.
 */
export class ReplayWorld extends BallWorld {
  readonly #joints = new Map<number, JointsItem>();
  readonly #tickNs: number;
  #nowNs: number;

  constructor(robot: Robot, posture: Float64Array, ball: Ball, tickNs: number, startNs: number) {
    super(robot, posture, ball);
    this.#tickNs = tickNs;
    this.#nowNs = startNs;
  }

  /** Where the joints were found to be, for a replay that repeats the run as it was. */
  addJoints(item: JointsItem): void {
    this.#joints.set(item.timeNs, item);
  }

  override step(command: RobotCommand): void {
    this.#nowNs += this.#tickNs;
    const found = this.#joints.get(this.#nowNs);
    this.#joints.delete(this.#nowNs);
    if (found === undefined) super.step(command);
    else super.step({ ...command, q: Float64Array.from(found.q), qd: Float64Array.from(found.qd) });
  }
}

/** A ball's true flight, from its recording. */
export function trueFlightOf({ ball, aim, flightTime, pieces }: TruthItem): TrueFlight {
  return {
    ball,
    aim: aim === null ? null : vector(aim),
    flightTime,
    pieces: pieces.map(({ position, velocity, ...piece }) => {
      return { ...piece, position: vector(position), velocity: vector(velocity) };
    }),
  };
}
