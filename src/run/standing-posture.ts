import type { JointState } from "../messages/sensing.js";
import type { Robot } from "../robot/robot.js";
import { FlycatcherError } from "../runtime/errors.js";
import type { InPort } from "../transport/port.js";
import { poll } from "./poll.js";
import { waitingPosture } from "./run-parts.js";

/** A robot this near to its posture is in it: what differs is noise [rad or m]. */
const IN_POSTURE = 0.005;
const FIRST_STATE_MS = 3000;

/** Where the robot stands: exactly its waiting posture, if it differs from that by noise alone. */
export async function standingPosture(robot: Robot, states: InPort<JointState>): Promise<Float64Array> {
  const state = await poll(FIRST_STATE_MS, () => states.take(0));
  if (state === null) throw silent();
  const waiting = waitingPosture(robot);
  const isThere = state.q.every((q, i) => Math.abs(q - waiting[i]!) <= IN_POSTURE);
  return isThere ? waiting : state.q;
}

export function silent(): FlycatcherError {
  return new FlycatcherError("FLY_ROBOT_UNREACHABLE", "the robot answered but does not report its state");
}
