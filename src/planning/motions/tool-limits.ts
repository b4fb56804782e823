import { retimed } from "../../motion/motion-algebra.js";
import { MotionState, type PiecewiseMotion } from "../../motion/piecewise-motion.js";
import { inverseDynamics } from "../../robot/dynamics/inverse-dynamics.js";
import { forwardKinematics, forwardVelocities } from "../../robot/kinematics/kinematics.js";
import type { RobotState } from "../../robot/state.js";
import { gravityInRoot } from "../request/ball-request.js";
import type { ResolvedMotion } from "./resolve-motion.js";

/** Speeds and torques are looked at this often [s]: to report them, and to limit them. */
const REPORT_STEP = 0.02;
const LIMIT_STEP = 0.004;
const LEAST_PLACES = 24;
/** Slower in each round where a torque is too great, and how often before that is given up. */
const SLOWER = 1.15;
const MOST_ROUNDS = 20;
/** Between two samples the tool may be a little faster than at them. */
const ROOM = 1.002;

/** The greatest speed of a link's origin [m/s], and the greatest effort of each joint that moves. */
export interface ToolPeaks {
  readonly toolSpeed: number;
  readonly efforts: readonly number[];
}

/** By the kinematics and dynamics of the whole robot, at samples of the way. */
export function toolPeaks(
  { robot, start, dofs, frame }: ResolvedMotion,
  motion: PiecewiseMotion,
  state: RobotState,
  step = REPORT_STEP,
): ToolPeaks {
  const now = new MotionState(dofs.length);
  const acceleration = new Float64Array(robot.model.dofCount);
  const torque = new Float64Array(robot.model.dofCount);
  const gravity = gravityInRoot(robot);
  const efforts = dofs.map(() => 0);
  let toolSpeed = 0;
  state.q.set(start.q);
  state.qd.fill(0);
  const places = Math.max(LEAST_PLACES, Math.ceil(motion.duration / step));
  for (let k = 0; k <= places; k++) {
    motion.evaluate((motion.duration * k) / places, now);
    for (const [i, dof] of dofs.entries()) {
      state.q[dof] = now.position[i]!;
      state.qd[dof] = now.velocity[i]!;
      acceleration[dof] = now.acceleration[i]!;
    }
    forwardKinematics(state);
    forwardVelocities(state);
    inverseDynamics(state, acceleration, gravity, torque);
    const v = state.linkVelocity;
    toolSpeed = Math.max(toolSpeed, Math.hypot(v[6 * frame]!, v[6 * frame + 1]!, v[6 * frame + 2]!));
    for (const [i, dof] of dofs.entries()) efforts[i] = Math.max(efforts[i]!, Math.abs(torque[dof]!));
  }
  return { toolSpeed, efforts };
}

/**
 * The motion itself where it keeps the limits of tool speed and torque, or one as much slower as it takes; null where no pace
 * keeps them, or where the motion cannot be slower because it begins in motion.
 */
export function withinToolLimits(
  resolved: ResolvedMotion,
  motion: PiecewiseMotion,
  state: RobotState,
  canSlow: boolean,
): PiecewiseMotion | null {
  const { toolSpeed, maxEffort } = resolved;
  const isLimited = Number.isFinite(toolSpeed) || maxEffort.some(Number.isFinite);
  if (!isLimited) return motion;
  let paced = motion;
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const peaks = toolPeaks(resolved, paced, state, LIMIT_STEP);
    const tooFast = (peaks.toolSpeed * ROOM) / toolSpeed;
    const isTooStrong = peaks.efforts.some((effort, i) => !(effort <= maxEffort[i]!));
    if (!(tooFast > 1) && !isTooStrong) return paced;
    if (!canSlow) return null;
    paced = retimed(paced, Math.max(tooFast, isTooStrong ? SLOWER : 1));
  }
  return null;
}
