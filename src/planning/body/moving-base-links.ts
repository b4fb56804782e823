import * as pose from "../../math/pose.js";
import { forwardKinematics, relativePose } from "../../robot/kinematics/kinematics.js";
import type { Robot } from "../../robot/robot.js";
import { RobotState } from "../../robot/state.js";
import type { MovingBasePath } from "./moving-base-path.js";

/**
 * Where the robot's links are in the frame of an arm's moving base at time `t`: what keep-out shapes are compiled with.
 * `posture` has a position for every dof at `t`; those of the body are taken from the path's motion instead. The world is
 * where the path's measurement has it. `state` is memory for it, in use as long as the answer is.
 *
 * A `KeepOutSet` stands still, so while the body moves it is right at one time only. Shapes on the chest always are; the
 * others are placed for the expected catch, and are right from the body's arrival on. A catch before it is off by what the
 * body still has to go, so compile them again at the time found and check the hand's clearance with that.
 *
 * @example
 * const keepOut = new KeepOutSet(robot.keepOut, baseFromLinksAt(robot, path, posture, expectedCatch));
 */
export function baseFromLinksAt(
  robot: Robot,
  path: MovingBasePath,
  posture: Float64Array,
  t: number,
  state: RobotState = new RobotState(robot.model),
): (link: number) => pose.Pose {
  state.q.set(posture);
  path.placeBody(t, state.q);
  forwardKinematics(state);
  const world = robot.frames.world;
  const baseFromWorld = pose.invert(path.worldFromBase(t, pose.create()), pose.create());
  return (link) => {
    if (robot.rigidBody[link] !== robot.rigidBody[world])
      return relativePose(state, path.baseLink, link, pose.create());
    return pose.compose(baseFromWorld, relativePose(state, world, link, pose.create()), pose.create());
  };
}
