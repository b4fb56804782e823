import { linksThatMove } from "../../collision/body-motion.js";
import { jointHalfWidth } from "../../collision/pairs/swept-bodies.js";
import { DEFAULT_WIDEST_PIECE } from "../../collision/pairs/swept-pairs.js";
import type { JointRamps } from "../../motion/joint-ramps.js";
import type { Robot, RobotModel } from "../../robot/robot.js";
import { BrakingIntervals, type BrakingOptions } from "../braking/braking-intervals.js";
import { RampBounds } from "./ramp-bounds.js";

/** Turns wider than this to either side the monitor may cut into pieces, and nothing is known of its enclosures [rad]. */
export const WIDEST_TURN = DEFAULT_WIDEST_PIECE;
/** Covers the rounding of boxes [rad or m]. */
const ROUNDING = 1e-12;

/**
 * One box of joint positions that holds all boxes of the monitor during a span of a motion, and how wide those are.
 *
 * The monitor's box at a tick at t joins braking intervals of the command at t, of the same with the mean velocity since
 * the last command, and of the measured state; and it holds the last command. Its positions, velocities and
 * accelerations all are those of commands between t − lag and t, if ticks are no farther apart than `lag`, and if the
 * state is measured where a command was no longer ago than that. A measured one may stray by the half of the errors which
 * the monitor does not count for it (`MEASURED_SHARE`): its interval is then within that of the command. The ends of braking
 * intervals rise with position, velocity and acceleration. So the interval from the greatest of each over the span, begun
 * `lag` earlier, has an upper end that none of the monitor's passes, and likewise below.
 *
 * One of the monitor's boxes has no more than the way that a dof goes in `lag`, and the brake's way to either side.
 */
export class SpanBox {
  /** The span's box, of all dofs [rad or m]. [dofCount] */
  readonly low: Float64Array;
  readonly high: Float64Array;
  /** Half widths that the monitor's boxes do not exceed, of all dofs. [dofCount] */
  readonly halfWidth: Float64Array;
  /** Half widths of the span's box and of the monitor's, of the dofs that move. [dofs.length] */
  readonly deviation: Float64Array;
  readonly monitorHalfWidth: Float64Array;
  /** Where all stands as the motion begins. [dofCount] */
  readonly start: Float64Array;

  readonly #dofs: Int32Array;
  readonly #braking: BrakingIntervals;
  readonly #lag: number;
  readonly #bounds: RampBounds;
  readonly #model: RobotModel;
  /** Joints that the dofs move. */
  readonly #joints: Int32Array;
  /** Input of the braking intervals, and the end that is not wanted. [dofCount] */
  readonly #q: Float64Array;
  readonly #qd: Float64Array;
  readonly #qdd: Float64Array;
  readonly #unused: Float64Array;

  /** For motions of `dofs` under a monitor that brakes as `options` say; `lag` [s]. */
  constructor(robot: Robot, dofs: Int32Array, options: BrakingOptions | undefined, lag: number) {
    const { dofCount, maxAcceleration } = robot.model;
    this.#dofs = dofs;
    this.#lag = lag;
    this.#braking = new BrakingIntervals(robot, options);
    const { deceleration } = this.#braking;
    const before = Float64Array.from(dofs, (dof) => Math.max(maxAcceleration[dof]!, 0));
    this.#bounds = new RampBounds(before.map((limit, i) => (limit < Infinity ? limit : deceleration[dofs[i]!]!)));
    this.#model = robot.model;
    this.#joints = linksThatMove(robot, dofs);
    this.low = new Float64Array(dofCount);
    this.high = new Float64Array(dofCount);
    this.halfWidth = new Float64Array(dofCount);
    this.start = new Float64Array(dofCount);
    this.#q = new Float64Array(dofCount);
    this.#qd = new Float64Array(dofCount);
    this.#qdd = new Float64Array(dofCount);
    this.#unused = new Float64Array(dofCount);
    this.deviation = new Float64Array(dofs.length);
    this.monitorHalfWidth = new Float64Array(dofs.length);
    this.#measureStanding();
  }

