import { copyBallState, FlightStatus, gravity } from "../../flight/ball.js";
import type { Vec3 } from "../../math/vec3.js";
import { stateAt } from "../../robot/kinematics/kinematics.js";
import type { Robot, RobotHand } from "../../robot/robot.js";
import { type Perception, resolvePerception } from "../success/perception.js";
import type { ArmPlanRequest } from "./arm-plan.js";
import { BallFlight } from "./ball-flight.js";
import { type BallView, MovingBallView } from "./ball-view.js";

/** Longest time ahead that a request is looked at [s]. */
const LONGEST = 3;
/** A flight is laid out a little beyond what is asked for [s], so that no edge is ever touched. */
const MARGIN = 0.02;

/** Turns the ball of a request, which is in the world, into what the arm's base sees. */
export class ArmSight {
  readonly #keepOut: Robot["keepOut"];
  readonly #hand: RobotHand;
  readonly #ball = new BallFlight(LONGEST);
  readonly #view: MovingBallView;
  readonly #perception: Perception;
  readonly #gravity: Vec3 = gravity();

  /** `posture` is the one the robot waits in: the cameras are taken to be where they are in it. */
  constructor(robot: Robot, baseLink: number, hand: RobotHand, posture: Float64Array) {
    this.#keepOut = robot.keepOut;
    this.#hand = hand;
    this.#view = new MovingBallView(robot, baseLink, LONGEST);
    const state = stateAt(robot.model, posture);
    this.#perception = resolvePerception(robot, state, robot.frames.world);
  }

  /** The view of a request's ball, which the next one overwrites; null: its state is not that of a flight. */
  look({ tStart, latest, ball, covariance, lastSeen, carrier }: ArmPlanRequest): BallView | null {
    const end = Math.min(Math.max(0, latest - tStart) + MARGIN, LONGEST - 2 * MARGIN);
    const state = copyBallState(ball, ball.time - tStart);
    const conditions =
      covariance === null
        ? null
        : { covariance, lastSeen: lastSeen - tStart, until: end, perception: this.#perception, hand: this.#hand };
    const status = this.#ball.reset(state, this.#gravity, Math.min(0, state.time), end, conditions);
    if (status !== FlightStatus.ok) return null;
    const base = { ...carrier, start: carrier.start - tStart };
    const seen = this.#view.look(this.#ball, base, this.#keepOut, 0, end);
    return seen === FlightStatus.ok ? this.#view : null;
  }
}
