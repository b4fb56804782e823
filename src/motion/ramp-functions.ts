import { hypotenuse } from "./ramp.js";

/**
 * What a solver sees of the ramps of N joints: for a fixed start, functions of the target q and the time T, with their
 * first derivatives, finite for every q and every T > 0, feasible or not. Call `begin` once a problem, `evaluate` once a
 * point.
 *
 * | function | smoothness in (q, T) |
 * |---|---|
 * | acceleration a, and |a| | C¹ but for the kink x = 0 (below); triangle and trapezoid meet with equal slopes |
 * | smoothed magnitude m ≥ |a| | C¹ everywhere |
 * | overshoot: farthest position in the direction of w0 | C¹ everywhere, also where the reversal vanishes into the target |
 * | reachable interval [lowest, highest] | C¹ in T, independent of q |
 *
 * The kink: at x = 2D − w0·T = 0 the motion is one constant brake, and a jumps from −|w0|/T (x < 0) to +|w0|/T. |a| has
 * a V there, with slopes ∓2/T² in D. At x = 0 exactly the derivatives are those from x > 0. With w0 = 0 there is none:
 * a = 4D/T².
 *
 * Smoothing: with A± = (±x + √(x² + w0²T²))/T² (or the trapezoid where the top is cut off), |a| = max(A₊, A₋) and
 * m = (A₊ + A₋ + √((A₊ − A₋)² + 4ε²))/2 with ε = η·|w0|/T. Since |a| ≥ |w0|/T always, |a| ≤ m ≤ |a| + ε ≤ (1 + η)·|a|; the
 * error is greatest at the kink and falls as ε²/(A₊ − A₋) away from it.
 */
export class RampFunctions {
  readonly count: number;
  /** Acceleration of least magnitude, and its derivatives by the joint's own target and by T. */
  readonly acceleration: Float64Array;
  readonly accelerationByTarget: Float64Array;
  readonly accelerationByTime: Float64Array;
  /** Smoothed |acceleration|. */
  readonly magnitude: Float64Array;
  readonly magnitudeByTarget: Float64Array;
  readonly magnitudeByTime: Float64Array;
  /**
   * Farthest position in the direction of the start speed: where the joint turns, or the target if it does not. Together
   * with start and target it bounds the whole motion.
   */
  readonly overshoot: Float64Array;
  readonly overshootByTarget: Float64Array;
  readonly overshootByTime: Float64Array;
  /** Least and greatest target at which the joint can be at rest at T. */
  readonly lowest: Float64Array;
  readonly lowestByTime: Float64Array;
  readonly highest: Float64Array;
  readonly highestByTime: Float64Array;
  /** Time below which some joint cannot even stop: a lower bound of T. Set by `begin`. */
  stoppingTime = 0;

  readonly #smoothing: number;
  readonly #wmax: Float64Array;
  readonly #amax: Float64Array;
  /** Time, position and speed at the end of the brake to the speed limit. */
  readonly #tb: Float64Array;
  readonly #qb: Float64Array;
  readonly #wb: Float64Array;
  /** Distance lost against wmax·t by speeding up and braking, for the fastest motion upwards and downwards. */
  readonly #lossUp: Float64Array;
  readonly #lossDown: Float64Array;
  /** Of the joint being evaluated: time after the brake phase, |a| and its derivatives, and the same of the other branch. */
  #time = 0;
  #value = 0;
  #byTarget = 0;
  #byTime = 0;
  #other = 0;
  #otherByTarget = 0;
  #otherByTime = 0;

