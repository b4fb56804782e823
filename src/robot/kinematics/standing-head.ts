import * as pose from "../../math/pose.js";
import type { Robot } from "../robot.js";
import { relativePose, stateAt } from "./kinematics.js";

/** Where cameras that stand in the world are: the pose of the frame `head`; null where the head moves, or there is none. */
export function standingHead({ model, frames, rigidBody }: Robot): pose.Pose | null {
  const { world, head } = frames;
  if (head === undefined || rigidBody[head] !== rigidBody[world]) return null;
  return relativePose(stateAt(model), world, head, pose.create());
}
