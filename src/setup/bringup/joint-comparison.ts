import type { DriverJoint } from "../../control/driver.js";

/** A joint of the robot's description beside what the robot reports; [rad or m]. */
export interface JointComparison extends DriverJoint {
  /** Mean, and standard deviation while it stands. */
  readonly position: number;
  readonly noise: number;
  /** From there to the nearer limit; negative: outside. */
  readonly room: number;
  /** What is wrong, as half a sentence; empty: nothing is. */
  readonly wrong: string;
}

/** A standing joint that moves more than this is not standing [rad or m]. */
const STANDING = 0.002;

/** Compares standing joints with their description; `positions` has one row a state. */
export function compareJoints(
  joints: readonly DriverJoint[],
  positions: readonly (readonly number[])[],
): JointComparison[] {
  return joints.map((joint, i) => {
    const values = positions.map((row) => row[i] ?? Number.NaN);
    const position = values.reduce((sum, value) => sum + value, 0) / values.length;
    const noise = Math.sqrt(values.reduce((sum, value) => sum + (value - position) ** 2, 0) / values.length);
    const room = Math.min(position - joint.lower, joint.upper - position);
    return { ...joint, position, noise, room, wrong: wrongOf(joint, position, noise, room) };
  });
}

function wrongOf({ maxSpeed }: DriverJoint, position: number, noise: number, room: number): string {
  if (!Number.isFinite(position)) return "reports no finite number";
  if (!(room >= 0)) return "stands outside its limits";
  if (!(noise <= STANDING)) return "does not stand still";
  return maxSpeed > 0 && Number.isFinite(maxSpeed) ? "" : "has no speed limit";
}
