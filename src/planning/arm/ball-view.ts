import { type FlightPath, FlightStatus } from "../../flight/ball.js";
import * as pose from "../../math/pose.js";
import type { Vec3 } from "../../math/vec3.js";
import type { JointRamps } from "../../motion/joint-ramps.js";
import type { KeepOutShape, Robot } from "../../robot/robot.js";
import { RobotState } from "../../robot/state.js";
import { baseFromLinksAt } from "../body/moving-base-links.js";
import { type HeadMeasurement, MovingBasePath } from "../body/moving-base-path.js";
import { KeepOutSet } from "../problem/keep-out.js";
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
  worldFromBase(t: number, out: pose.Pose): pose.Pose;
  ballInWorld(t: number, position: Vec3, velocity: Vec3): void;
}

/** The view from a base that stands: the flight is turned into its frame, and is exact there. */
export function standingBallView({ worldFromBase, ...ball }: StandingBall): BallView {
  return {
    ...ball,
    worldFromBase: (_t, out) => pose.copy(worldFromBase, out),
    ballInWorld(t, position, velocity) {
      ball.path.position(t, position);
      ball.path.velocity(t, velocity);
      pose.transformPoint(worldFromBase, position, position);
      pose.rotateVector(worldFromBase, velocity, velocity);
    },
  };
}

/** A ball as it is seen from a base that stands. */
interface StandingBall extends Pick<BallView, "path" | "keepOut" | "success"> {
  readonly worldFromBase: pose.Pose;
}

/**
 * What carries an arm while it catches: torso and platform, which may move, and where they were last seen to be. Times are
 * on the run's clock.
 */
export interface MovingBase {
  /** Motion of the dofs between the world and the arm's base, in model order, begun at `start` [s]. */
  readonly ramps: JointRamps;
  readonly start: number;
  /** The newest measured head, from which the chest's place follows; null: the plan is believed. */
  readonly head: HeadMeasurement | null;
  /** Where all joints stand while the arm moves, in model order: those of the body are taken from the ramps instead. */
  readonly posture: Float64Array;
}

/** A ball in the world, and how surely it is caught. */
interface WorldBall {
  readonly path: FlightPath;
  readonly success: SuccessModel | null;
}

/**
 * The view from a base that torso and platform carry. The base's place comes from the newest measured head, where there
 * is one. Keep-out shapes are placed where they are when the body has arrived.
 */
export class MovingBallView implements BallView {
  readonly path: MovingBasePath;
  keepOut: KeepOutSet;
  readonly #robot: Robot;
  readonly #state: RobotState;
  #ball: WorldBall | null = null;

  /** `duration` is the longest time ahead there is memory for [s]. */
  constructor(robot: Robot, baseLink: number, duration: number) {
    this.#robot = robot;
    this.#state = new RobotState(robot.model);
    this.path = new MovingBasePath(robot, baseLink, { duration });
    this.keepOut = new KeepOutSet([], () => this.#state.worldFromLink[0]!);
  }

  /** Looks at a ball over [begin, end] [s]; on `ok` the members hold what is seen. Times of `base` are on the same clock. */
  look(ball: WorldBall, base: MovingBase, shapes: readonly KeepOutShape[], begin: number, end: number): FlightStatus {
    const { ramps, start, head, posture } = base;
    this.#ball = ball;
    const status = this.path.reset(ball.path, { ramps, start }, head, begin, end);
    if (status !== FlightStatus.ok) return status;
    const arrival = Math.max(0, start + ramps.duration);
    this.keepOut = new KeepOutSet(shapes, baseFromLinksAt(this.#robot, this.path, posture, arrival, this.#state));
    return FlightStatus.ok;
  }

  get success(): SuccessModel | null {
    return this.#ball?.success ?? null;
  }

  worldFromBase(t: number, out: pose.Pose): pose.Pose {
    return this.path.worldFromBase(t, out);
  }

  ballInWorld(t: number, position: Vec3, velocity: Vec3): void {
    this.#ball?.path.position(t, position);
    this.#ball?.path.velocity(t, velocity);
  }
}