  /** Takes up a motion: its ramps, and where the dofs stand that it does not move. */
  begin(ramps: JointRamps, posture: Float64Array): void {
    const { deviation, start } = this;
    start.set(posture);
    ramps.positions(0, deviation);
    for (let i = 0; i < this.#dofs.length; i++) start[this.#dofs[i]!] = deviation[i]!;
    this.#q.set(start);
    this.#qd.fill(0);
    this.#qdd.fill(0);
  }

  /** The box of a span from span[0] to span[1] [s]; its middle goes to `outMiddle` [dofCount], for the dofs that move. */
  takeSpan(ramps: JointRamps, span: Float64Array, outMiddle: Float64Array): void {
    const bounds = this.#bounds;
    bounds.compute(ramps, span, this.#lag);
    this.#fill(bounds.highPosition, bounds.highSpeed, bounds.highAcceleration);
    this.#braking.compute(this.#q, this.#qd, this.#qdd, this.#unused, this.high);
    this.#fill(bounds.lowPosition, bounds.lowSpeed, bounds.lowAcceleration);
    this.#braking.compute(this.#q, this.#qd, this.#qdd, this.low, this.#unused);
    for (let i = 0; i < this.#dofs.length; i++) this.#takeWidths(i, outMiddle);
  }

  /** The monitor's box for the command at `time` [s], without measured states; half widths stay as they are. */
  takeInstant(ramps: JointRamps, time: number): void {
    const { lowPosition, lowSpeed, lowAcceleration } = this.#bounds;
    ramps.evaluate(time, lowPosition, lowSpeed, lowAcceleration);
    this.#fill(lowPosition, lowSpeed, lowAcceleration);
    this.#braking.compute(this.#q, this.#qd, this.#qdd, this.low, this.high);
  }

  /** Whether the monitor cuts no turn into pieces, so that its enclosures are known. */
  areTurnsNarrow(): boolean {
    for (let k = 0; k < this.#joints.length; k++) {
      if (!(jointHalfWidth(this.#model, this.halfWidth, this.#joints[k]!) <= WIDEST_TURN)) return false;
    }
    return true;
  }

  #takeWidths(i: number, outMiddle: Float64Array): void {
    const { low, high, deviation, monitorHalfWidth } = this;
    const { lowPosition, highPosition, lowSpeed, highSpeed } = this.#bounds;
    const dof = this.#dofs[i]!;
    const brake = high[dof]! - highPosition[i]! + (lowPosition[i]! - low[dof]!);
    low[dof] = low[dof]! - ROUNDING;
    high[dof] = high[dof]! + ROUNDING;
    outMiddle[dof] = 0.5 * (low[dof]! + high[dof]!);
    deviation[i] = 0.5 * (high[dof]! - low[dof]!) + ROUNDING;
    const fast = highSpeed[i]! > -lowSpeed[i]! ? highSpeed[i]! : -lowSpeed[i]!;
    const own = 0.5 * (brake + this.#lag * fast) + 2 * ROUNDING;
    monitorHalfWidth[i] = own < deviation[i]! ? own : deviation[i]!;
    this.halfWidth[dof] = monitorHalfWidth[i]!;
  }

  #fill(position: Float64Array, speed: Float64Array, acceleration: Float64Array): void {
    for (let i = 0; i < this.#dofs.length; i++) {
      const dof = this.#dofs[i]!;
      this.#q[dof] = position[i]!;
      this.#qd[dof] = speed[i]!;
      this.#qdd[dof] = acceleration[i]!;
    }
  }

  /** Half widths of dofs that stand: they do not depend on where. */
  #measureStanding(): void {
    this.#braking.compute(this.#q, this.#qd, this.#qdd, this.low, this.high);
    for (let i = 0; i < this.#q.length; i++) this.halfWidth[i] = 0.5 * (this.high[i]! - this.low[i]!) + ROUNDING;
  }
}
