import { DistanceStatus, HullDistance, MEMORY_SIZE } from "../../collision/hull-distance.js";
import { transformed } from "../../collision/making/hull-cover.js";
import * as pose from "../../math/pose.js";
import { catchGroups } from "../../planning/problem/catch-arm.js";
import { relativePose, stateAt } from "../../robot/kinematics/kinematics.js";
import { hullOfShape } from "../../robot/loading/shape-hulls.js";
import { type Finding, finding } from "../../robot/report/finding.js";
import type { JointGroup, Robot, RobotHand } from "../../robot/robot.js";
import type { RobotState } from "../../robot/state.js";

/** The ball's way: from this far before the catch point [m] to that far, as thick as a hand is exact. */
const NEAR = 0.01;
const FAR = 0.6;
const THICKNESS = 0.01;
/** An arm whose last joint is so far before the catch point [m] stands in the ball's way. */
const BEFORE = 0.03;

/**
 * Whether balls can come to each catch frame: along its z axis from outside nothing of the robot may be in the way. A hand
 * mounted backwards has its bottom or its arm there.
 */
export function checkCatchFrames(robot: Robot): Finding[] {
  const state = stateAt(robot.model, robot.postures.get("ready"));
  return catchGroups(robot).flatMap((group) => {
    const hand = robot.hands.find(({ name }) => name === group.hand)!;
    const inTheWay = bodyInTheWay(robot, state, group, hand, 1);
    if (inTheWay === null) return [];
    const behind = bodyInTheWay(robot, state, group, hand, -1);
    const cause =
      behind === null
        ? "the catch frame seems to be mounted backwards: its z axis must point out of the opening, against the flying ball."
        : "a ball cannot get to the catch point: put the catch link in the middle of the opening, z axis pointing out of it.";
    const joint = robot.model.jointNames[hand.catchLink]!;
    const turn = `in the URDF, turn the joint ${joint} by rpy="3.14159 0 0"; then \`flycatcher robot pose ${robot.name}\` shows its z axis`;
    return [
      finding(
        "error",
        `hand ${hand.name}`,
        `${inTheWay} is in the way of a ball that comes in along z: ${cause}`,
        turn,
      ),
    ];
  });
}

/** The link that a ball meets on its way along the frame's z axis, from the side of +z (1) or −z (−1); null: none. */
function bodyInTheWay(
  robot: Robot,
  state: RobotState,
  group: JointGroup,
  hand: RobotHand,
  side: 1 | -1,
): string | null {
  const { model, shapes } = robot;
  const way = Float64Array.of(0, 0, side * NEAR, 0, 0, side * FAR);
  const gauge = new HullDistance();
  const memory = new Int32Array(MEMORY_SIZE);
  for (let link = model.linkCount - 1; link > 0; link--) {
    if (!belongsToHand(robot, hand, link)) continue;
    const catchFromLink = relativePose(state, hand.catchLink, link, pose.create());
    for (const shape of shapes[link]!.collisions.length > 0 ? shapes[link]!.collisions : shapes[link]!.visuals) {
      const hull = hullOfShape(shape);
      if (hull === null) continue;
      const points = transformed(hull.points, catchFromLink);
      memory[0] = 0;
      const status = gauge.measure(way, 2, points, points.length / 3, memory, 0);
      if (status === DistanceStatus.overlapping || gauge.distance < hull.radius + THICKNESS)
        return model.linkNames[link]!;
    }
  }
  return wristInTheWay(robot, state, group, hand, side);
}

/** Links that are fixed to the catch link, and those that hang on them: palm, flange, fingers. */
function belongsToHand({ model, rigidBody }: Robot, { catchLink }: RobotHand, link: number): boolean {
  for (let above = link; above > 0; above = model.parentLink[above]!) {
    if (rigidBody[above] === rigidBody[catchLink]) return true;
  }
  return false;
}

/** For arms without shapes: the last joint within a cone of 45° about the way. */
function wristInTheWay(
  { model }: Robot,
  state: RobotState,
  group: JointGroup,
  hand: RobotHand,
  side: 1 | -1,
): string | null {
  const wrist = model.dofJoint[group.dofs.at(-1)!]!;
  const catchFromWrist = relativePose(state, hand.catchLink, wrist, pose.create());
  const ahead = side * catchFromWrist[11];
  return ahead > BEFORE && Math.hypot(catchFromWrist[9], catchFromWrist[10]) < ahead ? model.linkNames[wrist]! : null;
}
