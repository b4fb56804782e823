import { MotionCheck } from "../../collision/motion-check.js";
import { JerkLimitedMotions, ProfileStatus } from "../../motion/jerk-limited-motion.js";
import type { Stretch } from "../../motion/jerk-profile.js";
import type { JointRamps } from "../../motion/joint-ramps.js";
import { MotionBounds } from "../../motion/motion-bounds.js";
import { type CheckedLimits, checkMotion } from "../../motion/motion-extremes.js";
import { PiecewiseMotion } from "../../motion/piecewise-motion.js";
import type { JointGroup, Robot } from "../../robot/robot.js";
import { asksFor, Check } from "../problem/checks.js";
import type { CatchSolution } from "../search/catch-solution.js";
import type { Reason } from "./answer.js";
import type { ResolvedRequest } from "./resolve-request.js";

/** Shortest catch for which the search leaves room [s]: a share of the acceleration 2A/(J·T) goes into the jerk. */
const SHORTEST_CATCH = 0.25;
/** Most of the acceleration that the search gives up for it. */
const MOST_ROOM = 0.75;
/** How much later than the ball the hand may arrive [s]: rounding. */
const TIME_TOLERANCE = 1e-9;

type RoundedVerdict =
  | { readonly motion: PiecewiseMotion; readonly refusal: null }
  | { readonly motion: null; readonly refusal: Reason };

/**
 * Acceleration that a search of ramps may use so that there is a motion with jerk J as well. In time T, from rest, ramps get
 * a·T²/4 far and jerk-limited motions A·T²/4·(1 − 2A/(JT)); up to the speed V in 1/a and 1/A + A/(JV) of it.
 */
export function roomForJerk(A: number, J: number, V: number): number {
  const short = 1 - Math.min(MOST_ROOM, (2 * A) / (J * SHORTEST_CATCH));
  return A * Math.min(short, 1 / (1 + (A * A) / (J * V)));
}

/**
 * Rounds the ramps of a catch: the same joints at the same time, at rest, from the same start, with limited jerk. The start
 * has no acceleration. The softest motion comes first; where it leaves the joints' ranges or touches anything, the one that
 * accelerates more and cruises more slowly.
 */
export class JerkRounding {
  readonly #robot: Robot;
  readonly #group: JointGroup;
  readonly #profiles: JerkLimitedMotions;
  readonly #check: MotionCheck | null;

  constructor(robot: Robot, group: JointGroup) {
    this.#robot = robot;
    this.#group = group;
    this.#profiles = new JerkLimitedMotions(group.dofs.length);
    this.#check = robot.hulls.length === 0 ? null : new MotionCheck(robot, group.dofs);
  }

  /** The motion that brings the hand to the ball of `solution`, or why there is none. */
  round(resolved: ResolvedRequest, solution: CatchSolution): RoundedVerdict {
    let refusal: Reason | null = null;
    for (const stretch of ["softer", "slower"] as const) {
      refusal = this.#profile(resolved, solution, stretch);
      if (refusal === null) {
        const { joints, capacity } = this.#profiles.motion;
        const motion = new PiecewiseMotion(joints, capacity);
        motion.copyFrom(this.#profiles.motion);
        return { motion, refusal };
      }
    }
    return { motion: null, refusal: refusal! };
  }

  #profile(resolved: ResolvedRequest, { ramps, x, arrival }: CatchSolution, stretch: Stretch): Reason | null {
    const limits = this.#limits(resolved, ramps);
    const time = x[this.#group.dofs.length]!;
    const start = { position: ramps.q0, velocity: ramps.w0 };
    const options = { duration: arrival, stretch };
    const status = this.#profiles.plan(start, { position: ramps.end }, limits, options);
    const { motion } = this.#profiles;
    const joint = this.#robot.model.dofNames[this.#group.dofs[this.#profiles.limitingJoint]!]!;
    if (status > ProfileStatus.late || !(motion.duration <= time + TIME_TOLERANCE)) {
      const late = motion.duration - time;
      const sentence = `Within its limits of jerk ${joint} would come ${Math.round(1e3 * late)} ms after the ball.`;
      return { kind: "too-fast", sentence, joint, time: late };
    }
    return this.#explainLimits(limits) ?? this.#explainContact(resolved);
  }

  /** A start may be faster than its limit. */
  #limits({ robot, velocityScale, accelerationScale, maxJerk }: ResolvedRequest, { w0 }: JointRamps) {
    const { model } = robot;
    const pick = (values: Float64Array, scale = 1) =>
      Float64Array.from(this.#group.dofs, (dof) => values[dof]! * scale);
    return {
      lower: pick(model.lower),
      upper: pick(model.upper),
      maxVelocity: pick(model.maxVelocity, velocityScale).map((speed, i) => Math.max(speed, Math.abs(w0[i]!))),
      maxAcceleration: pick(model.maxAcceleration, accelerationScale),
      maxJerk: pick(maxJerk!),
    };
  }

  #explainLimits(limits: CheckedLimits): Reason | null {
    const [worst] = checkMotion(this.#profiles.motion, limits);
    if (worst === undefined) return null;
    const joint = this.#robot.model.dofNames[this.#group.dofs[worst.joint]!]!;
    const sentence = `Within its limits of jerk ${joint} would go beyond its limit of ${worst.kind}.`;
    return { kind: "overshoot", sentence, joint };
  }

  #explainContact({ start, checks }: ResolvedRequest): Reason | null {
    if (this.#check === null || !asksFor(checks, Check.motion)) return null;
    if (this.#check.isFree(new MotionBounds(this.#profiles.motion), start.q)) return null;
    return { kind: "collision", sentence: "With limited jerk the arm would touch something on its way." };
  }
}
