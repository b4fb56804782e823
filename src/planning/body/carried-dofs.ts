import { dofsBetween } from "../../robot/kinematics/kinematics.js";
import type { Robot } from "../../robot/robot.js";
import { FlycatcherError } from "../../runtime/errors.js";

/** Which joints a measured head is told with, as indices of the model. */
export interface CarriedDofs {
  readonly neck: readonly number[];
  readonly body: readonly number[];
}

/** Those of the neck, and those that carry the chest. */
export function carriedDofs({ model, frames, name }: Robot): CarriedDofs {
  const { chest, head, world } = frames;
  if (chest === undefined || head === undefined) {
    throw new FlycatcherError("FLY_SENSOR_MISSING", `${name} has no head on a chest`, {
      expected: "the frames `head` and `chest`",
      found: "none",
    });
  }
  return { neck: dofsBetween(model, head, chest), body: dofsBetween(model, world, chest) };
}
