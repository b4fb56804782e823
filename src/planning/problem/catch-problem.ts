import type { FlightPath } from "../../flight/ball.js";
import * as vec3 from "../../math/vec3.js";
import { minimalTime, reachableSlope } from "../../motion/minimal-time.js";
import { RampFunctions } from "../../motion/ramp-functions.js";
import type { Evaluation, NonlinearProblem } from "../../optimisation/problem-interface.js";
import type { KinematicChain } from "../../robot/kinematics/chain.js";
import type { CatchArm } from "./catch-arm.js";
import type { VerifyChecks } from "./checks.js";
import type { KeepOutSet } from "./keep-out.js";
import { type CatchMode, type Objective, type ObjectiveInput, objectives } from "./objectives.js";
import type { SuccessCurve } from "./success-curve.js";

/** One question to the planner, in the arm's own terms. Arrays are in the order of the arm's dofs and are copied. */
export interface CatchTask extends Pick<ObjectiveInput, "q0" | "w0" | "maxVelocity" | "maxAcceleration" | "success"> {
  readonly mode: CatchMode;
  /**
   * The ball in the frame of the arm's base: the flight turned into it or, where the base moves, the flight as seen from
   * it, so that `velocity` is relative to the base.
   */
  readonly path: FlightPath;
  readonly keepOut: KeepOutSet;
  /** Earliest and latest catch [s]. */
  readonly earliest: number;
  readonly latest: number;
  /** What a plan is checked for before it leaves; the constraints of the search are the same whatever it says. */
  readonly checks: VerifyChecks;
}

export const EQUALITIES = 5;

/**
 * The catch as a nonlinear program (thesis, section 3.5.2). Unknowns x = (q, t): where each joint comes to rest and when
 * the ball is there.
 *
 * Equalities (5): hand position = ball position; the ball's direction has no component along the hand's x and y axes.
 *
 * Inequalities, in this order, n dofs:
 *
 * | rows | meaning |
 * |---|---|
 * | n | q ≥ lowest position reachable at t |
 * | n | q ≤ highest position reachable at t |
 * | n | the overshoot of a joint that reverses stays within its limits |
 * | 1 | the hand faces the ball: its z axis points against the ball's direction |
 * | one per keep-out shape | the hand is outside |
 * | one per body of the arm | the arm is 5 mm clear of the robot's other bodies at the catch |
 *
 * Joint limits and times are bounds. In mode `cool` the joints run their ramps in T = max tmin, before t; so the
 * overshoot there is that of T.
 */
export class CatchProblem implements NonlinearProblem, ObjectiveInput {
  readonly n: number;
  readonly equalityCount = EQUALITIES;
  inequalityCount: number;
  readonly lower: Float64Array;
  readonly upper: Float64Array;

  readonly arm: CatchArm;
  readonly dofs: number;
  readonly q0: Float64Array;
  readonly w0: Float64Array;
  readonly maxVelocity: Float64Array;
  readonly maxAcceleration: Float64Array;
  readonly ramps: RampFunctions;
  success: SuccessCurve | null = null;
  mode: CatchMode = "soft";
  keepOut: KeepOutSet;
  /** Distance that each body of the arm keeps from others at the catch [m]; `begin` sets the usual one. */
  readonly clearanceMargins: Float64Array;

  readonly #chain: KinematicChain;
  readonly #ball = vec3.create();
  readonly #ballVelocity = vec3.create();
  readonly #ballAcceleration = vec3.create();
  readonly #jacobian: Float64Array;
  /** Ramp functions at the time of arrival, where that is not the catch time. */
  readonly #arrivalRamps: RampFunctions;
  #objective: Objective = objectives.soft;
  path: FlightPath;
  readonly #hand = vec3.create();
  readonly #direction = vec3.create();
  readonly #directionByTime = vec3.create();
  readonly #axis = vec3.create();
  readonly #gradient = vec3.create();
  readonly #unusedGradient: Float64Array;
  readonly #value = new Float64Array(1);
  readonly #arrivalPoint: Float64Array;
  readonly #keepOutGradients: Float64Array;

