import * as pose from "../math/pose.js";
import * as vec3 from "../math/vec3.js";
import { forwardKinematics } from "../robot/kinematics/kinematics.js";
import type { Robot } from "../robot/robot.js";
import { RobotState } from "../robot/state.js";

/** Two bodies that are too near to each other, by number, and where they are nearest [m], in world. */
export interface NearBodies {
  readonly bodyA: number;
  readonly bodyB: number;
  readonly nearestA: vec3.Vec3;
  readonly nearestB: vec3.Vec3;
}

/** Change of a joint for its derivative [rad or m]. */
const STEP = 1e-6;
/** No joint goes farther than this [rad or m]. */
const FARTHEST = 0.3;

/**
 * Where to go from `q` for two bodies to come apart by about `gain` [m]: of all changes of the dofs in `dofs` the least, in the
 * sense of squares, that does so to first order; within the joint limits. Null if none of them parts the bodies.
 */
export function escapeFrom(
  robot: Robot,
  q: Float64Array,
  near: NearBodies,
  dofs: readonly number[],
  gain: number,
): Float64Array | null {
  const slope = partingSlope(robot, q, near, dofs);
  const squares = slope.reduce((sum, value) => sum + value * value, 0);
  if (!(squares > 1e-6)) return null;
  const { lower, upper } = robot.model;
  const target = Float64Array.from(q);
  for (const [k, dof] of dofs.entries()) {
    const way = Math.max(-FARTHEST, Math.min(FARTHEST, (gain * slope[k]!) / squares));
    target[dof] = Math.max(lower[dof]!, Math.min(upper[dof]!, q[dof]! + way));
  }
  return target;
}

/** How fast the two nearest points part with each dof, held on their bodies [m/rad or 1]. */
function partingSlope(robot: Robot, q: Float64Array, near: NearBodies, dofs: readonly number[]): number[] {
  const { bodyA, bodyB, nearestA, nearestB } = near;
  const state = new RobotState(robot.model);
  const linkA = robot.hulls[bodyA]!.link;
  const linkB = robot.hulls[bodyB]!.link;
  state.q.set(q);
  forwardKinematics(state);
  const onA = pose.transformPointInverse(state.worldFromLink[linkA]!, nearestA, vec3.create());
  const onB = pose.transformPointInverse(state.worldFromLink[linkB]!, nearestB, vec3.create());
  const [a, b] = [vec3.create(), vec3.create()];
  const distance = (): number => {
    forwardKinematics(state);
    pose.transformPoint(state.worldFromLink[linkA]!, onA, a);
    pose.transformPoint(state.worldFromLink[linkB]!, onB, b);
    return vec3.distance(a, b);
  };
  return dofs.map((dof) => {
    state.q[dof] = q[dof]! + STEP;
    const ahead = distance();
    state.q[dof] = q[dof]! - STEP;
    const behind = distance();
    state.q[dof] = q[dof]!;
    return (ahead - behind) / (2 * STEP);
  });
}
