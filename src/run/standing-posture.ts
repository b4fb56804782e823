import { setTimeout as pause } from "node:timers/promises";
import type { JointState } from "../messages/sensing.js";
import { FlycatcherError } from "../runtime/errors.js";
import type { InPort } from "../transport/port.js";

/** A robot this near to its posture is in it: what differs is noise [rad or m]. */
const IN_POSTURE = 0.005;
/** How long its first state may take [ms], by the wall clock. */
const FIRST_STATE_MS = 3000;

/** Where the robot stands: exactly its waiting posture, if it differs from that by noise alone. */
export async function standingPosture(waiting: Float64Array, states: InPort<JointState>): Promise<Float64Array> {
  const state = await poll(FIRST_STATE_MS, () => states.take(0));
  if (state === null) throw silentRobot();
  const isThere = state.q.every((q, i) => Math.abs(q - waiting[i]!) <= IN_POSTURE);
  return isThere ? waiting : state.q;
}

export function misplacedRobot(): FlycatcherError {
  return new FlycatcherError("FLY_ROBOT_UNREACHABLE", "the simulated robot does not stand in its waiting posture");
}

export function silentRobot(): FlycatcherError {
  return new FlycatcherError("FLY_ROBOT_UNREACHABLE", "the robot answered but does not report its state");
}

/** What `look` finds, as soon as it finds something; null after `timeoutMs`. Looks every `pollMs`. */
async function poll<T>(timeoutMs: number, look: () => T | null, pollMs = 20): Promise<T | null> {
  const end = performance.now() + timeoutMs;
  for (;;) {
    const found = look();
    if (found !== null || performance.now() > end) return found;
    await pause(pollMs);
  }
}
