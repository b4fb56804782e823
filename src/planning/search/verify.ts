import * as pose from "../../math/pose.js";
import * as vec3 from "../../math/vec3.js";
import type { JointRamps } from "../../motion/joint-ramps.js";
import type { RampArrays } from "../../motion/ramp.js";
import { forwardKinematicsTo, relativePose } from "../../robot/kinematics/kinematics.js";
import { RobotState } from "../../robot/state.js";
import type { CatchArm } from "../problem/catch-arm.js";
import type { CatchTask } from "../problem/catch-problem.js";
import { asksFor, Check } from "../problem/checks.js";

/** What is checked, in the order in which it is checked: what a plan does wrong. `ok` alone lets a plan leave. */
export const Verdict = {
  ok: "ok",
  notFinite: "has numbers that are not finite",
  start: "does not start where the robot is",
  end: "does not end at the catch, at rest, in time",
  positionLimit: "leaves the joint limits",
  velocityLimit: "exceeds the speed limit",
  accelerationLimit: "exceeds the acceleration limit",
  handPosition: "does not bring the hand to the ball",
  handDirection: "does not turn the hand to the ball",
  keepOut: "brings the hand into a keep-out shape",
  selfCollision: "lets the arm touch the robot or an obstacle at the catch",
  motionCollision: "brings the arm so near to the robot or an obstacle that the monitor would brake it on its way",
} as const;
export type Verdict = (typeof Verdict)[keyof typeof Verdict];

/** A plan as it would be executed, in the order of the arm's dofs. */
export interface PlannedCatch
  extends Pick<CatchTask, "q0" | "w0" | "maxVelocity" | "maxAcceleration" | "path" | "keepOut" | "checks"> {
  readonly ramps: JointRamps;
  /** Joint positions at the catch. */
  readonly q: Float64Array;
  /** When the ball is in the hand [s]. */
  readonly time: number;
}

/** Rounding of the ramps [rad, rad/s]. */
const RAMP_TOLERANCE = 1e-7;
/** Relative excess of a limit that counts as rounding. */
const LIMIT_TOLERANCE = 1e-6;
/** Far below the hand's 2 cm, far above the solver's 1e-8 [m, rad]. */
const POSE_TOLERANCE = 1e-5;
/** Depth inside a keep-out shape or overlap of bodies that counts as touching the surface [m]. */
export const contactTolerance = 1e-5;

/**
 * The last check before a plan leaves, independent of the optimiser: it integrates the phases of the ramps by itself, and
 * takes the hand's pose from the whole robot's kinematics instead of the solver's compiled chain.
 */
export class CatchVerifier {
  readonly #arm: CatchArm;
  readonly #state: RobotState;
  readonly #baseFromHand: pose.Pose = pose.create();
  readonly #hand = vec3.create();
  readonly #ball = vec3.create();
  readonly #velocity = vec3.create();
  readonly #acceleration = vec3.create();
  readonly #clearances: Float64Array;
  readonly #motion: IntegratedMotion = { position: 0, speed: 0, lowest: 0, highest: 0, fastest: 0 };
  /** Least distance of the hand to a keep-out shape, of the plan checked last [m]. */
  clearance = Number.NaN;
  /** Least distance of the arm to the robot's other bodies at the catch [m]; Infinity if it has none, NaN if not asked for. */
  selfClearance = Number.NaN;

  constructor(arm: CatchArm) {
    this.#arm = arm;
    this.#state = new RobotState(arm.chain.model);
    this.#clearances = new Float64Array(arm.clearance?.count ?? 0);
  }

  verify(plan: PlannedCatch): Verdict {
    for (let i = 0; i < plan.q.length; i++) {
      const verdict = this.#verifyRamp(plan, i);
      if (verdict !== Verdict.ok) return verdict;
    }
    const verdict = this.#verifyHand(plan);
    return verdict === Verdict.ok ? this.#verifyContact(plan) : verdict;
  }

  #verifyRamp(plan: PlannedCatch, i: number): Verdict {
    const { ramps } = plan;
    if (!isFiniteRamp(ramps, i) || !Number.isFinite(plan.time)) return Verdict.notFinite;
    if (!isNear(ramps.q0[i]!, plan.q0[i]!) || !isNear(ramps.w0[i]!, plan.w0[i]!)) return Verdict.start;
    if (!hasOrderedPhases(ramps, i) || ramps.T[i]! > plan.time + RAMP_TOLERANCE) return Verdict.end;
    const motion = integratePhases(ramps, i, this.#motion);
    if (!isNear(motion.position, plan.q[i]!) || !isNear(motion.speed, 0)) return Verdict.end;
    const { lower, upper } = this.#arm;
    const isInside = motion.lowest >= lower[i]! - RAMP_TOLERANCE && motion.highest <= upper[i]! + RAMP_TOLERANCE;
    if (!isInside) return Verdict.positionLimit;
    const wmax = Math.max(plan.maxVelocity[i]!, Math.abs(ramps.w0[i]!));
    if (!(motion.fastest <= wmax * (1 + LIMIT_TOLERANCE))) return Verdict.velocityLimit;
    const amax = plan.maxAcceleration[i]! * (1 + LIMIT_TOLERANCE);
    if (!(Math.abs(ramps.a[i]!) <= amax && Math.abs(ramps.ab[i]!) <= amax)) return Verdict.accelerationLimit;
    return Verdict.ok;
  }

