import type { MotionCheck } from "../../collision/motion-check.js";
import type { PathCheck } from "../../collision/path-check.js";
import * as pose from "../../math/pose.js";
import { MotionBounds } from "../../motion/motion-bounds.js";
import { checkMotion } from "../../motion/motion-extremes.js";
import { MotionState, PIECE, type PiecewiseMotion } from "../../motion/piecewise-motion.js";
import { forwardKinematicsTo } from "../../robot/kinematics/kinematics.js";
import type { RobotState } from "../../robot/state.js";
import type { MotionWorkspace } from "./motion-workspace.js";
import type { ResolvedGoal } from "./resolve-goals.js";
import type { ResolvedMotion } from "./resolve-motion.js";

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

  /** The workspace has no checks for a robot without bodies; that of paths, set to the start, spares the other most of its work. */
  constructor(resolved: ResolvedMotion, { motion: check, path: quick, state }: MotionWorkspace) {
    this.#state = state;
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
    const bounds = {
      ...limits,
      maxVelocity: limits.maxVelocity.slice(),
      maxAcceleration: limits.maxAcceleration.slice(),
    };
    for (const [i, dof] of dofs.entries()) {
      const [v0, a0] = [start.qd[dof]!, acceleration[i]!];
      const isStart =
        isNear(first.position[i]!, start.q[dof]!, ROUNDING) &&
        isNear(first.velocity[i]!, v0, ROUNDING) &&
        (motion.duration === 0 || isNear(first.acceleration[i]!, a0, ACCELERATION_ROUNDING));
      if (!isStart) return MotionVerdict.start;
      if (!isNear(motion.endVelocity[i]!, 0, ROUNDING)) return MotionVerdict.end;
      if (hasStep(motion, i, ACCELERATION_ROUNDING * (1 + limits.maxAcceleration[i]!))) return MotionVerdict.step;
      // A start beyond a limit is let in; what follows from it is, too.
      bounds.maxVelocity[i] = Math.max(bounds.maxVelocity[i]!, Math.abs(v0) + startExcess(v0, a0, limits.maxJerk[i]!));
      bounds.maxAcceleration[i] = Math.max(bounds.maxAcceleration[i]!, Math.abs(a0));
    }
    const worst = checkMotion(motion, bounds).find(
      ({ value, limit }) => !(Math.abs(value - limit) <= EXCESS * Math.abs(limit) + ROUNDING),
    );
    return worst === undefined ? MotionVerdict.ok : worst.kind;
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

/** Whether position, velocity or acceleration of a joint steps from one piece to the next, or the acceleration at the end. */
function hasStep(
  { pieces, capacity, counts, duration }: PiecewiseMotion,
  joint: number,
  acceleration: number,
): boolean {
  for (let k = 0; k < counts[joint]!; k++) {
    const at = (joint * capacity + k) * PIECE;
    const isLast = k + 1 === counts[joint]!;
    const x = (isLast ? duration : pieces[at + PIECE]!) - pieces[at]!;
    const [c0, c1, c2, c3, c4, c5] = pieces.subarray(at + 1, at + PIECE) as unknown as number[];
    const a = 2 * c2! + x * (6 * c3! + x * (12 * c4! + 20 * x * c5!));
    const next = (order: number) => (isLast ? 0 : pieces[at + PIECE + 1 + order]!);
    if (!(Math.abs(a - 2 * next(2)) <= acceleration)) return true;
    if (isLast) continue;
    const q = c0! + x * (c1! + x * (c2! + x * (c3! + x * (c4! + x * c5!))));
    const v = c1! + x * (2 * c2! + x * (3 * c3! + x * (4 * c4! + 5 * x * c5!)));
    if (!(Math.abs(q - next(0)) <= ROUNDING && Math.abs(v - next(1)) <= ROUNDING)) return true;
  }
  return false;
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
