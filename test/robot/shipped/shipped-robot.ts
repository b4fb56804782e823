import * as pose from "../../../src/math/pose.js";
import type { Random } from "../../../src/math/random.js";
import * as vec3 from "../../../src/math/vec3.js";
import { forwardKinematics } from "../../../src/robot/kinematics/kinematics.js";
import type { JointGroup, Robot, RobotModel } from "../../../src/robot/robot.js";
import { RobotState } from "../../../src/robot/state.js";

/** Looking at a shipped robot: states within its limits and in its postures, and where its links are in them. */

export function randomState(robot: Robot, random: Random): RobotState {
  const { model } = robot;
  const state = new RobotState(model);
  for (let i = 0; i < model.dofCount; i++) {
    state.q[i] = random.uniformIn(Math.max(model.lower[i]!, -Math.PI), Math.min(model.upper[i]!, Math.PI));
  }
  forwardKinematics(state);
  return state;
}

export function stateIn(robot: Robot, posture: string): RobotState {
  const state = new RobotState(robot.model);
  state.q.set(robot.postures.get(posture)!);
  forwardKinematics(state);
  return state;
}

export function origin(state: RobotState, link: string): vec3.Vec3 {
  return pose.getTranslation(poseOf(state, link), vec3.create());
}

export function poseOf(state: RobotState, link: string): pose.Pose {
  return state.worldFromLink[state.model.linkNames.indexOf(link)]!;
}

/** Column of a pose's rotation: a unit axis of the frame, seen from outside. */
export function axisOf(of: pose.Pose, column: 0 | 1 | 2): vec3.Vec3 {
  return vec3.create(of[column], of[(column + 3) as 3], of[(column + 6) as 6]);
}

export function group({ groups }: RobotModel, name: string): JointGroup {
  return groups.find((entry) => entry.name === name)!;
}

export function armsOf(robot: Robot): JointGroup[] {
  return robot.model.groups.filter(({ kind }) => kind === "srs-arm");
}
