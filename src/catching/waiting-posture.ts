import type { Robot } from "../robot/robot.js";
import { FlycatcherError } from "../runtime/errors.js";

/** The posture in which the robot waits for a ball. */
export function waitingPosture(robot: Robot): Float64Array {
  const posture = robot.postures.get("ready");
  if (posture !== undefined) return posture;
  throw new FlycatcherError("FLY_LIVE_POSTURE_MISSING", `${robot.name} cannot wait for a ball`, {
    path: "/postures/ready",
    expected: "a posture",
    found: "none",
  });
}