  /** `smoothing` is η, the greatest relative error of the magnitude: 0 for none. */
  constructor(count: number, smoothing = 0.01) {
    this.count = count;
    this.#smoothing = smoothing;
    this.acceleration = new Float64Array(count);
    this.accelerationByTarget = new Float64Array(count);
    this.accelerationByTime = new Float64Array(count);
    this.magnitude = new Float64Array(count);
    this.magnitudeByTarget = new Float64Array(count);
    this.magnitudeByTime = new Float64Array(count);
    this.overshoot = new Float64Array(count);
    this.overshootByTarget = new Float64Array(count);
    this.overshootByTime = new Float64Array(count);
    this.lowest = new Float64Array(count);
    this.lowestByTime = new Float64Array(count);
    this.highest = new Float64Array(count);
    this.highestByTime = new Float64Array(count);
    this.#wmax = new Float64Array(count);
    this.#amax = new Float64Array(count);
    this.#tb = new Float64Array(count);
    this.#qb = new Float64Array(count);
    this.#wb = new Float64Array(count);
    this.#lossUp = new Float64Array(count);
    this.#lossDown = new Float64Array(count);
  }

  /** Fixes start and limits; copies them. */
  begin(q0: Float64Array, w0: Float64Array, wmax: Float64Array, amax: Float64Array): void {
    this.stoppingTime = 0;
    for (let i = 0; i < this.count; i++) {
      const w = w0[i]!;
      const excess = Math.max(0, Math.abs(w) - wmax[i]!);
      const wb = excess > 0 ? Math.sign(w) * wmax[i]! : w;
      const tb = excess / amax[i]!;
      this.#wmax[i] = wmax[i]!;
      this.#amax[i] = amax[i]!;
      this.#tb[i] = tb;
      this.#wb[i] = wb;
      this.#qb[i] = q0[i]! + 0.5 * (w + wb) * tb;
      this.#lossUp[i] = brakingLoss(wb, wmax[i]!, amax[i]!);
      this.#lossDown[i] = brakingLoss(-wb, wmax[i]!, amax[i]!);
      this.stoppingTime = Math.max(this.stoppingTime, Math.abs(w) / amax[i]!);
    }
  }

  /** Fills all arrays. `x` is the solver's vector of N + 1 numbers: the target of each joint, then the time T. */
  evaluate(x: Float64Array): void {
    const T = x[this.count]!;
    for (let i = 0; i < this.count; i++) {
      // Times within the brake phase count as very short: no ramp is, but all stays finite.
      this.#time = Math.max(T - this.#tb[i]!, SHORTEST_TIME);
      this.#reach(i);
      this.#accelerate(i, x);
    }
  }

