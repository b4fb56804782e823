import type { JointRamps } from "../../motion/joint-ramps.js";

/**
 * Bounds of what joints on ramps do during a span of time: position, speed and acceleration of each, least and greatest.
 * At the very ends of the span both neighbouring phases count. Before t = 0 every joint came to its start by a motion of
 * which only the greatest acceleration A is known: at t < 0 it was at q0 + w0·t ± A·t²/2, and moved at w0 ± A·t.
 */
export class RampBounds {
  /** [rad or m] */
  readonly lowPosition: Float64Array;
  readonly highPosition: Float64Array;
  /** [rad/s or m/s] */
  readonly lowSpeed: Float64Array;
  readonly highSpeed: Float64Array;
  /** [rad/s² or m/s²] */
  readonly lowAcceleration: Float64Array;
  readonly highAcceleration: Float64Array;

  /** Greatest acceleration before the ramps begin [rad/s² or m/s²]. */
  readonly #before: Float64Array;
  /** Of the joint at hand. */
  readonly #phases = new Phases();

  /** `before`: greatest acceleration of each joint before the ramps begin [rad/s² or m/s²]. */
  constructor(before: Float64Array) {
    const count = before.length;
    this.#before = before;
    this.lowPosition = new Float64Array(count);
    this.highPosition = new Float64Array(count);
    this.lowSpeed = new Float64Array(count);
    this.highSpeed = new Float64Array(count);
    this.lowAcceleration = new Float64Array(count);
    this.highAcceleration = new Float64Array(count);
  }

  /** Bounds the ramps during a span of time, from span[0] − lag to span[1] [s]. */
  compute(ramps: JointRamps, span: Float64Array, lag: number): void {
    const from = span[0]! - lag;
    const to = span[1]!;
    ramps.extremesBetween(from, to, this.lowPosition, this.highPosition);
    for (let i = 0; i < ramps.count; i++) {
      this.lowSpeed[i] = Number.POSITIVE_INFINITY;
      this.highSpeed[i] = Number.NEGATIVE_INFINITY;
      this.lowAcceleration[i] = Number.POSITIVE_INFINITY;
      this.highAcceleration[i] = Number.NEGATIVE_INFINITY;
      this.#readPhases(ramps, i);
      this.#includePhases(i, from, to);
      if (from < 0) this.#includePast(i, from, ramps.q0[i]!, ramps.w0[i]!);
    }
  }

  /** Fills #phases: brake, acceleration, constant speed, deceleration and rest of a joint. */
  #readPhases(ramps: JointRamps, i: number): void {
    const { begin, speed, acceleration } = this.#phases;
    const w0 = ramps.w0[i]!;
    const a = ramps.a[i]!;
    const top = a * (ramps.T[i]! - ramps.t2[i]!);
    begin[1] = ramps.tb[i]!;
    begin[2] = ramps.t1[i]!;
    begin[3] = ramps.t2[i]!;
    begin[4] = ramps.T[i]!;
    speed[0] = w0;
    speed[1] = w0 + ramps.ab[i]! * ramps.tb[i]!;
    speed[2] = top;
    speed[3] = top;
    acceleration[0] = ramps.ab[i]!;
    acceleration[1] = a;
    acceleration[3] = -a;
  }

  /** The parts of the phases between `from` and `to`; a phase of no length is none. */
  #includePhases(i: number, from: number, to: number): void {
    const { begin, speed, acceleration } = this.#phases;
    for (let phase = 0; phase < PHASES; phase++) {
      const start = begin[phase]!;
      const end = begin[phase + 1]!;
      if (!(end > start) || start > to || end < from) continue;
      const a = acceleration[phase]!;
      const first = speed[phase]! + a * ((from > start ? from : start) - start);
      const last = speed[phase]! + a * ((to < end ? to : end) - start);
      const slow = first < last ? first : last;
      const fast = first < last ? last : first;
      if (slow < this.lowSpeed[i]!) this.lowSpeed[i] = slow;
      if (fast > this.highSpeed[i]!) this.highSpeed[i] = fast;
      if (a < this.lowAcceleration[i]!) this.lowAcceleration[i] = a;
      if (a > this.highAcceleration[i]!) this.highAcceleration[i] = a;
    }
  }

  /** The time from `from` < 0 to 0. */
  #includePast(i: number, from: number, q0: number, w0: number): void {
    const acceleration = this.#before[i]!;
    const bend = 0.5 * acceleration * from * from;
    const past = q0 + from * w0;
    const slow = w0 + acceleration * from;
    const fast = w0 - acceleration * from;
    const low = (past < q0 ? past : q0) - bend;
    const high = (past > q0 ? past : q0) + bend;
    if (slow < this.lowSpeed[i]!) this.lowSpeed[i] = slow;
    if (fast > this.highSpeed[i]!) this.highSpeed[i] = fast;
    if (-acceleration < this.lowAcceleration[i]!) this.lowAcceleration[i] = -acceleration;
    if (acceleration > this.highAcceleration[i]!) this.highAcceleration[i] = acceleration;
    if (low < this.lowPosition[i]!) this.lowPosition[i] = low;
    if (high > this.highPosition[i]!) this.highPosition[i] = high;
  }
}

const PHASES = 5;

/** Begin [s], speed at the begin and acceleration of each phase of one joint; the rest after the last lasts for ever. */
class Phases {
  readonly begin = new Float64Array(PHASES + 1).fill(Number.POSITIVE_INFINITY, PHASES);
  readonly speed = new Float64Array(PHASES);
  readonly acceleration = new Float64Array(PHASES);
}
