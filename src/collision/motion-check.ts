import { JointRamps } from "../motion/joint-ramps.js";
import type { RampArrays } from "../motion/ramp.js";
import { forwardKinematics, forwardKinematicsOf } from "../robot/kinematics/kinematics.js";
import type { Robot } from "../robot/robot.js";
import { RobotState } from "../robot/state.js";
import { linksThatMove } from "./body-motion.js";
import { MovingPairs, PairVerdict } from "./moving-pairs.js";
import { ObstacleDrift } from "./obstacle-drift.js";
import { SpanStack } from "./span-stack.js";

/** Samples in time after which to give up: a hundred times what a catch takes. */
const MOST_SAMPLES = 4096;

/** Motions of some joints in time, as a check sees them; ramps are one kind. */
export interface CheckedMotion {
  readonly count: number;
  /** [s] */
  readonly duration: number;
  positions(t: number, out: Float64Array): Float64Array;
  /** Least and greatest position of each joint between two times, or bounds of them. */
  extremesBetween(from: number, to: number, outMin: Float64Array, outMax: Float64Array): void;
}

/** Two bodies that come too near, and when. */
export interface Contact {
  /** Names of the bodies. */
  readonly bodies: readonly [string, string];
  /** [s] */
  readonly time: number;
}

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
 * if (motion.isFree(ramps, posture)) execute(ramps);
 */
export class MotionCheck {
  /** Dofs that move, in the order of the ramps. */
  readonly dofs: Int32Array;
  /** Points in time at which the last check placed the robot. */
  samples = 0;
  /** What made the last motion not free; null: it was free, or no pair is to blame. */
  contact: Contact | null = null;

  readonly #mostSamples: number;
  readonly #state: RobotState;
  readonly #pairs: MovingPairs;
  readonly #movingBodies: Int32Array;
  /** Links between a moving dof and a body, parents first. */
  readonly #movingLinks: Int32Array;
  /** Permutation of the moving pairs: those still open in the interval at hand come first. */
  readonly #order: Int32Array;
  /** Intervals still to do. */
  readonly #spans = new SpanStack();
  readonly #drift: ObstacleDrift | null;

  readonly #q: Float64Array;
  readonly #low: Float64Array;
  readonly #high: Float64Array;

  /**
   * For motions of the given dofs, all others standing; `margin` is the distance to be kept [m], `mostSamples` after how many
   * places to give up.
   */
  constructor(robot: Robot, dofs: ArrayLike<number>, margin = 0, mostSamples = MOST_SAMPLES) {
    this.#mostSamples = mostSamples;
    this.dofs = Int32Array.from(dofs);
    this.#state = new RobotState(robot.model);
    this.#pairs = new MovingPairs(robot, dofs, margin);
    const { motion, movingCount } = this.#pairs;
    this.#movingBodies = Int32Array.from(robot.hulls.keys()).filter((body) => motion.moves(body));
    this.#movingLinks = linksThatMove(robot, this.dofs);
    this.#drift = robot.movers === undefined ? null : new ObstacleDrift(robot, robot.movers, this.#pairs);
    this.#order = new Int32Array(movingCount);
    this.#q = new Float64Array(dofs.length);
    this.#low = new Float64Array(dofs.length);
    this.#high = new Float64Array(dofs.length);
  }

  /**
   * Whether at every time of the motion every pair is farther apart than the margin; `posture` has a position for every dof
   * of the robot, of which those not moving count. False also where a pair comes within `CONTACT_TOLERANCE` of the margin,
   * out of samples, and for ramps or a posture that do not fit the dofs, are not finite, or are no continuous motion. Of
   * other motions than ramps it is the caller's to know that they are continuous.
   */
  isFree(ramps: CheckedMotion, posture: Float64Array): boolean {
    this.samples = 0;
    this.contact = null;
    const fits = ramps.count === this.dofs.length && posture.length === this.#state.q.length;
    if (!fits || (ramps instanceof JointRamps && !areValidRamps(ramps, ramps.count))) return false;
    if (!(ramps.duration >= 0 && ramps.duration < Number.POSITIVE_INFINITY)) return false;
    this.#state.q.set(posture);
    this.#pairs.forget();
    for (let k = 0; k < this.#order.length; k++) this.#order[k] = k;
    this.#spans.fill(ramps.duration, this.#pairs.movingCount, Number.POSITIVE_INFINITY);
    return this.#areRestingClear(ramps) && this.#areMovingClear(ramps);
  }

  /** The pairs that do not move against one another, once; places every body. */
  #areRestingClear(ramps: CheckedMotion): boolean {
    const pairs = this.#pairs;
    const state = this.#state;
    this.#moveTo(ramps, 0);
    forwardKinematics(state);
    pairs.bodies.placeAll(state.linkPoses);
    for (let k = pairs.movingCount; k < pairs.count; k++) {
      if (pairs.judge(state, k) === PairVerdict.clear) continue;
      this.#blame(k, 0);
      return false;
    }
    return true;
  }

  #blame(pair: number, time: number): void {
    const { bodyA, bodyB, bodies } = this.#pairs;
    this.contact = { bodies: [bodies.hulls[bodyA[pair]!]!.name, bodies.hulls[bodyB[pair]!]!.name], time };
  }

  #areMovingClear(ramps: CheckedMotion): boolean {
    const spans = this.#spans;
    while (spans.size > 0) {
      if (this.samples >= this.#mostSamples || !spans.hasRoom) return false;
      spans.take();
      this.#sample(ramps, spans.span);
      const verdict = this.#judgePairs(spans.open);
      if (verdict === PairVerdict.open) spans.pushHalves(this.#opened);
      else if (verdict !== PairVerdict.clear) {
        this.#blame(this.#order[this.#opened - 1]!, 0.5 * (spans.span[0]! + spans.span[1]!));
        return false;
      }
    }
    return true;
  }

  /** Places the robot in the middle of interval `top`, and bounds how far it strays from there. */
  #sample(ramps: CheckedMotion, span: Float64Array): void {
    const { bodies, motion } = this.#pairs;
    const moving = this.#movingBodies;
    this.samples++;
    this.#moveTo(ramps, 0.5 * (span[0]! + span[1]!));
    forwardKinematicsOf(this.#state, this.#movingLinks);
    for (let i = 0; i < moving.length; i++)
      bodies.place(moving[i]!, this.#state.linkPoses, 12 * bodies.link[moving[i]!]!);
    ramps.extremesBetween(span[0]!, span[1]!, this.#low, this.#high);
    for (let i = 0; i < this.#q.length; i++) {
      const below = this.#q[i]! - this.#low[i]!;
      const above = this.#high[i]! - this.#q[i]!;
      this.#high[i] = below > above ? below : above;
    }
    motion.update(this.#state, this.#high);
    this.#drift?.place(0.5 * (span[0]! + span[1]!), 0.5 * (span[1]! - span[0]!));
  }

  #moveTo(ramps: CheckedMotion, time: number): void {
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
      if (verdict > worst) worst = verdict;
      if (verdict > PairVerdict.open) break;
    }
    this.#opened = opened;
    return worst;
  }
  #opened = 0;
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
