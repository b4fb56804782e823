import { type FlightPath, FlightStatus } from "../../flight/flight-path.js";
import type { Pose } from "../../math/pose.js";
import type { Vec3 } from "../../math/vec3.js";
import type { KeepOutShape, Robot } from "../../robot/robot.js";
import { RobotState } from "../../robot/state.js";
import { baseFromLinksAt } from "../body/moving-base-links.js";
import { MovingBasePath } from "../body/moving-base-path.js";
import { KeepOutSet } from "../problem/keep-out.js";
import type { SuccessModel } from "../success/success-model.js";
import type { BallView } from "./ball-view.js";
import type { MovingBase } from "./moving-base.js";

/** A ball in the world, and how surely it is caught. */
export interface WorldBall {
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
    this.keepOut = KeepOutSet.compile([], () => this.#state.worldFromLink[0]!);
  }

  /** Looks at a ball over [begin, end] [s]; on `ok` the members hold what is seen. Times of `base` are on the same clock. */
  look(ball: WorldBall, base: MovingBase, shapes: readonly KeepOutShape[], begin: number, end: number): FlightStatus {
    const { ramps, start, head, posture } = base;
    this.#ball = ball;
    const status = this.path.reset(ball.path, { ramps, start }, head, begin, end);
    if (status !== FlightStatus.ok) return status;
    const arrival = Math.max(0, start + ramps.duration);
    this.keepOut = KeepOutSet.compile(shapes, baseFromLinksAt(this.#robot, this.path, posture, arrival, this.#state));
    return FlightStatus.ok;
  }

  get success(): SuccessModel | null {
    return this.#ball?.success ?? null;
  }

  worldFromBase(t: number, out: Pose): Pose {
    return this.path.worldFromBase(t, out);
  }

  ballInWorld(t: number, position: Vec3, velocity: Vec3): void {
    this.#ball?.path.position(t, position);
    this.#ball?.path.velocity(t, velocity);
  }
}
