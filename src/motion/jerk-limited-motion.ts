import { JerkProfile, PROFILE_PIECES, type Stretch } from "./jerk-profile.js";
import { PiecewiseMotion } from "./piecewise-motion.js";

/** Outcome of a jerk-limited motion, in order of severity. */
export const ProfileStatus = {
  ok: 0,
  /** The time asked for is shorter than the shortest: the motion is the shortest one. */
  late: 1,
  /** The goal moves, and just then no motion within the limits arrives with its velocity: the motion is the next that does. */
  blocked: 2,
  /** A number is not finite, a limit is not positive, or the goal is faster than its limit: there is no motion. */
  invalid: 3,
} as const;
export type ProfileStatus = (typeof ProfileStatus)[keyof typeof ProfileStatus];

/** State of N joints; what is missing is 0. */
export interface JointBoundary {
  /** [rad or m] */
  readonly position: Float64Array;
  readonly velocity?: Float64Array;
  /** Of a start only: a goal is reached without acceleration. */
  readonly acceleration?: Float64Array;
}

/** Limits of N joints, all positive and finite. */
export interface JerkLimits {
  readonly maxVelocity: Float64Array;
  readonly maxAcceleration: Float64Array;
  /** [rad/s³ or m/s³] */
  readonly maxJerk: Float64Array;
}

export interface JerkMotionOptions {
  /** How long the motion takes [s]; the default is the shortest time that all joints have in common. */
  readonly duration?: number | "shortest";
  /** "time": all joints arrive together, the default. "none": each arrives as soon as it can, and waits. */
  readonly synchronise?: "time" | "none";
  /** Joints with time to spare use less acceleration and jerk ("softer", the default) or less speed ("slower"). */
  readonly stretch?: Stretch;
}

/**
 * Jerk-limited motions of N joints, from any state to a position, at rest or with a velocity. All memory is made by the
 * constructor.
 *
 * @example
 * const planner = new JerkLimitedMotions(7);
 * if (planner.plan(start, goal, limits, { duration: 0.8 }) === ProfileStatus.ok) planner.motion.evaluate(0.1, state);
 */
export class JerkLimitedMotions {
  readonly joints: number;
  /** That of the last `plan`, which the next one overwrites. */
  readonly motion: PiecewiseMotion;
  /** Shortest time of each joint on its own [s]. */
  readonly minimalTimes: Float64Array;
  /** The slowest joint, or the first that is invalid. */
  limitingJoint = 0;
  readonly #profiles: readonly JerkProfile[];
  readonly #duration = new Float64Array(1);

  constructor(joints: number) {
    this.joints = joints;
    this.motion = new PiecewiseMotion(joints, PROFILE_PIECES);
    this.minimalTimes = new Float64Array(joints);
    this.#profiles = Array.from({ length: joints }, () => new JerkProfile());
  }

  plan(start: JointBoundary, goal: JointBoundary, limits: JerkLimits, options: JerkMotionOptions = {}): ProfileStatus {
    const { duration = "shortest", synchronise = "time", stretch = "softer" } = options;
    if (!(duration === "shortest" || (duration >= 0 && duration < Infinity)) || !this.#load(start, goal, limits)) {
      this.motion.clear(0);
      return ProfileStatus.invalid;
    }
    const shortest = this.minimalTimes[this.limitingJoint]!;
    const wanted = duration === "shortest" ? shortest : duration;
    this.#duration[0] = Math.max(wanted, shortest);
    let status: ProfileStatus = wanted < shortest ? ProfileStatus.late : ProfileStatus.ok;
    if (synchronise === "time" && !this.#reachAll(stretch)) {
      if (status === ProfileStatus.ok && duration !== "shortest") status = ProfileStatus.blocked;
      this.#takeNextDuration(stretch);
    }
    this.#write();
    return status;
  }

  /** Shortest times of all joints; false if a joint is invalid. */
  #load(start: JointBoundary, goal: JointBoundary, limits: JerkLimits): boolean {
    this.limitingJoint = 0;
    for (let i = 0; i < this.joints; i++) {
      const profile = this.#profiles[i]!;
      profile.p0 = start.position[i]!;
      profile.v0 = start.velocity === undefined ? 0 : start.velocity[i]!;
      profile.a0 = start.acceleration === undefined ? 0 : start.acceleration[i]!;
      profile.p1 = goal.position[i]!;
      profile.v1 = goal.velocity === undefined ? 0 : goal.velocity[i]!;
      profile.V = limits.maxVelocity[i]!;
      profile.A = limits.maxAcceleration[i]!;
      profile.J = limits.maxJerk[i]!;
      if (!profile.isValid) {
        this.limitingJoint = i;
        return false;
      }
      profile.shortest();
      this.minimalTimes[i] = profile.minimum;
      if (this.minimalTimes[i]! > this.minimalTimes[this.limitingJoint]!) this.limitingJoint = i;
    }
    return true;
  }

  #reachAll(stretch: Stretch): boolean {
    for (const profile of this.#profiles) {
      profile.T = this.#duration[0]!;
      if (!profile.reach(stretch)) return false;
    }
    return true;
  }

  /**
   * The least longer duration that all joints can have. The times that a joint cannot have end where one of its arrivals is; for
   * long times there are none.
   */
  #takeNextDuration(stretch: Stretch): void {
    let last = this.#duration[0]!;
    for (;;) {
      let next = Infinity;
      for (const profile of this.#profiles) {
        for (let k = 0; k < profile.arrivalCount; k++) {
          // A little more, for rounding.
          const time = profile.arrivalTimes[k]! * (1 + 1e-12);
          if (time > last && time < next) next = time;
        }
      }
      this.#duration[0] = next < Infinity ? next : 2 * last;
      if (this.#reachAll(stretch)) return;
      last = this.#duration[0]!;
    }
  }

  #write(): void {
    this.motion.clear(this.#duration[0]!);
    for (let i = 0; i < this.joints; i++) this.#profiles[i]!.write(this.motion, i);
  }
}

/** A jerk-limited motion, and how it was found. */
export interface JerkLimitedResult {
  readonly status: ProfileStatus;
  readonly motion: PiecewiseMotion;
  /** How much longer it takes than was asked for [s]. */
  readonly late: number;
  readonly limitingJoint: number;
}

/**
 * A jerk-limited motion of joints, from any state to a position, at rest or with a velocity.
 *
 * @example
 * const limits = { maxVelocity: of(2), maxAcceleration: of(10), maxJerk: of(100) };
 * const { motion } = jerkLimitedMotion({ position: of(0), velocity: of(1) }, { position: of(0.5) }, limits);
 * motion.duration; // the shortest time
 */
export function jerkLimitedMotion(
  start: JointBoundary,
  goal: JointBoundary,
  limits: JerkLimits,
  options: JerkMotionOptions = {},
): JerkLimitedResult {
  const planner = new JerkLimitedMotions(goal.position.length);
  const status = planner.plan(start, goal, limits, options);
  const { motion, limitingJoint } = planner;
  const wanted = typeof options.duration === "number" ? options.duration : motion.duration;
  return { status, motion, late: Math.max(0, motion.duration - wanted), limitingJoint };
}
