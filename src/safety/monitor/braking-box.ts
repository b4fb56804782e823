import type { Robot } from "../../robot/robot.js";
import { BrakingIntervals, type BrakingOptions } from "../braking/braking-intervals.js";

/**
 * Intervals of all dofs that hold several motions at once: each motion's own braking intervals, joined. Every
 * configuration any of them can pass through until standstill lies in it. For finite motions only.
 */
export class BrakingBox {
  /** [dofCount] */
  readonly low: Float64Array;
  readonly high: Float64Array;
  readonly #commanded: BrakingIntervals;
  readonly #measured: BrakingIntervals;
  readonly #low: Float64Array;
  readonly #high: Float64Array;

  constructor(robot: Robot, options: BrakingOptions = {}) {
    this.#commanded = new BrakingIntervals(robot, options);
    this.#measured = new BrakingIntervals(robot, options, "measured");
    const { count } = this.#commanded;
    this.low = new Float64Array(count);
    this.high = new Float64Array(count);
    this.#low = new Float64Array(count);
    this.#high = new Float64Array(count);
  }

  /** Deceleration of each dof that is counted on [rad/s² or m/s²]. [dofCount] */
  get deceleration(): Float64Array {
    return this.#commanded.deceleration;
  }

  /** Begins with one commanded motion. */
  set(q: Float64Array, qd: Float64Array, qdd: Float64Array): void {
    this.#commanded.compute(q, qd, qdd, this.low, this.high);
  }

  /** Adds another commanded motion. */
  join(q: Float64Array, qd: Float64Array, qdd: Float64Array): void {
    this.#commanded.compute(q, qd, qdd, this.#low, this.#high);
    this.#widen();
  }

  /** Adds a motion as measured. */
  joinMeasured(q: Float64Array, qd: Float64Array, qdd: Float64Array): void {
    this.#measured.compute(q, qd, qdd, this.#low, this.#high);
    this.#widen();
  }

  /** Adds a configuration that is passed on the way. */
  include(q: Float64Array): void {
    for (let i = 0; i < this.low.length; i++) {
      if (q[i]! < this.low[i]!) this.low[i] = q[i]!;
      if (q[i]! > this.high[i]!) this.high[i] = q[i]!;
    }
  }
  #widen(): void {
    for (let i = 0; i < this.low.length; i++) {
      if (this.#low[i]! < this.low[i]!) this.low[i] = this.#low[i]!;
      if (this.#high[i]! > this.high[i]!) this.high[i] = this.#high[i]!;
    }
  }
}
