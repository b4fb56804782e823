import type { JointRamps } from "../motion/joint-ramps.js";
import { forwardKinematics, forwardKinematicsOf } from "../robot/kinematics/kinematics.js";
import type { Robot } from "../robot/robot.js";
import { RobotState } from "../robot/state.js";
import { BrakingIntervals, type BrakingOptions } from "./braking/braking-intervals.js";
import { BrakingPairs } from "./braking-pairs.js";
import { completeNumbers } from "./monitor/monitor-options.js";
import { linksThatMove } from "./moving-links.js";
import { type Obstacle, robotAmong } from "./obstacles.js";
import { SweptPairs } from "./pairs/swept-pairs.js";
import { RampBounds } from "./ramp-bounds.js";
import { areSoundRamps } from "./sound-ramps.js";
import { TOLERANCE } from "./sweep/swept-distance.js";
import { sweepGrowth } from "./sweep-growth.js";

/** What the monitor would do during a motion. `never` alone is a proof. */
export const BrakeForecast = {
  /** It lets every command pass, whenever its ticks are; so the robot does not touch itself either. */
  never: 0,
  /** At `brakeTime` its criterion fails; before `freeUntil` it does not. */
  brakes: 1,
  /** Too near to tell, or out of samples: it lets pass until `freeUntil`. */
  unresolved: 2,
  /** Ramps or posture do not fit the dofs, are not finite, or are no continuous motion. */
  invalid: 3,
} as const;
export type BrakeForecast = (typeof BrakeForecast)[keyof typeof BrakeForecast];

/** The monitor's settings that matter here, and what is granted to the robot. */
export interface WouldBrakeOptions {
  /** The distance that the monitor keeps [m]; its default, 0.002. */
  readonly margin?: number;
  readonly braking?: BrakingOptions;
  readonly obstacles?: readonly Obstacle[];
  /**
   * How far the measured robot may trail behind its commands [s]; 2 ms by default, the age of a measured state. What it
   * trails beyond that, or strays, is for the monitor's error bounds. More lag makes larger boxes and more doubt. Before the
   * motion all joints are taken to have moved at the speeds with which it starts.
   */
  readonly lag?: number;
  /** Spans of time after which to give up; 1024 by default. */
  readonly maxSamples?: number;
}

/** The monitor's default margin [m]. */
export const DEFAULT_MARGIN: number = completeNumbers({}).margin;
const DEFAULT_LAG = 0.002;
const DEFAULT_MAX_SAMPLES = 1024;
/** A motion is first cut into spans no longer than this [s]: in longer ones hardly a pair is clear. */
const LONGEST_SPAN = 0.26;
/** Spans up to this are worth a look at the swept hulls [s]; in longer ones they are too large to be of use. Tried out. */
const SWEPT_SPAN = 0.07;
/** Spans are not halved further than to this [s]: two ticks. */
const SHORTEST_SPAN = 2e-3;
/** Turns wider than this to either side the monitor may cut into pieces, and nothing is known of its enclosures [rad]. */
export const WIDEST_TURN = 0.25;
/** What the monitor's distance may lack of the true one of its enclosures, twice over [m]. */
const ALLOWANCE = 2 * TOLERANCE;
/** Covers the rounding of boxes [rad or m]. */
const ROUNDING = 1e-12;
/** Room for the first spans and deeper than halving can go. */
const MOST_PIECES = 64;
const STACK_SIZE = MOST_PIECES + 64;
const NONE = -1;

/**
 * Whether the self-collision monitor would brake a motion: its own criterion along the ramps of some dofs, all others
 * standing, at every time and not only at ticks.
 *
 * At a tick the monitor has a box of joint positions, from which the robot cannot escape until standstill if it brakes, and
 * brakes if a pair could be nearer than the margin within the box. Over a span of time all its boxes, of commands and of
 * measured states that trail behind by no more than `lag`, lie in one larger box: positions, speeds and accelerations of the
 * ramps have bounds over the span, and the ends of a braking interval do not fall when one of these rises. The larger box is
 * looked at instead, with what the monitor's enclosures may exceed the true sweep by added (`BrakingPairs`,
 * `sweepGrowth`): a monitor's bound for a smaller box within is not below what is so found. Spans in which a pair stays
 * open are halved, down to two ticks.
 *
 * Two looks, the cheap one first: distance in the middle of the box less how far the bodies can move within it, then, for
 * the pairs still open, the swept hulls that the monitor uses. The same input gives the same result to the last bit.
 *
 * @example
 * const monitor = new WouldBrake(robot, arm.dofs);
 * if (monitor.forecast(ramps, posture) === BrakeForecast.brakes) robot.hulls[monitor.bodyA]!.name;
 */
