import type { JointRamps } from "../motion/joint-ramps.js";

/**
 * Bounds of what joints on ramps do during a span of time: position, speed and acceleration of each, least and greatest.
 * At the very ends of the span both neighbouring phases count. Before t = 0 every joint is taken to have moved at the speed
 * it starts with.
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

  constructor(count: number) {
    this.lowPosition = new Float64Array(count);
    this.highPosition = new Float64Array(count);
    this.lowSpeed = new Float64Array(count);
    this.highSpeed = new Float64Array(count);
    this.lowAcceleration = new Float64Array(count);
    this.highAcceleration = new Float64Array(count);
  }

  /** Bounds the ramps from `from` to `to` [s]. */
  compute(ramps: JointRamps, from: number, to: number): void {
    ramps.extremesBetween(from, to, this.lowPosition, this.highPosition);
    for (let i = 0; i < ramps.count; i++) {
      const tb = ramps.tb[i]!;
      const t1 = ramps.t1[i]!;
      const t2 = ramps.t2[i]!;
      const T = ramps.T[i]!;
      const w0 = ramps.w0[i]!;
      const ab = ramps.ab[i]!;
      const a = ramps.a[i]!;
      this.lowSpeed[i] = Number.POSITIVE_INFINITY;
      this.highSpeed[i] = Number.NEGATIVE_INFINITY;
      this.lowAcceleration[i] = Number.POSITIVE_INFINITY;
      this.highAcceleration[i] = Number.NEGATIVE_INFINITY;
      if (from < 0) this.#includePast(i, from, ramps.q0[i]!, w0);
      const slow = w0 + ab * tb;
      if (tb > 0) this.#includePhase(i, from, to, 0, tb, w0, ab);
      if (t1 > tb) this.#includePhase(i, from, to, tb, t1, slow, a);
      if (t2 > t1) this.#includePhase(i, from, to, t1, t2, a * (T - t2), 0);
      if (T > t2) this.#includePhase(i, from, to, t2, T, a * (T - t2), -a);
      if (to >= T) this.#includePhase(i, from, to, T, to, 0, 0);
    }
  }

  /** The part between `from` and `to` of a phase from `begin` to `end` that begins at speed `w`. */
  #includePhase(i: number, from: number, to: number, begin: number, end: number, w: number, a: number): void {
    if (begin > to || end < from) return;
    const first = w + a * ((from > begin ? from : begin) - begin);
    const last = w + a * ((to < end ? to : end) - begin);
    const slow = first < last ? first : last;
    const fast = first < last ? last : first;
    if (slow < this.lowSpeed[i]!) this.lowSpeed[i] = slow;
    if (fast > this.highSpeed[i]!) this.highSpeed[i] = fast;
    if (a < this.lowAcceleration[i]!) this.lowAcceleration[i] = a;
    if (a > this.highAcceleration[i]!) this.highAcceleration[i] = a;
  }

  #includePast(i: number, from: number, q0: number, w0: number): void {
    const past = q0 + from * w0;
    this.lowSpeed[i] = w0;
    this.highSpeed[i] = w0;
    this.lowAcceleration[i] = 0;
    this.highAcceleration[i] = 0;
    if (past < this.lowPosition[i]!) this.lowPosition[i] = past;
    if (past > this.highPosition[i]!) this.highPosition[i] = past;
  }
}
