import type { MotionCheck } from "../../collision/motion-check.js";
import type { PathCheck } from "../../collision/path-check.js";
import * as pose from "../../math/pose.js";
import { MotionBounds } from "../../motion/motion-bounds.js";
import { MotionState, type PiecewiseMotion } from "../../motion/piecewise-motion.js";
import { forwardKinematicsTo } from "../../robot/kinematics/kinematics.js";
import { RobotState } from "../../robot/state.js";
import { jointExtremes } from "./motion-peaks.js";
import type { ResolvedGoal, ResolvedMotion } from "./resolve-motion.js";

/** What a motion does wrong; `ok` alone lets it leave. */
export const MotionVerdict = {
  ok: "ok",
  start: "start",
  end: "end",
  step: "step",
  position: "position",
  velocity: "velocity",
  acceleration: "acceleration",
  jerk: "jerk",
  goal: "goal",
  collision: "collision",
} as const;
export type MotionVerdict = (typeof MotionVerdict)[keyof typeof MotionVerdict];

/** Rounding of positions, velocities and accelerations [rad or m, and per s]. */
const ROUNDING = 1e-7;
const ACCELERATION_ROUNDING = 1e-5;
/** Relative excess of a limit that counts as rounding. */
const EXCESS = 1e-6;
/** Places after which the quick check leaves the motion to the other. */
const QUICK_SAMPLES = 6000;
/** Of the frame at the goal [m, rad]. */
const POSE_TOLERANCE = 1e-6;

/** The last check before a motion leaves: of its polynomials, the whole robot's kinematics, and the certified sweeps. */
export class MotionVerifier {
  readonly #state: RobotState;
  readonly #check: MotionCheck | null;
  readonly #quick: PathCheck | null;
  readonly #target = pose.create();

  /** `check` is null for a robot without bodies; `quick`, set to the posture of the start, spares it most of its work. */
  constructor(resolved: ResolvedMotion, check: MotionCheck | null, quick: PathCheck | null) {
    this.#state = new RobotState(resolved.robot.model);
    this.#check = check;
    // What moves by itself is no part of paths.
    this.#quick = resolved.robot.movers === undefined ? quick : null;
  }

  verify(resolved: ResolvedMotion, motion: PiecewiseMotion, goal: ResolvedGoal): MotionVerdict {
    const verdict = this.#verifyJoints(resolved, motion);
    if (verdict !== MotionVerdict.ok) return verdict;
    if (!this.#isAtGoal(resolved, motion, goal)) return MotionVerdict.goal;
    if (this.#check === null) return MotionVerdict.ok;
    const bounds = new MotionBounds(motion);
    if (this.#quick?.isMotionFree(bounds, QUICK_SAMPLES)) return MotionVerdict.ok;
    return this.#check.isFree(bounds, resolved.start.q) ? MotionVerdict.ok : MotionVerdict.collision;
  }

  #verifyJoints({ start, acceleration, dofs, limits }: ResolvedMotion, motion: PiecewiseMotion): MotionVerdict {
    const first = new MotionState(dofs.length);
    motion.evaluate(0, first);
    for (const [i, dof] of dofs.entries()) {
      const { lower, upper, maxVelocity, maxAcceleration, maxJerk } = limits;
      const isStart =
        isNear(first.position[i]!, start.q[dof]!, ROUNDING) &&
        isNear(first.velocity[i]!, start.qd[dof]!, ROUNDING) &&
        (motion.duration === 0 || isNear(first.acceleration[i]!, acceleration[i]!, ACCELERATION_ROUNDING));
      if (!isStart) return MotionVerdict.start;
      if (!isNear(motion.endVelocity[i]!, 0, ROUNDING)) return MotionVerdict.end;
      const extremes = jointExtremes(motion, i);
      const { positionStep, velocityStep, accelerationStep } = extremes;
      const hasSteps = !(positionStep <= ROUNDING && velocityStep <= ROUNDING && accelerationStep <= ACCELERATION_ROUNDING * (1 + maxAcceleration[i]!));
      if (hasSteps) return MotionVerdict.step;
      const v = Math.max(maxVelocity[i]!, Math.abs(start.qd[dof]!) + startExcess(start.qd[dof]!, acceleration[i]!, maxJerk[i]!));
      const a = Math.max(maxAcceleration[i]!, Math.abs(acceleration[i]!));
      if (!(extremes.lowest >= lower[i]! - ROUNDING && extremes.highest <= upper[i]! + ROUNDING)) return MotionVerdict.position;
      if (!(extremes.velocity <= v * (1 + EXCESS) + ROUNDING)) return MotionVerdict.velocity;
      if (!(extremes.acceleration <= a * (1 + EXCESS) + ROUNDING)) return MotionVerdict.acceleration;
      if (!(extremes.jerk <= maxJerk[i]! * (1 + EXCESS) + ROUNDING)) return MotionVerdict.jerk;
    }
    return MotionVerdict.ok;
  }

  #isAtGoal({ start, dofs, limits }: ResolvedMotion, motion: PiecewiseMotion, goal: ResolvedGoal): boolean {
    if (goal.kind === "joints") {
      const isOpen = (i: number) => limits.upper[i]! - limits.lower[i]! === Number.POSITIVE_INFINITY;
      return goal.q.every((q, i) => isReached(motion.endPosition[i]! - q, isOpen(i)));
    }
    const state = this.#state;
    state.q.set(start.q);
    for (const [i, dof] of dofs.entries()) state.q[dof] = motion.endPosition[i]!;
    forwardKinematicsTo(state, goal.frame);
    const at = state.worldFromLink[goal.frame]!;
    const target = goal.course.poseAt(motion.duration, this.#target);
    if (!(Math.hypot(at[9] - target[9], at[10] - target[10], at[11] - target[11]) <= POSE_TOLERANCE)) return false;
    const { free } = goal;
    const along = Math.atan2(
      Math.hypot(at[2] - target[2], at[5] - target[5], at[8] - target[8]),
      Math.hypot(at[2] + target[2], at[5] + target[5], at[8] + target[8]),
    );
    if (free.kind === "orientation") return true;
    if (free.kind === "cone") return 2 * along <= free.angle + POSE_TOLERANCE;
    if (!(2 * along <= POSE_TOLERANCE)) return false;
    if (free.kind === "roll") return true;
    return Math.hypot(at[0] - target[0], at[3] - target[3], at[6] - target[6]) <= POSE_TOLERANCE;
  }
}

/** By how much a start that accelerates gets faster before it can stop doing so. */
function startExcess(velocity: number, acceleration: number, jerk: number): number {
  return velocity * acceleration > 0 ? (acceleration * acceleration) / (2 * jerk) : 0;
}

function isNear(a: number, b: number, tolerance: number): boolean {
  return Math.abs(a - b) <= tolerance;
}

/** A joint without limits may arrive whole turns away. */
function isReached(difference: number, isOpen: boolean): boolean {
  const turns = isOpen ? Math.round(difference / (2 * Math.PI)) : 0;
  return Math.abs(difference - 2 * Math.PI * turns) <= ROUNDING;
}