export class WouldBrake {
  /** Dofs that move, in the order of the ramps. */
  readonly dofs: Int32Array;
  /** The pair that makes the monitor brake, indices of `robot.hulls` and from its length on obstacles; −1 if none does. */
  bodyA = NONE;
  bodyB = NONE;
  /** Spans of time that the last forecast looked at, and how many of them by swept hulls. */
  samples = 0;
  sweptSamples = 0;

  readonly #robot: Robot;
  readonly #braking: BrakingIntervals;
  readonly #margin: number;
  readonly #lag: number;
  readonly #maxSamples: number;
  readonly #state: RobotState;
  readonly #pairs: BrakingPairs;
  /** The moving pairs, in the order of #pairs, as the monitor sees them. */
  readonly #swept: SweptPairs;
  readonly #movingBodies: Int32Array;
  readonly #movingLinks: Int32Array;

  readonly #bounds: RampBounds;
  /** Input of the braking intervals: position, speed, acceleration of every dof. [dofCount] */
  readonly #q: Float64Array;
  readonly #qd: Float64Array;
  readonly #qdd: Float64Array;
  /** The box of a span, and scratch. [dofCount] */
  readonly #low: Float64Array;
  readonly #high: Float64Array;
  readonly #unused: Float64Array;
  /** Half widths of the monitor's boxes within the span, of all dofs. [dofCount] */
  readonly #halfWidth: Float64Array;
  /** Of the moving dofs: half width of the span's box, and of the monitor's. [dofs.length] */
  readonly #deviation: Float64Array;
  readonly #monitorHalfWidth: Float64Array;
  readonly #scratch: Float64Array;

  /** Permutation of the moving pairs: those still open in the span at hand come first. */
  readonly #order: Int32Array;
  /** Spans still to do, the earliest on top: begin, end, number of open pairs. */
  readonly #begin = new Float64Array(STACK_SIZE);
  readonly #end = new Float64Array(STACK_SIZE);
  readonly #open = new Int32Array(STACK_SIZE);
  #depth = 0;
  #opened = 0;
  #seeksFirst = true;
  /** freeUntil, brakeTime. */
  readonly #times = new Float64Array(2);
  /** The posture for which the pairs that do not move were found clear. */
  readonly #restingPosture: Float64Array;

  /** For motions of the given dofs, all others standing. */
  constructor(robot: Robot, dofs: ArrayLike<number>, options: WouldBrakeOptions = {}) {
    const whole = robotAmong(robot, options.obstacles ?? []);
    const { dofCount } = whole.model;
    this.#robot = whole;
    this.dofs = Int32Array.from(dofs);
    this.#braking = new BrakingIntervals(whole, options.braking);
    this.#margin = options.margin ?? DEFAULT_MARGIN;
    this.#lag = options.lag ?? DEFAULT_LAG;
    this.#maxSamples = options.maxSamples ?? DEFAULT_MAX_SAMPLES;
    this.#state = new RobotState(whole.model);
    this.#q = new Float64Array(dofCount);
    this.#qd = new Float64Array(dofCount);
    this.#qdd = new Float64Array(dofCount);
    this.#low = new Float64Array(dofCount);
    this.#high = new Float64Array(dofCount);
    this.#unused = new Float64Array(dofCount);
    this.#halfWidth = new Float64Array(dofCount);
    this.#measureStanding();
    this.#pairs = new BrakingPairs(whole, dofs, this.#halfWidth, this.#margin + ALLOWANCE);
    const { bodyA, bodyB, movingCount, motion } = this.#pairs;
    const moving = Array.from({ length: movingCount }, (_, k) => [bodyA[k]!, bodyB[k]!] as const);
    this.#swept = new SweptPairs({ ...whole, pairs: moving });
    this.#movingBodies = Int32Array.from(whole.hulls.keys()).filter((body) => motion.moves(body));
    this.#movingLinks = linksThatMove(whole, this.dofs);
    this.#bounds = new RampBounds(dofs.length);
    this.#deviation = new Float64Array(dofs.length);
    this.#monitorHalfWidth = new Float64Array(dofs.length);
    this.#scratch = new Float64Array(dofs.length);
    this.#order = new Int32Array(movingCount);
    this.#restingPosture = new Float64Array(dofCount).fill(Number.NaN);
  }

