import type { JointRamps } from "../motion/joint-ramps.js";
import type { RampArrays } from "../motion/ramp.js";
import { forwardKinematics, forwardKinematicsOf } from "../robot/kinematics/kinematics.js";
import type { Robot } from "../robot/robot.js";
import { RobotState } from "../robot/state.js";
import { linksThatMove } from "./body-motion.js";
import { MovingPairs, PairVerdict } from "./moving-pairs.js";

/** Outcome of a check. `free` alone is a proof. */
export const MotionStatus = {
  /** At every time of the motion, every pair is farther apart than the margin. */
  free: 0,
  /** At `contactTime` a pair is nearer than the margin and `CONTACT_TOLERANCE`; before `freeUntil` none was. */
  contact: 1,
  /** Out of samples; proven free until `freeUntil`. */
  unresolved: 2,
  /** Ramps or posture do not fit the dofs, are not finite, or are no continuous motion. */
  invalid: 3,
} as const;
export type MotionStatus = (typeof MotionStatus)[keyof typeof MotionStatus];

interface MotionCheckOptions {
  /** Distance to be kept [m]; 0 by default. */
  readonly margin?: number;
  /** Samples in time after which to give up; 4096 by default, a hundred times what a catch takes. */
  readonly maxSamples?: number;
}

/** The time of first contact is not sought more closely than this [s]. */
const TIME_RESOLUTION = 1e-4;
/** Deeper than halving a time can go. */
const STACK_SIZE = 128;
const NONE = -1;

/**
 * Whether the robot touches itself anywhere along a motion: certified for all times, not only at samples.
 *
 * By halving intervals of time. In the middle of an interval the bodies are placed and the pairs measured; a pair whose
 * certified distance exceeds the margin by more than its bodies can move against one another within the interval
 * (`BodyMotion`, from the ramps' exact extremes) is free throughout. The others, and only they, are looked at again in
 * both halves, the earlier first.
 *
 * The same input gives the same result, to the last bit. Nothing is allocated but the times that V8 boxes when it calls the
 * ramps: below 100 bytes a sample.
 *
 * @example
 * const motion = new MotionCheck(robot, arm.dofs);
 * if (motion.check(ramps, posture) === MotionStatus.contact) robot.hulls[motion.bodyA]!.name;
 */
export class MotionCheck {
  /** Dofs that move, in the order of the ramps. */
  readonly dofs: Int32Array;
  /** The bodies in contact, indices of `robot.hulls`; −1 where there is none. */
  bodyA = NONE;
  bodyB = NONE;
  /** Points in time at which the last check placed the robot. */
  samples = 0;

  readonly #state: RobotState;
  readonly #pairs: MovingPairs;
  readonly #movingBodies: Int32Array;
  /** Links between a moving dof and a body, parents first. */
  readonly #movingLinks: Int32Array;
  readonly #maxSamples: number;
  /** Permutation of the moving pairs: those still open in the interval at hand come first. */
  readonly #order: Int32Array;
  /** Intervals still to do, the earliest on top: begin, end, number of open pairs. */
  readonly #begin = new Float64Array(STACK_SIZE);
  readonly #end = new Float64Array(STACK_SIZE);
  readonly #open = new Int32Array(STACK_SIZE);
  #depth = 0;

  readonly #q: Float64Array;
  readonly #low: Float64Array;
  readonly #high: Float64Array;
  /** freeUntil, contactTime. */
  readonly #times = new Float64Array(2);

  /** For motions of the given dofs, all others standing. */
  constructor(robot: Robot, dofs: ArrayLike<number>, options: MotionCheckOptions = {}) {
    const { margin = 0, maxSamples = 4096 } = options;
    this.dofs = Int32Array.from(dofs);
    this.#maxSamples = maxSamples;
    this.#state = new RobotState(robot.model);
    this.#pairs = new MovingPairs(robot, dofs, margin);
    const { motion, movingCount } = this.#pairs;
    this.#movingBodies = Int32Array.from(robot.hulls.keys()).filter((body) => motion.moves(body));
    this.#movingLinks = linksThatMove(robot, this.dofs);
    this.#order = new Int32Array(movingCount);
    this.#q = new Float64Array(dofs.length);
    this.#low = new Float64Array(dofs.length);
    this.#high = new Float64Array(dofs.length);
  }

  /** Proven free of contact up to this time [s]; the motion's end if it is free. */
  get freeUntil(): number {
    return this.#times[0]!;
  }

  /** When the contact was seen [s], the first one lying between `freeUntil` and it; NaN if there is none. */
  get contactTime(): number {
    return this.#times[1]!;
  }

  /** Checks the motion; `posture` has a position for every dof of the robot, of which those not moving count. */
  check(ramps: JointRamps, posture: Float64Array): MotionStatus {
    this.#times[0] = 0;
    this.#times[1] = Number.NaN;
    this.bodyA = NONE;
    this.bodyB = NONE;
    this.samples = 0;
    const fits = ramps.count === this.dofs.length && posture.length === this.#state.q.length;
    if (!fits || !areValidRamps(ramps, ramps.count)) return MotionStatus.invalid;
    this.#state.q.set(posture);
    this.#pairs.forget();
    for (let k = 0; k < this.#order.length; k++) this.#order[k] = k;
    this.#begin[0] = 0;
    this.#end[0] = ramps.duration;
    this.#open[0] = this.#pairs.movingCount;
    this.#depth = 1;
    const rest = this.#checkResting(ramps);
    return rest === MotionStatus.free ? this.#subdivide(ramps) : rest;
  }

  /** The pairs that do not move against one another, once; places every body. */
  #checkResting(ramps: JointRamps): MotionStatus {
    const pairs = this.#pairs;
    const state = this.#state;
    this.#moveTo(ramps, 0);
    forwardKinematics(state);
    pairs.bodies.placeAll(state.linkPoses);
    for (let k = pairs.movingCount; k < pairs.count; k++) {
      const verdict = pairs.judge(state, k);
      if (verdict === PairVerdict.clear) continue;
      if (verdict === PairVerdict.invalid) return MotionStatus.invalid;
      this.#times[1] = 0;
      this.#blame(k);
      return MotionStatus.contact;
    }
    return MotionStatus.free;
  }