  #verifyHand(plan: PlannedCatch): Verdict {
    const { chain } = this.#arm;
    for (let i = 0; i < plan.q.length; i++) this.#state.q[chain.dofs[i]!] = plan.q[i]!;
    forwardKinematicsTo(this.#state, chain.baseLink);
    forwardKinematicsTo(this.#state, chain.tipLink);
    relativePose(this.#state, chain.baseLink, chain.tipLink, this.#baseFromHand);
    plan.path.evaluate(plan.time, this.#ball, this.#velocity, this.#acceleration);
    pose.getTranslation(this.#baseFromHand, this.#hand);
    if (!(vec3.distance(this.#hand, this.#ball) <= POSE_TOLERANCE)) return Verdict.handPosition;
    const m = this.#baseFromHand;
    const facing = vec3.set(-m[2], -m[5], -m[8], this.#acceleration);
    vec3.normalize(this.#velocity, this.#velocity);
    return vec3.distance(facing, this.#velocity) <= POSE_TOLERANCE ? Verdict.ok : Verdict.handDirection;
  }

  #verifyContact(plan: PlannedCatch): Verdict {
    const { checks } = plan;
    this.clearance = plan.keepOut.clearance(this.#hand);
    this.selfClearance = Number.NaN;
    if (asksFor(checks, Check.keepOut) && !(this.clearance >= -contactTolerance)) return Verdict.keepOut;
    if (asksFor(checks, Check.clearance)) {
      this.#measureSelfClearance(plan.q);
      if (!(this.selfClearance >= -contactTolerance)) return Verdict.selfCollision;
    }
    const { clearance } = this.#arm;
    if (clearance === null || !asksFor(checks, Check.motion)) return Verdict.ok;
    return clearance.isMotionFree(plan.ramps) ? Verdict.ok : Verdict.motionCollision;
  }

  #measureSelfClearance(q: Float64Array): void {
    const { clearance, chain } = this.#arm;
    this.selfClearance = Number.POSITIVE_INFINITY;
    if (clearance === null) return;
    chain.update(q);
    clearance.evaluate(chain, this.#clearances, 0);
    for (const distance of this.#clearances) this.selfClearance = Math.min(this.selfClearance, distance);
  }
}

interface IntegratedMotion {
  position: number;
  speed: number;
  lowest: number;
  highest: number;
  fastest: number;
}

/** Position, speed and extremes of joint `i`, from its accelerations and their times alone. */
function integratePhases(ramps: RampArrays, i: number, motion: IntegratedMotion): IntegratedMotion {
  motion.position = ramps.q0[i]!;
  motion.speed = ramps.w0[i]!;
  motion.lowest = motion.position;
  motion.highest = motion.position;
  motion.fastest = 0;
  const tb = ramps.tb[i]!;
  advance(motion, ramps.ab[i]!, tb);
  advance(motion, ramps.a[i]!, ramps.t1[i]! - tb);
  advance(motion, 0, ramps.t2[i]! - ramps.t1[i]!);
  advance(motion, -ramps.a[i]!, ramps.T[i]! - ramps.t2[i]!);
  return motion;
}

function advance(motion: IntegratedMotion, acceleration: number, duration: number): void {
  const { position, speed } = motion;
  motion.fastest = Math.max(motion.fastest, Math.abs(speed));
  const turn = acceleration === 0 ? -1 : -speed / acceleration;
  if (turn > 0 && turn < duration) include(motion, position + 0.5 * speed * turn);
  motion.position = position + duration * (speed + 0.5 * acceleration * duration);
  motion.speed = speed + acceleration * duration;
  motion.fastest = Math.max(motion.fastest, Math.abs(motion.speed));
  include(motion, motion.position);
}

function include(motion: IntegratedMotion, position: number): void {
  motion.lowest = Math.min(motion.lowest, position);
  motion.highest = Math.max(motion.highest, position);
}

function isNear(a: number, b: number): boolean {
  return Math.abs(a - b) <= RAMP_TOLERANCE;
}

function hasOrderedPhases(ramps: RampArrays, i: number): boolean {
  const t1 = ramps.t1[i]!;
  const t2 = ramps.t2[i]!;
  return ramps.tb[i]! >= 0 && t1 >= ramps.tb[i]! && t2 >= t1 && ramps.T[i]! >= t2;
}

function isFiniteRamp(ramps: RampArrays, i: number): boolean {
  const sum =
    ramps.q0[i]! + ramps.w0[i]! + ramps.ab[i]! + ramps.tb[i]! + ramps.a[i]! + ramps.t1[i]! + ramps.t2[i]! + ramps.T[i]!;
  return Number.isFinite(sum);
}
