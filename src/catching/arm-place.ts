import { gravity } from "../flight/ball.js";
import type { BallState } from "../flight/flight-path.js";
import type { Pose } from "../math/pose.js";
import * as pose from "../math/pose.js";
import type { Vec3 } from "../math/vec3.js";
import * as vec3 from "../math/vec3.js";
import { KeepOutSet } from "../planning/problem/keep-out.js";
import { forwardKinematics, relativePose } from "../robot/kinematics/kinematics.js";
import type { Robot } from "../robot/robot.js";
import { RobotState } from "../robot/state.js";

/**
 * How an arm's base stands in the world, and what is about it: all that turns a flight in the world into one it can
 * plan for.
 */
export class ArmPlace {
  readonly worldFromBase: Pose;
  /** In the base's axes [m/s²]. */
  readonly gravity: Vec3;
  /** The robot's keep-out shapes, in the base. */
  readonly keepOut: KeepOutSet;

  /** The robot stands in `posture`, and all but the arm itself stays so. */
  constructor(robot: Robot, baseLink: number, posture: Float64Array) {
    const state = new RobotState(robot.model);
    state.q.set(posture);
    forwardKinematics(state);
    this.worldFromBase = pose.copy(state.worldFromLink[baseLink]!, pose.create());
    this.gravity = pose.rotateVectorInverse(this.worldFromBase, gravity(), vec3.create());
    this.keepOut = KeepOutSet.compile(robot.keepOut, (link) => relativePose(state, baseLink, link, pose.create()));
  }

  /** A ball of the world seen from the base, its time counted from `tStart`. */
  ballInBase({ time, position, velocity, drag }: BallState, tStart: number): BallState {
    return {
      time: time - tStart,
      position: pose.transformPointInverse(this.worldFromBase, position, vec3.create()),
      velocity: pose.rotateVectorInverse(this.worldFromBase, velocity, vec3.create()),
      drag,
    };
  }
}
