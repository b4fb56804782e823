import { carriedDofs } from "../planning/body/carried-dofs.js";
import { dofsBetween } from "../robot/kinematics/kinematics.js";
import type { Robot } from "../robot/robot.js";
import type { RecordingHeader } from "./recording.js";

/**
 * The joints whose readings the sense of the head goes by: positions of all between the world and the head, velocities of
 * all that shake it, commands of all that carry the chest. Nothing for a robot without a head.
 */
export function readingDofs(robot: Robot): RecordingHeader["readings"] {
  const { model, frames, imu, stereo } = robot;
  if (frames.head === undefined || frames.chest === undefined || imu === undefined || stereo === undefined) return null;
  const { neck, body } = carriedDofs(robot);
  const positions = new Set([...dofsBetween(model, frames.world, frames.head), ...neck, ...body]);
  const shaking = model.groups.filter(({ kind }) => kind !== "neck").flatMap(({ dofs }) => dofs);
  return {
    q: Array.from(positions).sort((a, b) => a - b),
    qd: Array.from(new Set(shaking)).sort((a, b) => a - b),
    commanded: [...body],
  };
}
