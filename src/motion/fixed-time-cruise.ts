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

  /** Whether there is one. */
  solve(): boolean {
    const release = this.#clip(this.v + (this.a * Math.abs(this.a)) / (2 * this.J));
    const low = Math.min(release, this.w);
    const high = Math.max(release, this.w);
    const slowest = this.#slowest(low, high);
    const lowFits = this.#timeAt(low) <= this.T;
    const highFits = this.#timeAt(high) <= this.T;
    if (lowFits && highFits && this.#timeAt(slowest) <= this.T) {
      return this.#solveBetween(this.#boundary(low, -this.V), this.#boundary(high, this.V));
    }
    if (lowFits && this.#solveBetween(this.#boundary(low, -this.V), this.#boundary(low, slowest))) return true;
    return highFits && this.#solveBetween(this.#boundary(high, slowest), this.#boundary(high, this.V));
  }

  #clip(u: number): number {
    return Math.min(this.V, Math.max(-this.V, u));
  }

  /** The speed between `low` and `high` with the longest changes: where both take equally long for a little more. */
  #slowest(low: number, high: number): number {
    const { A } = this;
    for (let i = 0; i < 40 && low < high; i++) {
      const u = 0.5 * (low + high);
      this.#evaluate(u);
      const towardsHigh = this.first > 0 ? this.x : this.y;
      const towardsLow = this.first > 0 ? this.y : this.x;
      if (this.first === this.second) {
        if (Math.min(towardsHigh, A) < Math.min(towardsLow, A)) low = u;
        else high = u;
      } else break;
    }
    return 0.5 * (low + high);
  }

  /** The last speed from `inside` towards `outside` for which there is time. */
  #boundary(inside: number, outside: number): number {
    if (this.#timeAt(outside) <= this.T) return outside;
    for (let i = 0; i < 60; i++) {
      const u = 0.5 * (inside + outside);
      if (u === inside || u === outside) break;
      if (this.#timeAt(u) <= this.T) inside = u;
      else outside = u;
    }
    return inside;
  }

  #timeAt(u: number): number {
    this.#evaluate(u);
    return this.T - this.cruise;
  }

  #solveBetween(low: number, high: number): boolean {
    this.#evaluate(low);
    const atLow = this.#rest;
    this.#evaluate(high);
    const tolerance = ROUNDING * (Math.abs(this.d) + this.T * this.V);
    if (!(atLow <= tolerance && this.#rest >= -tolerance)) return false;
    if (!(this.#rest > 0)) return this.#accept(high);
    if (!(atLow < 0)) return this.#accept(low);
    let u = 0.5 * (low + high);
    for (let i = 0; i < 100; i++) {
      this.#evaluate(u);
      if (this.#rest === 0) break;
      if (this.#rest < 0) low = u;
      else high = u;
      const newton = u - this.#rest / this.#slope;
      const next = newton > low && newton < high ? newton : 0.5 * (low + high);
      if (Math.abs(next - u) <= Number.EPSILON * Math.abs(u) || next === low || next === high) break;
      u = next;
    }
    return this.#accept(u);
  }

  #accept(u: number): boolean {
    this.#evaluate(u);
    this.cruise = Math.max(0, this.cruise);
    return true;
  }

  #evaluate(u: number): void {
    const { v, a, d, w, A, J, T } = this;
    const s = u >= v + (a * Math.abs(a)) / (2 * J) ? 1 : -1;
    const c = s * v - (a * a) / (2 * J);
    const way = s * ((c * s * a) / J + (a * a * a * s) / (6 * J * J));
    const x = Math.max(halfOf(Math.max(0, s * u - c), A, J), s * a);
    const y = halfOf(Math.abs(u - w), A, J);
    this.u = u;
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
