import { halfOf } from "./jerk-family.js";

/**
 * A profile of a given duration that cruises: it changes to speed u as fast as it can, keeps u, and changes to the goal's speed
 * as fast as it can. Let t(u) be the time of both changes and S(u) their way. Then
 *
 *   h(u) = S(u) + u·(T − t(u)) − d
 *
 * vanishes for the motion that arrives, and h rises with u wherever t(u) ≤ T. From the speed v + a|a|/(2J), where the start's
 * acceleration is just released, to w the time t is concave, and beyond both it rises. So the speeds with t(u) ≤ T are one
 * interval, or two: one about the start's, one about the goal's. Each has one solution or none.
 */
export class FixedTimeCruise {
  v = Number.NaN;
  a = Number.NaN;
  d = Number.NaN;
  w = Number.NaN;
  V = Number.NaN;
  A = Number.NaN;
  J = Number.NaN;
  T = Number.NaN;
  /** The solution: speed, halves with the signs of their changes of speed, time at u. */
  u = Number.NaN;
  x = Number.NaN;
  y = Number.NaN;
  first = 1;
  second = 1;
  cruise = Number.NaN;
  #rest = Number.NaN;
  #slope = Number.NaN;
  #low = Number.NaN;
  #high = Number.NaN;

  /** Whether there is one. */
  solve(): boolean {
    const release = this.v + (this.a * Math.abs(this.a)) / (2 * this.J);
    const start = Math.min(this.V, Math.max(-this.V, release));
    const low = Math.min(start, this.w);
    const high = Math.max(start, this.w);
    this.#low = low;
    this.#high = high;
    this.#seekSlowest();
    const slowest = this.u;
    const isOne = this.cruise >= 0;
    this.u = low;
    const lowFits = this.#fits();
    this.u = high;
    const highFits = this.#fits();
    if (lowFits && highFits && isOne) return this.#solveFrom(low, -this.V, high, this.V);
    if (lowFits && this.#solveFrom(low, -this.V, low, slowest)) return true;
    return highFits && this.#solveFrom(high, slowest, high, this.V);
  }

  /** Whether there is time for the changes to and from `u`. */
  #fits(): boolean {
    this.#evaluate();
    return this.cruise >= 0;
  }

  /** The speed from `#low` to `#high` with the longest changes: where both take equally long for a little more. */
  #seekSlowest(): void {
    const { A } = this;
    for (let i = 0; i < SLOWEST_STEPS && this.#low < this.#high; i++) {
      this.u = 0.5 * (this.#low + this.#high);
      this.#evaluate();
      const towardsHigh = Math.min(this.first > 0 ? this.x : this.y, A);
      const towardsLow = Math.min(this.first > 0 ? this.y : this.x, A);
      if (towardsHigh < towardsLow) this.#low = this.u;
      else this.#high = this.u;
    }
    this.u = 0.5 * (this.#low + this.#high);
    this.#evaluate();
  }

  /** Solves between the last speeds for which there is time: from `low` on towards `lowest`, from `high` on towards `highest`. */
  #solveFrom(low: number, lowest: number, high: number, highest: number): boolean {
    this.#low = low;
    this.#high = lowest;
    this.#seekBoundary();
    const least = this.#low;
    this.#low = high;
    this.#high = highest;
    this.#seekBoundary();
    this.#high = this.#low;
    this.#low = least;
    return this.#solve();
  }

  /** Moves `#low` to the last speed towards `#high` for which there is time. */
  #seekBoundary(): void {
    this.u = this.#high;
    if (this.#fits()) this.#low = this.#high;
    for (let i = 0; i < BOUNDARY_STEPS && this.#low !== this.#high; i++) {
      this.u = 0.5 * (this.#low + this.#high);
      if (this.u === this.#low || this.u === this.#high) break;
      if (this.#fits()) this.#low = this.u;
      else this.#high = this.u;
    }
  }

  /** Newton's method for h from `#low` to `#high`, halving the bracket where a step would leave it. */
  #solve(): boolean {
    this.u = this.#low;
    this.#evaluate();
    const atLow = this.#rest;
    this.u = this.#high;
    this.#evaluate();
    const tolerance = ROUNDING * (Math.abs(this.d) + this.T * this.V);
    if (!(atLow <= tolerance && this.#rest >= -tolerance)) return false;
    if (!(atLow < 0)) this.u = this.#low;
    else if (this.#rest > 0) this.#iterate();
    this.#evaluate();
    this.cruise = Math.max(0, this.cruise);
    return true;
  }

  #iterate(): void {
    this.u = 0.5 * (this.#low + this.#high);
    for (let i = 0; i < NEWTON_STEPS; i++) {
      this.#evaluate();
      if (this.#rest === 0) break;
      if (this.#rest < 0) this.#low = this.u;
      else this.#high = this.u;
      const newton = this.u - this.#rest / this.#slope;
      const isInside = newton > this.#low && newton < this.#high;
      const next = isInside ? newton : 0.5 * (this.#low + this.#high);
      const isLast =
        Math.abs(next - this.u) <= Number.EPSILON * Math.abs(next) || next === this.#low || next === this.#high;
      this.u = next;
      if (isLast) break;
    }
  }

  /** Times and ways of the changes at `u`, h and its slope. */
  #evaluate(): void {
    const { u, v, a, d, w, A, J, T } = this;
    const s = u >= v + (a * Math.abs(a)) / (2 * J) ? 1 : -1;
    const c = s * v - (a * a) / (2 * J);
    const way = s * ((c * s * a) / J + (a * a * a * s) / (6 * J * J));
    const x = Math.max(halfOf(Math.max(0, s * u - c), A, J), s * a);
    const y = halfOf(Math.abs(u - w), A, J);
    this.x = x;
    this.y = y;
    this.first = s;
    this.second = w >= u ? 1 : -1;
    this.cruise = T - (2 * (x + y) - s * a) / J;
    this.#rest = u * (T + (s * a) / J) + (s * (c - s * u) * x) / J - way + ((w - u) * y) / J - d;
    this.#slope = T + (s * a - shareOf(x, A) - shareOf(y, A)) / J;
  }
}

/** Part of h's slope that a half takes away, times J. */
function shareOf(x: number, A: number): number {
  return x <= A ? 1.5 * x : 2 * x - 0.5 * A;
}

/** A motion that has no time to cruise at all is on the bound, up to this part of the greatest way. */
const ROUNDING = 1e-13;
const SLOWEST_STEPS = 40;
const BOUNDARY_STEPS = 60;
const NEWTON_STEPS = 100;