  #subdivide(ramps: JointRamps): MotionStatus {
    let outcome: MotionStatus = MotionStatus.free;
    while (this.#depth > 0) {
      if (this.samples >= this.#maxSamples || this.#depth + 2 > STACK_SIZE) return MotionStatus.unresolved;
      const top = --this.#depth;
      const count = this.#open[top]!;
      this.#sample(ramps, top);
      const verdict = this.#judgePairs(count);
      if (verdict === PairVerdict.invalid) return MotionStatus.invalid;
      if (verdict === PairVerdict.clear) this.#times[0] = this.#end[top]!;
      else this.#split(top, verdict);
      if (verdict === PairVerdict.contact) outcome = MotionStatus.contact;
    }
    return outcome;
  }

  /** Places the robot in the middle of interval `top`, and bounds how far it strays from there. */
  #sample(ramps: JointRamps, top: number): void {
    const { bodies, motion } = this.#pairs;
    const moving = this.#movingBodies;
    this.samples++;
    this.#moveTo(ramps, 0.5 * (this.#begin[top]! + this.#end[top]!));
    forwardKinematicsOf(this.#state, this.#movingLinks);
    for (let i = 0; i < moving.length; i++)
      bodies.place(moving[i]!, this.#state.linkPoses, 12 * bodies.link[moving[i]!]!);
    ramps.extremesBetween(this.#begin[top]!, this.#end[top]!, this.#low, this.#high);
    for (let i = 0; i < this.#q.length; i++) {
      const below = this.#q[i]! - this.#low[i]!;
      const above = this.#high[i]! - this.#q[i]!;
      this.#high[i] = below > above ? below : above;
    }
    motion.update(this.#state, this.#high);
  }

  #moveTo(ramps: JointRamps, time: number): void {
    ramps.positions(time, this.#q);
    for (let i = 0; i < this.#q.length; i++) this.#state.q[this.dofs[i]!] = this.#q[i]!;
  }

  /** The worst verdict over the first `count` pairs of #order; brings those not clear to its front, `#opened` of them. */
  #judgePairs(count: number): PairVerdict {
    const order = this.#order;
    let worst: PairVerdict = PairVerdict.clear;
    let opened = 0;
    for (let i = 0; i < count; i++) {
      const k = order[i]!;
      const verdict = this.#pairs.judge(this.#state, k);
      if (verdict === PairVerdict.clear) continue;
      order[i] = order[opened]!;
      order[opened++] = k;
      if (verdict === PairVerdict.contact && worst < PairVerdict.contact) this.#blame(k);
      if (verdict > worst) worst = verdict;
    }
    this.#opened = opened;
    return worst;
  }
  #opened = 0;

  /** Puts the halves of interval `top` on the stack; after a contact only the earlier one, and nothing later. */
  #split(top: number, verdict: PairVerdict): void {
    const begin = this.#begin[top]!;
    const end = this.#end[top]!;
    const middle = 0.5 * (begin + end);
    let depth = top;
    if (verdict === PairVerdict.contact) {
      this.#times[1] = middle;
      this.#depth = 0;
      if (end - begin <= TIME_RESOLUTION) return;
      depth = 0;
    } else {
      this.#begin[depth] = middle;
      this.#end[depth] = end;
      this.#open[depth++] = this.#opened;
    }
    this.#begin[depth] = begin;
    this.#end[depth] = middle;
    this.#open[depth++] = this.#opened;
    this.#depth = depth;
  }

  #blame(k: number): void {
    this.bodyA = this.#pairs.bodyA[k]!;
    this.bodyB = this.#pairs.bodyB[k]!;
  }
}

/** What a ramp may miss its end by [rad or m], and rest by [rad/s or m/s]: far above the rounding of planned ramps. */
const END_TOLERANCE = 1e-8;

/**
 * Whether `count` ramps are motions at all: finite numbers, phases in order, and ends that their phases lead to. Between
 * any two times such a ramp is continuous, and its extremes are what `extremesBetween` says.
 */
export function areValidRamps(ramps: RampArrays, count: number): boolean {
  for (let i = 0; i < count; i++) if (!isValid(ramps, i)) return false;
  return true;
}

function isValid(ramps: RampArrays, i: number): boolean {
  const q0 = ramps.q0[i]!;
  const w0 = ramps.w0[i]!;
  const ab = ramps.ab[i]!;
  const tb = ramps.tb[i]!;
  const a = ramps.a[i]!;
  const t1 = ramps.t1[i]!;
  const t2 = ramps.t2[i]!;
  const T = ramps.T[i]!;
  const isOrdered = tb >= 0 && t1 >= tb && t2 >= t1 && T >= t2 && T < Number.POSITIVE_INFINITY;
  const atBrake = q0 + tb * (w0 + 0.5 * ab * tb);
  const speed = w0 + ab * tb;
  const top = speed + a * (t1 - tb);
  const end = atBrake + (t1 - tb) * 0.5 * (speed + top) + (t2 - t1) * top + (T - t2) * (top - 0.5 * a * (T - t2));
  const meetsEnd = Math.abs(end - ramps.end[i]!) <= END_TOLERANCE;
  const comesToRest = Math.abs(top - a * (T - t2)) <= END_TOLERANCE;
  return isOrdered && meetsEnd && comesToRest;
}