  /** Certain not to brake up to this time [s]; the motion's end if it never does. */
  get freeUntil(): number {
    return this.#times[0]!;
  }

  /** When the criterion was seen to fail [s]; NaN if it was not. */
  get brakeTime(): number {
    return this.#times[1]!;
  }

  /**
   * Whether the monitor is certain to let a motion pass; as `forecast`, but it does not look for the first brake.
   * `brakeTime`, `freeUntil` and the bodies are those of the first doubt found.
   */
  letsPass(ramps: JointRamps, posture: Float64Array): boolean {
    this.#seeksFirst = false;
    return this.#look(ramps, posture) === BrakeForecast.never;
  }

  /** Forecasts a motion; `posture` has a position for every dof of the robot, of which those not moving count. */
  forecast(ramps: JointRamps, posture: Float64Array): BrakeForecast {
    this.#seeksFirst = true;
    return this.#look(ramps, posture);
  }

  #look(ramps: JointRamps, posture: Float64Array): BrakeForecast {
    this.#times[0] = 0;
    this.#times[1] = Number.NaN;
    this.bodyA = NONE;
    this.bodyB = NONE;
    this.samples = 0;
    this.sweptSamples = 0;
    const fits = ramps.count === this.dofs.length && posture.length === this.#q.length;
    if (!fits || !isFinitePosture(posture) || !areSoundRamps(ramps, ramps.count)) return BrakeForecast.invalid;
    this.#pairs.forget();
    this.#swept.forget();
    const rest = this.#takePosture(ramps, posture);
    if (rest !== BrakeForecast.never) return rest;
    this.#cut(ramps.duration);
    return this.#subdivide(ramps);
  }

  /** Puts the whole motion on the stack. */
  #cut(duration: number): void {
    const wanted = Math.ceil(duration / LONGEST_SPAN);
    const pieces = wanted < 1 ? 1 : wanted < MOST_PIECES ? wanted : MOST_PIECES;
    for (let k = 0; k < this.#order.length; k++) this.#order[k] = k;
    this.#opened = this.#order.length;
    for (let k = 0; k < pieces; k++) {
      this.#push(k, duration * ((pieces - 1 - k) / pieces), duration * ((pieces - k) / pieces));
    }
  }

  /** Half widths of the monitor's boxes of dofs that stand: they do not depend on where. */
  #measureStanding(): void {
    this.#braking.compute(this.#q, this.#qd, this.#qdd, this.#low, this.#high);
    for (let i = 0; i < this.#q.length; i++) this.#halfWidth[i] = 0.5 * (this.#high[i]! - this.#low[i]!) + ROUNDING;
  }

  /** Places every body and judges the pairs that do not move; what was found last holds as long as all stands there. */
  #takePosture(ramps: JointRamps, posture: Float64Array): BrakeForecast {
    const pairs = this.#pairs;
    const state = this.#state;
    this.#q.set(posture);
    this.#qd.fill(0);
    this.#qdd.fill(0);
    ramps.positions(0, this.#scratch);
    for (let i = 0; i < this.dofs.length; i++) this.#q[this.dofs[i]!] = this.#scratch[i]!;
    if (this.#standsAsBefore()) return BrakeForecast.never;
    state.q.set(this.#q);
    forwardKinematics(state);
    pairs.bodies.placeAll(state.linkPoses);
    this.#restingPosture.fill(Number.NaN);
    for (let k = pairs.movingCount; k < pairs.count; k++) {
      if (pairs.isClear(state, k)) continue;
      this.#times[1] = 0;
      this.bodyA = pairs.bodyA[k]!;
      this.bodyB = pairs.bodyB[k]!;
      return BrakeForecast.brakes;
    }
    this.#restingPosture.set(this.#q);
    return BrakeForecast.never;
  }

  #standsAsBefore(): boolean {
    // The moving dofs may have moved: no pair that rests depends on them.
    for (let i = 0; i < this.dofs.length; i++) this.#restingPosture[this.dofs[i]!] = this.#q[this.dofs[i]!]!;
    for (let dof = 0; dof < this.#q.length; dof++) if (this.#restingPosture[dof] !== this.#q[dof]) return false;
    return true;
  }

  #subdivide(ramps: JointRamps): BrakeForecast {
    let outcome: BrakeForecast = BrakeForecast.never;
    while (this.#depth > 0) {
      if (this.samples >= this.#maxSamples || this.#depth + 2 > STACK_SIZE) return BrakeForecast.unresolved;
      const top = --this.#depth;
      const begin = this.#begin[top]!;
      const end = this.#end[top]!;
      const middle = 0.5 * (begin + end);
      this.#lookAt(ramps, begin, end, this.#open[top]!);
      if (this.#opened === 0) {
        this.#times[0] = end;
        continue;
      }
      const isShortest = end - begin <= SHORTEST_SPAN;
      if (end - begin <= SWEPT_SPAN && this.#failsAt(ramps, middle)) {
        outcome = BrakeForecast.brakes;
        if (isShortest || !this.#seeksFirst) return outcome;
        this.#push(0, begin, middle);
      } else if (isShortest) {
        if (outcome === BrakeForecast.never) this.#blame(this.#order[0]!);
        return outcome === BrakeForecast.never ? BrakeForecast.unresolved : outcome;
      } else {
        this.#push(top, middle, end);
        this.#push(top + 1, begin, middle);
      }
    }
    return outcome;
  }

  /** Leaves the first `count` pairs of #order that are not clear throughout a span at its front, #opened of them. */
  #lookAt(ramps: JointRamps, begin: number, end: number, count: number): void {
    this.#takeSpan(ramps, begin, end);
    this.#firstLook(count);
    if (this.#opened > 0 && end - begin <= SWEPT_SPAN) this.#secondLook();
  }

  #push(at: number, begin: number, end: number): void {
    this.#begin[at] = begin;
    this.#end[at] = end;
    this.#open[at] = this.#opened;
    this.#depth = at + 1;
  }

  /** The box of a span, the robot in its middle, and how wide the monitor's boxes within it are. */
  #takeSpan(ramps: JointRamps, begin: number, end: number): void {
    const { dofs } = this;
    const bounds = this.#bounds;
    this.samples++;
    bounds.compute(ramps, begin - this.#lag, end);
    this.#fill(bounds.highPosition, bounds.highSpeed, bounds.highAcceleration);
    this.#braking.compute(this.#q, this.#qd, this.#qdd, this.#unused, this.#high);
    this.#fill(bounds.lowPosition, bounds.lowSpeed, bounds.lowAcceleration);
    this.#braking.compute(this.#q, this.#qd, this.#qdd, this.#low, this.#unused);
    for (let i = 0; i < dofs.length; i++) {
      const dof = dofs[i]!;
      const low = this.#low[dof]! - ROUNDING;
      const high = this.#high[dof]! + ROUNDING;
      this.#low[dof] = low;
      this.#high[dof] = high;
      this.#state.q[dof] = 0.5 * (low + high);
      this.#deviation[i] = 0.5 * (high - low) + ROUNDING;
      const fast = bounds.highSpeed[i]! > -bounds.lowSpeed[i]! ? bounds.highSpeed[i]! : -bounds.lowSpeed[i]!;
      // A monitor's box: what a brake takes to either side, and what the measured state may trail behind.
      const brake = high - bounds.highPosition[i]! + (bounds.lowPosition[i]! - low);
      const own = 0.5 * (brake + this.#lag * fast) + ROUNDING;
      this.#monitorHalfWidth[i] = own < this.#deviation[i]! ? own : this.#deviation[i]!;
      this.#halfWidth[dof] = this.#monitorHalfWidth[i]!;
    }
  }

  #fill(position: Float64Array, speed: Float64Array, acceleration: Float64Array): void {
    for (let i = 0; i < this.dofs.length; i++) {
      const dof = this.dofs[i]!;
      this.#q[dof] = position[i]!;
      this.#qd[dof] = speed[i]!;
      this.#qdd[dof] = acceleration[i]!;
    }
  }

  /** Brings those of the first `count` pairs of #order that are not clear at first sight to its front. */
  #firstLook(count: number): void {
    const pairs = this.#pairs;
    const moving = this.#movingBodies;
    const order = this.#order;
    forwardKinematicsOf(this.#state, this.#movingLinks);
    for (let i = 0; i < moving.length; i++) {
      pairs.bodies.place(moving[i]!, this.#state.linkPoses, 12 * pairs.bodies.link[moving[i]!]!);
    }
    pairs.motion.update(this.#state, this.#deviation);
    pairs.update(this.#monitorHalfWidth);
    const isKnown = this.#areTurnsNarrow();
    let opened = 0;
    for (let i = 0; i < count; i++) {
      const k = order[i]!;
      if (isKnown && pairs.isClear(this.#state, k)) continue;
      order[i] = order[opened]!;
      order[opened++] = k;
    }
    this.#opened = opened;
  }

  #areTurnsNarrow(): boolean {
    for (let i = 0; i < this.#monitorHalfWidth.length; i++) {
      if (!(this.#monitorHalfWidth[i]! <= WIDEST_TURN)) return false;
    }
    return true;
  }

  /** The same for the swept hulls of the pairs that are open. */
  #secondLook(): void {
    const order = this.#order;
    const { model } = this.#robot;
    const { swept, stageA, stageB } = this.#swept;
    this.sweptSamples++;
    this.#swept.place(this.#low, this.#high);
    if (!this.#areTurnsNarrow()) return;
    let opened = 0;
    for (let i = 0; i < this.#opened; i++) {
      const k = order[i]!;
      const growth =
        sweepGrowth(model, swept, this.#halfWidth, this.#pairs.bodyA[k]!, stageA[k]!) +
        sweepGrowth(model, swept, this.#halfWidth, this.#pairs.bodyB[k]!, stageB[k]!);
      const needed = this.#margin + ALLOWANCE + 2 * growth;
      this.#swept.sufficient = needed + ROUNDING;
      this.#swept.refine(k);
      if (this.#swept.lowerBound[k]! >= needed) continue;
      order[i] = order[opened]!;
      order[opened++] = k;
    }
    this.#opened = opened;
  }

  /** Whether the monitor's criterion fails for an open pair at one time. */
  #failsAt(ramps: JointRamps, time: number): boolean {
    const bounds = this.#bounds;
    ramps.evaluate(time, bounds.lowPosition, bounds.lowSpeed, bounds.lowAcceleration);
    this.#fill(bounds.lowPosition, bounds.lowSpeed, bounds.lowAcceleration);
    this.#braking.compute(this.#q, this.#qd, this.#qdd, this.#low, this.#high);
    this.#swept.place(this.#low, this.#high);
    this.#swept.sufficient = this.#margin + ROUNDING;
    for (let i = 0; i < this.#opened; i++) {
      const k = this.#order[i]!;
      this.#swept.refine(k);
      if (this.#swept.lowerBound[k]! > this.#margin) continue;
      this.#times[1] = time;
      this.#blame(k);
      return true;
    }
    return false;
  }

  #blame(k: number): void {
    this.bodyA = this.#pairs.bodyA[k]!;
    this.bodyB = this.#pairs.bodyB[k]!;
  }
}

function isFinitePosture(posture: Float64Array): boolean {
  for (let i = 0; i < posture.length; i++) if (!Number.isFinite(posture[i])) return false;
  return true;
}