  constructor(arm: CatchArm, task: CatchTask) {
    const { chain } = arm;
    this.arm = arm;
    this.#chain = chain;
    this.dofs = chain.dofCount;
    this.n = this.dofs + 1;
    this.q0 = new Float64Array(this.dofs);
    this.w0 = new Float64Array(this.dofs);
    this.maxVelocity = new Float64Array(this.dofs);
    this.maxAcceleration = new Float64Array(this.dofs);
    this.lower = new Float64Array(this.n);
    this.upper = new Float64Array(this.n);
    this.ramps = new RampFunctions(this.dofs);
    this.#arrivalRamps = new RampFunctions(this.dofs);
    this.#jacobian = new Float64Array(6 * this.dofs);
    this.#unusedGradient = new Float64Array(this.n);
    this.#arrivalPoint = new Float64Array(this.n);
    this.#keepOutGradients = new Float64Array(3 * task.keepOut.count);
    this.clearanceMargins = new Float64Array(arm.clearance?.count ?? 0);
    this.keepOut = task.keepOut;
    this.path = task.path;
    this.inequalityCount = inequalityCount(arm, task.keepOut);
    this.begin(task);
  }

  /** Takes up another task for the same arm; the number of keep-out shapes must be the same. */
  begin(task: CatchTask): void {
    this.mode = task.mode;
    this.#objective = objectives[task.mode];
    this.path = task.path;
    this.keepOut = task.keepOut;
    this.success = task.success;
    this.clearanceMargins.fill(CLEARANCE_MARGIN);
    this.q0.set(task.q0);
    this.w0.set(task.w0);
    this.maxVelocity.set(task.maxVelocity);
    this.maxAcceleration.set(task.maxAcceleration);
    this.ramps.begin(this.q0, this.w0, this.maxVelocity, this.maxAcceleration);
    this.#arrivalRamps.begin(this.q0, this.w0, this.maxVelocity, this.maxAcceleration);
    this.lower.set(this.arm.lower);
    this.upper.set(this.arm.upper);
    this.lower[this.dofs] = Math.max(task.earliest, task.path.begin, this.ramps.stoppingTime, SHORTEST_CATCH);
    this.upper[this.dofs] = Math.min(task.latest, task.path.end);
  }

  /** The objective as the thesis defines it, from the value that is minimised. */
  reportObjective(value: number): number {
    return this.#objective.report(value);
  }

  evaluate(x: Float64Array, out: Evaluation): void {
    this.#update(x);
    this.#objective.evaluate(this, x, out.gradient, this.#value);
    out.objective = this.#value[0]!;
    this.#chain.jacobian(this.#jacobian);
    out.jacobian.fill(0);
    this.#position(out);
    this.#orientation(out);
    this.#reach(x, out);
    this.#overshoot(x, out);
    this.#hands(out);
    this.#clearance(out);
  }

  evaluateValues(x: Float64Array, out: Evaluation): void {
    this.#update(x);
    this.#objective.evaluate(this, x, this.#unusedGradient, this.#value);
    out.objective = this.#value[0]!;
    this.#values(x, out);
  }

  /** The objective at x to `value[0]`, by the ramps alone: for screening many candidates. */
  evaluateObjective(x: Float64Array, value: Float64Array): void {
    this.ramps.evaluate(x);
    this.#objective.evaluate(this, x, this.#unusedGradient, value);
  }

