import { gravity } from "../../flight/ball.js";
import { Flight } from "../../flight/flight.js";
import { FlightStatus } from "../../flight/flight-path.js";
import { FlightPrediction } from "../../flight/prediction.js";
import type { Vec3 } from "../../math/vec3.js";
import * as vec3 from "../../math/vec3.js";
import { forwardKinematics } from "../../robot/kinematics/kinematics.js";
import type { Robot, RobotHand } from "../../robot/robot.js";
import { RobotState } from "../../robot/state.js";
import { baseFromLinksAt } from "../body/moving-base-links.js";
import { MovingBasePath } from "../body/moving-base-path.js";
import { KeepOutSet } from "../problem/keep-out.js";
import { SuccessCurve } from "../problem/success-curve.js";
import { type Perception, resolvePerception } from "../success/perception.js";
import { SuccessModel } from "../success/success-model.js";
import type { ArmPlanRequest } from "./arm-plan.js";
import type { MovingBase } from "./moving-base.js";

/** Longest time ahead that is looked at [s]. */
const LONGEST = 3;

/**
 * The ball, and what the hand must stay out of, as seen from an arm's base that torso and platform carry: all that turns
 * a question about the world into one the catch problem can answer. Times are counted from the question's tStart.
 */
export class ArmView {
  /** The ball as seen from the base. */
  readonly path: MovingBasePath;
  /** Where the shapes are when the body has arrived. */
  keepOut: KeepOutSet;
  readonly #robot: Robot;
  readonly #hand: RobotHand;
  readonly #flight = new Flight({ duration: LONGEST });
  readonly #prediction = new FlightPrediction({ duration: LONGEST });
  readonly #gravity: Vec3 = gravity();
  readonly #perception: Perception;
  readonly #state: RobotState;
  /** What the model of success is made of when somebody asks for it, and the model then. */
  #unreckoned: (() => SuccessModel | null) | null = null;
  #success: SuccessModel | null = null;

  constructor(robot: Robot, baseLink: number, hand: RobotHand, posture: Float64Array) {
    this.#robot = robot;
    this.#hand = hand;
    this.path = new MovingBasePath(robot, baseLink, { duration: LONGEST });
    const state = new RobotState(robot.model);
    this.#state = state;
    state.q.set(posture);
    forwardKinematics(state);
    this.#perception = resolvePerception(robot, state, robot.frames.world);
    this.keepOut = KeepOutSet.compile([], () => state.worldFromLink[0]!);
  }

  /** Looks at the ball of `request`; on `ok` the members hold what is seen. */
  look(request: ArmPlanRequest): FlightStatus {
    const { tStart, carrier } = request;
    const end = Math.min(Math.max(0, request.latest - tStart) + MARGIN, LONGEST - 2 * MARGIN);
    const ball = {
      time: request.ball.time - tStart,
      position: vec3.copy(request.ball.position, vec3.create()),
      velocity: vec3.copy(request.ball.velocity, vec3.create()),
      drag: request.ball.drag,
    };
    const begin = Math.min(0, ball.time);
    const status = this.#flight.reset(ball, this.#gravity, begin, end);
    if (status !== FlightStatus.ok) return status;
    const motion = { ramps: carrier.ramps, start: carrier.start - tStart };
    const seen = this.path.reset(this.#flight, motion, carrier.head, 0, end);
    if (seen !== FlightStatus.ok) return seen;
    this.keepOut = this.#placeKeepOut(carrier, tStart);
    return this.#expectSuccess(request, ball, begin, end);
  }

  #placeKeepOut({ ramps, start, posture }: MovingBase, tStart: number): KeepOutSet {
    const arrival = Math.max(0, start - tStart + ramps.duration);
    const links = baseFromLinksAt(this.#robot, this.path, posture, arrival, this.#state);
    return KeepOutSet.compile(this.#robot.keepOut, links);
  }

  /** Of most questions nobody wants to know how sure the answer is: there is none. */
  #expectSuccess(
    { covariance, lastSeen, tStart }: ArmPlanRequest,
    ball: ArmPlanRequest["ball"],
    begin: number,
    end: number,
  ): FlightStatus {
    this.#success = null;
    this.#unreckoned = null;
    if (covariance === null) return FlightStatus.ok;
    if (!covariance.every(Number.isFinite)) return FlightStatus.invalid;
    this.#unreckoned = () => {
      if (this.#prediction.reset(ball, covariance, this.#gravity, begin, end) !== FlightStatus.ok) return null;
      return new SuccessModel({
        prediction: this.#prediction,
        covariance: leadingBlock(covariance),
        lastSeen: lastSeen - tStart,
        until: end,
        perception: this.#perception,
        hand: this.#hand,
      });
    };
    return FlightStatus.ok;
  }

  /** How surely the ball is caught over the time of the catch; null where its covariance is not known. */
  get success(): SuccessModel | null {
    if (this.#unreckoned !== null) this.#success = this.#unreckoned();
    this.#unreckoned = null;
    return this.#success;
  }

  /** The curve of success between two times [s], for the solver; null where it is not known. */
  successBetween(earliest: number, latest: number): SuccessCurve | null {
    const { success } = this;
    if (success === null) return null;
    const { from, step, values } = success.table(earliest, Math.max(latest, earliest));
    return new SuccessCurve(from, step, values);
  }
}

/** A flight is laid out a little beyond what is asked for [s], so that no edge is ever touched. */
const MARGIN = 0.02;

/** Position and velocity of a covariance that has the drag beside them. */
function leadingBlock(covariance: Float64Array): Float64Array {
  const block = new Float64Array(36);
  for (let r = 0; r < 6; r++) for (let c = 0; c < 6; c++) block[6 * r + c] = covariance[7 * r + c]!;
  return block;
}
