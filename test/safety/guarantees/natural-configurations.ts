import * as pose from "../../../src/math/pose.js";
import type { Random } from "../../../src/math/random.js";
import { forwardKinematics, relativePose } from "../../../src/robot/kinematics/kinematics.js";
import type { Robot } from "../../../src/robot/robot.js";
import type { RobotState } from "../../../src/robot/state.js";

/** Share of each joint's range by which a natural configuration may be off `ready` to either side. */
const SPREAD = 0.6;
/** How far before the chest the catch frames are [m]. */
const NEAREST = 0.2;
const FARTHEST = 0.8;

/**
 * Puts the robot into a random natural configuration: every joint within ±60 % of its range of the ready posture and
 * within its limits, fingers between open and closed, and every catch frame 0.2 to 0.8 m before the chest (for an arm that
 * stands alone: before its base). Leaves forward kinematics done.
 */
export function placeNaturally(robot: Robot, random: Random, state: RobotState): void {
  do {
    drawAround(robot, robot.postures.get("ready")!, random, state.q);
    forwardKinematics(state);
  } while (!isNatural(robot, state));
}

function drawAround({ model, hands }: Robot, ready: Float64Array, random: Random, q: Float64Array): void {
  for (let dof = 0; dof < model.dofCount; dof++) {
    const [lower, upper] = [model.lower[dof]!, model.upper[dof]!];
    const range = Number.isFinite(upper - lower) ? upper - lower : 0;
    const target = ready[dof]! + SPREAD * range * random.uniformIn(-1, 1);
    q[dof] = Math.min(upper, Math.max(lower, target));
  }
  for (const { dofs, open, closed } of hands) {
    for (const [k, dof] of dofs.entries()) q[dof] = open[k]! + random.uniform() * (closed[k]! - open[k]!);
  }
}

function isNatural(robot: Robot, state: RobotState): boolean {
  const { frames, hands } = robot;
  return hands.every(({ catchLink }) => {
    const before = relativePose(state, frames.chest ?? frames.base ?? frames.world, catchLink, pose.create())[9];
    return before >= NEAREST && before <= FARTHEST;
  });
}