  /** Kinematics, ball and ramps at x. */
  #update(x: Float64Array): void {
    const t = x[this.dofs]!;
    this.#chain.update(x);
    this.path.evaluate(t, this.#ball, this.#ballVelocity, this.#ballAcceleration);
    this.ramps.evaluate(x);
    const tip = this.#chain.baseFromTip;
    vec3.set(tip[9], tip[10], tip[11], this.#hand);
    const speed = vec3.norm(this.#ballVelocity);
    vec3.scale(this.#ballVelocity, 1 / speed, this.#direction);
    // d(v/|v|)/dt = (a − d(d·a))/|v|
    const along = vec3.dot(this.#direction, this.#ballAcceleration);
    vec3.addScaled(this.#ballAcceleration, this.#direction, -along, this.#directionByTime);
    vec3.scale(this.#directionByTime, 1 / speed, this.#directionByTime);
  }

  #values(x: Float64Array, out: Evaluation): void {
    const { dofs, ramps } = this;
    const { equality, inequality } = out;
    for (let k = 0; k < 3; k++) equality[k] = this.#hand[k]! - this.#ball[k]!;
    equality[3] = vec3.dot(this.#handAxis(0), this.#direction);
    equality[4] = vec3.dot(this.#handAxis(1), this.#direction);
    for (let i = 0; i < dofs; i++) {
      inequality[i] = x[i]! - ramps.lowest[i]!;
      inequality[dofs + i] = ramps.highest[i]! - x[i]!;
    }
    this.#overshoot(x, out);
    inequality[3 * dofs] = -vec3.dot(this.#handAxis(2), this.#direction);
    this.keepOut.evaluate(this.#hand, inequality, 3 * dofs + 1, this.#keepOutGradients);
    this.arm.clearance?.evaluate(this.#chain, inequality, this.#clearanceRow);
    this.#keepMargin(inequality);
  }

  /** Column `k` of the hand's rotation: its x, y or z axis in the base. */
  #handAxis(k: 0 | 1 | 2): vec3.Vec3 {
    const tip = this.#chain.baseFromTip;
    return vec3.set(tip[k]!, tip[3 + k]!, tip[6 + k]!, this.#axis);
  }

  #position(out: Evaluation): void {
    const { n, dofs } = this;
    for (let k = 0; k < 3; k++) {
      out.equality[k] = this.#hand[k]! - this.#ball[k]!;
      for (let i = 0; i < dofs; i++) out.equalityJacobian[k * n + i] = this.#jacobian[k * dofs + i]!;
      out.equalityJacobian[k * n + dofs] = -this.#ballVelocity[k]!;
    }
  }

  #orientation(out: Evaluation): void {
    this.#alignment(0, 1, out.equality, 3, out.equalityJacobian);
    this.#alignment(1, 1, out.equality, 4, out.equalityJacobian);
    this.#alignment(2, -1, out.inequality, 3 * this.dofs, out.inequalityJacobian);
  }

  /** Constraint `at`: sign · (hand axis k · ball direction), with ∂(e·d) = (ω × e)·d = ω·(e × d). */
  #alignment(k: 0 | 1 | 2, sign: 1 | -1, values: Float64Array, at: number, jacobian: Float64Array): void {
    const { dofs } = this;
    const row = at * this.n;
    const axis = this.#handAxis(k);
    values[at] = sign * vec3.dot(axis, this.#direction);
    jacobian[row + dofs] = sign * vec3.dot(axis, this.#directionByTime);
    const lever = vec3.cross(axis, this.#direction, this.#gradient);
    for (let i = 0; i < dofs; i++) {
      const turn =
        lever[0] * this.#jacobian[3 * dofs + i]! +
        lever[1] * this.#jacobian[4 * dofs + i]! +
        lever[2] * this.#jacobian[5 * dofs + i]!;
      jacobian[row + i] = sign * turn;
    }
  }

  #reach(x: Float64Array, out: Evaluation): void {
    const { n, dofs, ramps } = this;
    for (let i = 0; i < dofs; i++) {
      const low = i;
      const high = dofs + i;
      out.inequality[low] = x[i]! - ramps.lowest[i]!;
      out.inequalityJacobian[low * n + i] = 1;
      out.inequalityJacobian[low * n + dofs] = -ramps.lowestByTime[i]!;
      out.inequality[high] = ramps.highest[i]! - x[i]!;
      out.inequalityJacobian[high * n + i] = -1;
      out.inequalityJacobian[high * n + dofs] = ramps.highestByTime[i]!;
    }
  }

  /** Room between the farthest position in the direction of w0 and the joint's limit there. */
  #overshoot(x: Float64Array, out: Evaluation): void {
    const { n, dofs } = this;
    const arrivesEarly = this.mode === "cool";
    if (arrivesEarly) this.#updateArrival(x);
    const ramps = arrivesEarly ? this.#arrivalRamps : this.ramps;
    for (let i = 0; i < dofs; i++) {
      const row = 2 * dofs + i;
      const sign = this.w0[i]! < 0 ? -1 : 1;
      const limit = sign > 0 ? this.upper[i]! : this.lower[i]!;
      const room = sign * (limit - ramps.overshoot[i]!);
      out.inequality[row] = Number.isFinite(room) ? room : UNLIMITED_ROOM;
      if (!Number.isFinite(room)) continue;
      const jacobian = out.inequalityJacobian;
      jacobian[row * n + i] = -sign * ramps.overshootByTarget[i]!;
      const byTime = -sign * ramps.overshootByTime[i]!;
      if (arrivesEarly) jacobian[row * n + this.#slowest]! += byTime * this.#arrivalByTarget;
      else jacobian[row * n + dofs] = byTime;
    }
  }

  /** The joint that arrives last, and how its arrival changes with its target. */
  #slowest = 0;
  #arrivalByTarget = 0;

  #updateArrival(x: Float64Array): void {
    let arrival = 0;
    for (let i = 0; i < this.dofs; i++) {
      const time = minimalTime(this.w0[i]!, x[i]! - this.q0[i]!, this.maxVelocity[i]!, this.maxAcceleration[i]!);
      if (time <= arrival) continue;
      arrival = time;
      this.#slowest = i;
    }
    const i = this.#slowest;
    const w = this.w0[i]!;
    const amax = this.maxAcceleration[i]!;
    const s = x[i]! - this.q0[i]! < (w * Math.abs(w)) / (2 * amax) ? -1 : 1;
    const peak = Math.abs(reachableSlope(s, arrival, w, this.maxVelocity[i]!, amax));
    this.#arrivalByTarget = s / Math.max(peak, SLOWEST_PEAK);
    this.#arrivalPoint.set(x);
    this.#arrivalPoint[this.dofs] = arrival;
    this.#arrivalRamps.evaluate(this.#arrivalPoint);
  }

  #hands(out: Evaluation): void {
    const { n, dofs, keepOut } = this;
    const J = this.#jacobian;
    const g = this.#keepOutGradients;
    keepOut.evaluate(this.#hand, out.inequality, 3 * dofs + 1, g);
    for (let k = 0; k < keepOut.count; k++) {
      const row = (3 * dofs + 1 + k) * n;
      for (let i = 0; i < dofs; i++)
        out.inequalityJacobian[row + i] =
          g[3 * k]! * J[i]! + g[3 * k + 1]! * J[dofs + i]! + g[3 * k + 2]! * J[2 * dofs + i]!;
    }
  }

  get #clearanceRow(): number {
    return 3 * this.dofs + 1 + this.keepOut.count;
  }

  #clearance(out: Evaluation): void {
    const row = this.#clearanceRow;
    this.arm.clearance?.evaluateWithJacobian(this.#chain, out.inequality, out.inequalityJacobian, row, this.n);
    this.#keepMargin(out.inequality);
  }

  #keepMargin(inequality: Float64Array): void {
    for (let row = this.#clearanceRow; row < inequality.length; row++) {
      inequality[row]! -= this.clearanceMargins[row - this.#clearanceRow]!;
    }
  }
}

export function inequalityCount(arm: CatchArm, keepOut: KeepOutSet): number {
  return 3 * arm.chain.dofCount + 1 + keepOut.count + (arm.clearance?.count ?? 0);
}

/** No catch is sooner than this [s]: ramps of no length have no acceleration. */
const SHORTEST_CATCH = 1e-3;
/**
 * Distance that the arm keeps from the robot's other bodies at the catch [m]: the 2 mm that the self-collision monitor keeps
 * by default, and what its error bounds add to that where a long arm stands still.
 */
const CLEARANCE_MARGIN = 0.005;
/** Stands for the room of a joint without limits; any positive number, far from active. */
const UNLIMITED_ROOM = 1e3;
/** Least peak speed by which an arrival's slope is divided; see `coolness`. */
const SLOWEST_PEAK = 1e-3;
