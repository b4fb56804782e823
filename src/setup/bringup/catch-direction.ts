import * as pose from "../../math/pose.js";
import * as vec3 from "../../math/vec3.js";
import { forwardKinematics, relativePose, stateAt } from "../../robot/kinematics/kinematics.js";
import type { Robot } from "../../robot/robot.js";

/** How far a joint is turned to see where the catcher goes [rad or m], and less than this share of it is no direction. */
const STEP = 0.02;
const LEAST_SHARE = 0.05;
const words = [
  ["forwards (towards the thrower)", "backwards"],
  ["to the robot's left", "to the robot's right"],
  ["up", "down"],
] as const;

/** Where the catcher goes in the world as a joint turns by `sign` from the waiting posture, in a word; null: it only turns. */
export function directionOf(robot: Robot, dof: number, sign: number): string | null {
  const hand = robot.hands.find(({ catchLink }) => catchLink >= 0);
  const waiting = robot.postures.get("ready");
  if (hand === undefined || waiting === undefined) return null;
  const place = (turn: number) => {
    const q = waiting.slice();
    q[dof] = q[dof]! + turn;
    const state = stateAt(robot.model, q);
    forwardKinematics(state);
    const worldFromHand = relativePose(state, robot.frames.world, hand.catchLink, pose.create());
    return pose.getTranslation(worldFromHand, vec3.create());
  };
  const moved = vec3.subtract(place(sign * STEP), place(0), vec3.create());
  const sizes = Array.from(moved, Math.abs);
  const axis = sizes.indexOf(Math.max(...sizes));
  return sizes[axis]! < LEAST_SHARE * STEP ? null : words[axis]![moved[axis]! > 0 ? 0 : 1];
}