  #reach(i: number): void {
    const t = this.#time;
    const wmax = this.#wmax[i]!;
    const amax = this.#amax[i]!;
    const w = this.#wb[i]!;
    const up = 0.5 * (w + amax * t);
    const down = 0.5 * (w - amax * t);
    const isUpCut = up > wmax;
    const isDownCut = -down > wmax;
    const half = 0.5 * w * w;
    this.highest[i] = this.#qb[i]! + (isUpCut ? wmax * t - this.#lossUp[i]! : (up * up - half) / amax);
    this.lowest[i] = this.#qb[i]! - (isDownCut ? wmax * t - this.#lossDown[i]! : (down * down - half) / amax);
    this.highestByTime[i] = isUpCut ? wmax : up;
    this.lowestByTime[i] = isDownCut ? -wmax : down;
  }

  /** Acceleration, overshoot and magnitude of joint i, by the branch of sign s = sign(x) in force. */
  #accelerate(i: number, unknowns: Float64Array): void {
    const w = this.#wb[i]!;
    const t = this.#time;
    const D = unknowns[i]! - this.#qb[i]!;
    const x = 2 * D - w * t;
    const R = hypotenuse(x, w * t);
    if (R === 0) {
      this.#standStill(i, unknowns);
      return;
    }
    const s = x < 0 ? -1 : 1;
    const perTime = 1 / t;
    const perRoot = 1 / R;
    const A = (Math.abs(x) + R) * perTime * perTime;
    const B = (R - Math.abs(x)) * perTime * perTime;
    this.#value = A;
    this.#byTarget = 2 * s * A * perRoot;
    this.#byTime = w * perRoot * (w * perTime - s * A) - 2 * A * perTime;
    this.#other = B;
    this.#otherByTarget = -2 * s * B * perRoot;
    this.#otherByTime = w * perRoot * (w * perTime + s * B) - 2 * B * perTime;
    if (0.5 * (s * w + A * t) > this.#wmax[i]!) this.#cutTop(i, unknowns);
    this.acceleration[i] = s * this.#value;
    this.accelerationByTarget[i] = s * this.#byTarget;
    this.accelerationByTime[i] = s * this.#byTime;
    this.#overshoot(i, unknowns);
    this.#smooth(i);
  }

  /** The trapezoid's branch instead of the triangle's: A = K/(2·left), or its tangent beyond the cap. */
  #cutTop(i: number, unknowns: Float64Array): void {
    const t = this.#time;
    const D = unknowns[i]! - this.#qb[i]!;
    const s = this.#byTarget < 0 ? -1 : 1;
    const wmax = this.#wmax[i]!;
    const w = s * this.#wb[i]!;
    const K = (wmax - w) ** 2 + wmax * wmax;
    const left = wmax * t - s * D;
    const triangleCap = (2 * wmax - w) / t;
    const cap = Math.max(EXTENSION * this.#amax[i]!, triangleCap);
    const exists = 2 * left * cap > K;
    const slope = exists ? K / (2 * left * left) : (2 * cap * cap) / K;
    this.#value = exists ? K / (2 * left) : 2 * cap - slope * left;
    this.#byTarget = s * slope;
    this.#byTime = -wmax * slope;
    if (!exists && cap === triangleCap) this.#byTime -= (2 - (4 * cap * left) / K) * (cap / t);
  }

  /** If the joint accelerates against its speed w, it turns w²/(2|a|) beyond its start. */
  #overshoot(i: number, unknowns: Float64Array): void {
    const w = this.#wb[i]!;
    const a = this.acceleration[i]!;
    if (a * w < 0) {
      const beyond = (-0.5 * w * w) / a;
      const factor = -beyond / a;
      this.overshoot[i] = this.#qb[i]! + beyond;
      this.overshootByTarget[i] = factor * this.accelerationByTarget[i]!;
      this.overshootByTime[i] = factor * this.accelerationByTime[i]!;
      return;
    }
    this.overshoot[i] = unknowns[i]!;
    this.overshootByTarget[i] = 1;
    this.overshootByTime[i] = 0;
  }

  /** m from the branch in force and the other one, which is always a triangle. */
  #smooth(i: number): void {
    const epsilon = (this.#smoothing * Math.abs(this.#wb[i]!)) / this.#time;
    const difference = this.#value - this.#other;
    const root = hypotenuse(difference, 2 * epsilon);
    const perRoot = root > 0 ? 1 / root : 0;
    const share = 0.5 * (1 + difference * perRoot);
    this.magnitude[i] = 0.5 * (this.#value + this.#other + root);
    this.magnitudeByTarget[i] = share * this.#byTarget + (1 - share) * this.#otherByTarget;
    this.magnitudeByTime[i] =
      share * this.#byTime + (1 - share) * this.#otherByTime - (2 * epsilon * epsilon * perRoot) / this.#time;
  }

  #standStill(i: number, unknowns: Float64Array): void {
    this.acceleration[i] = 0;
    this.accelerationByTarget[i] = 4 / (this.#time * this.#time);
    this.accelerationByTime[i] = 0;
    this.magnitude[i] = 0;
    this.magnitudeByTarget[i] = 0;
    this.magnitudeByTime[i] = 0;
    this.overshoot[i] = unknowns[i]!;
    this.overshootByTarget[i] = 1;
    this.overshootByTime[i] = 0;
  }
}

/** Shortest time after the brake phase [s]. */
const SHORTEST_TIME = 1e-6;

/**
 * No ramp needs more than amax where it is feasible, and the trapezoid's acceleration grows without bound towards
 * D = wmax·T. Beyond this many times amax it goes on along its tangent: finite, and still pointing back to the feasible.
 */
const EXTENSION = 2;

function brakingLoss(w: number, wmax: number, amax: number): number {
  return ((wmax - w) ** 2 + wmax * wmax) / (2 * amax);
}
