import { FixedTimeCruise } from "./fixed-time-cruise.js";
import { JerkFamily } from "./jerk-family.js";
import { BRAKE_PHASES, JerkStart } from "./jerk-start.js";
import type { PiecewiseMotion } from "./piecewise-motion.js";
import { ProfileWriter } from "./profile-writer.js";

/** Pieces that a profile has at most: two of a brake and a hold of it, seven, and the wait at the goal. */
export const PROFILE_PIECES = 11;

/** What of its limits a profile with time to spare uses less: acceleration and jerk, or speed. */
export type Stretch = "softer" | "slower";

/** Arrivals that are kept: those from which the times that cannot be had are known. */
const MAX_ARRIVALS = 8;
/** Numbers of one: duration after the brake, direction, halves, time at the speed limit. */
const ARRIVAL = 5;
/** Halvings of the scale of a softer profile, and the relative time that may be left to wait at the goal. */
const MAX_STEPS = 60;
const TIME_TOLERANCE = 1e-13;
/** Time by which a profile to a moving goal may miss its duration [s]. */
const MISSED_TIME = 1e-10;

/**
 * The jerk-limited profile of one joint: from position, velocity and acceleration to a position and velocity without
 * acceleration, in the shortest time or in a given one. Set the fields, then `shortest`, then `reach` for another duration.
 *
 * A profile with time to spare is softer or slower. Softer: with the limits λ²A and λ³J, λ the least with which the time
 * suffices, as if time itself went slower. More is always possible with more jerk, so the shortest time falls as λ rises, and λ
 * is found by secants within a bracket. Slower: at full jerk and acceleration to a lower speed, kept until it has to end.
 */
export class JerkProfile {
  /** Start and goal. */
  p0 = Number.NaN;
  v0 = Number.NaN;
  a0 = Number.NaN;
  p1 = Number.NaN;
  v1 = Number.NaN;
  /** Limits. */
  V = Number.NaN;
  A = Number.NaN;
  J = Number.NaN;
  /** Duration that `reach` is to reach. */
  T = Number.NaN;
  /** Shortest duration, set by `shortest`. */
  minimum = Number.NaN;
  /** Durations of all arrivals at full jerk and acceleration without a cruise below the speed limit, set by `shortest`. */
  readonly arrivalTimes = new Float64Array(MAX_ARRIVALS);
  arrivalCount = 0;
  readonly #arrivals = new Float64Array(MAX_ARRIVALS * ARRIVAL);
  readonly #start = new JerkStart();
  readonly #family = new JerkFamily();
  readonly #cruise = new FixedTimeCruise();
  readonly #writer = new ProfileWriter();
  /** Duration of the profile at hand. */
  #total = Number.NaN;
  /** λ, acceleration and jerk it is made with. */
  #scale = Number.NaN;
  #A = Number.NaN;
  #J = Number.NaN;
  /** Direction of the family at hand. */
  #sign = 1;
  #first = 1;
  #second = -1;
  #x = Number.NaN;
  #y = Number.NaN;
  #hold = Number.NaN;

  /** Whether numbers are finite, limits positive and the goal within them. */
  get isValid(): boolean {
    const sum = this.p0 + this.v0 + this.a0 + this.p1 + this.v1 + this.V + this.A + this.J;
    return Number.isFinite(sum) && this.V > 0 && this.A > 0 && this.J > 0 && Math.abs(this.v1) <= this.V;
  }

  /** The shortest profile. */
  shortest(): void {
    this.#scale = 1;
    this.#takeFastest();
    for (let k = 0; k < this.arrivalCount; k++) this.arrivalTimes[k] = this.#arrivals[k * ARRIVAL]! + this.#start.time;
    this.minimum = this.#total;
  }

  /** The profile that takes `T`, no shorter than `minimum`; false if there is none, for a goal that moves. */
  reach(stretch: Stretch): boolean {
    this.#scale = 1;
    if (this.T === this.minimum) {
      this.#takeFastest();
      return true;
    }
    if ((this.v1 !== 0 || stretch === "slower") && this.#takeSlower()) return true;
    return this.#takeSofter();
  }

  #takeFastest(): void {
    this.#load();
    this.#findArrivals();
    let best = 0;
    for (let k = 1; k < this.arrivalCount; k++) {
      if (this.#arrivals[k * ARRIVAL]! < this.#arrivals[best * ARRIVAL]!) best = k;
    }
    const at = best * ARRIVAL;
    this.#total = this.#arrivals[at]! + this.#start.time;
    this.#first = this.#arrivals[at + 1]!;
    this.#second = -this.#first;
    this.#x = this.#arrivals[at + 2]!;
    this.#y = this.#arrivals[at + 3]!;
    this.#hold = this.#arrivals[at + 4]!;
  }

  /** Start and limits of acceleration and jerk times λ² and λ³; an acceleration that is there is not forbidden. */
  #load(): void {
    const start = this.#start;
    const scale = this.#scale;
    const square = scale * scale;
    this.#A = scale === 1 ? this.A : Math.min(this.A, Math.max(square * this.A, Math.abs(this.a0)));
    this.#J = square * scale * this.J;
    start.v = this.v0;
    start.a = this.a0;
    start.V = this.V;
    start.A = this.#A;
    start.J = this.#J;
    start.brake();
  }

  #findArrivals(): void {
    this.arrivalCount = 0;
    const family = this.#family;
    this.#direct(1);
    if (this.v1 === 0) {
      // One arrives, and one only: in the direction in which the fastest stop falls short.
      if (family.excess > 0) this.#direct(-1);
      family.begin();
      if (family.excess > 0 || !family.next()) family.direct();
      this.#keep(this.#sign);
      return;
    }
    this.#keepAll(1);
    this.#direct(-1);
    this.#keepAll(-1);
    if (this.arrivalCount > 0) return;
    family.direct();
    this.#keep(this.#sign);
  }

  /** Sets up the family of direction `s`. */
  #direct(s: number): void {
    const family = this.#family;
    const start = this.#start;
    this.#sign = s;
    family.v = s * start.v;
    family.a = s * start.a;
    family.d = s * (this.p1 - this.p0 - start.distance);
    family.w = s * this.v1;
    family.V = this.V;
    family.A = this.#A;
    family.J = this.#J;
    family.prepare();
  }

  #keepAll(s: number): void {
    this.#family.begin();
    while (this.arrivalCount < MAX_ARRIVALS && this.#family.next()) this.#keep(s);
  }

  #keep(s: number): void {
    const at = this.arrivalCount++ * ARRIVAL;
    this.#arrivals[at] = this.#family.duration;
    this.#arrivals[at + 1] = s;
    this.#arrivals[at + 2] = this.#family.x;
    this.#arrivals[at + 3] = this.#family.y;
    this.#arrivals[at + 4] = this.#family.cruise;
  }

  #takeSofter(): boolean {
    const least = this.#softest();
    if (least > 0 || this.minimum === 0) {
      this.#scale = least > 0 ? least : 1;
      this.#takeFastest();
      if (this.#total <= this.T) return this.#takeSlower() || this.#takeFastestAgain();
    }
    return this.#seekScale(least);
  }

  /**
   * The least λ from `low` on, by secants within a bracket, the end that stays taken at half its value (Illinois): 1/T over λ is a
   * straight line for a joint that starts at rest and keeps below its speed limit.
   */
  #seekScale(low: number): boolean {
    const T = this.T;
    let high = 1;
    let atLow = low > 0 ? 1 / this.#total - 1 / T : -1 / T;
    let atHigh = 1 / this.minimum - 1 / T;
    let side = 0;
    for (let i = 0; i < MAX_STEPS && high - low > Number.EPSILON * high; i++) {
      const secant = (low * atHigh - high * atLow) / (atHigh - atLow);
      this.#scale = secant > low && secant < high && i % 8 !== 7 ? secant : 0.5 * (low + high);
      this.#takeFastest();
      const value = 1 / this.#total - 1 / T;
      if (value >= 0 && T - this.#total <= TIME_TOLERANCE * T) return this.#arrives();
      if (value >= 0) {
        if (side > 0) atLow /= 2;
        high = this.#scale;
        atHigh = value;
        side = 1;
      } else {
        if (side < 0) atHigh /= 2;
        low = this.#scale;
        atLow = value;
        side = -1;
      }
    }
    this.#scale = high;
    return this.#takeFastestAgain();
  }

  /** The least λ: below it the acceleration of the start would carry the velocity beyond its limit. */
  #softest(): number {
    if (!(Math.abs(this.a0) <= this.A && Math.abs(this.v0) <= this.V && this.#start.count === 0)) return 1;
    if (this.a0 === 0) return 0;
    const towards = this.V - Math.sign(this.a0) * this.v0;
    // A little more, for rounding.
    return Math.min(1, Math.cbrt((this.a0 * this.a0) / (2 * towards * this.J)) * (1 + 1e-12));
  }

  #takeFastestAgain(): boolean {
    this.#takeFastest();
    return this.#arrives();
  }

  /** Whether the profile at hand, and waiting at the goal for the rest of the time, is an answer. */
  #arrives(): boolean {
    return this.v1 === 0 || Math.abs(this.T - this.#total) <= MISSED_TIME;
  }

  #takeSlower(): boolean {
    const cruise = this.#cruise;
    const start = this.#start;
    this.#load();
    cruise.v = start.v;
    cruise.a = start.a;
    cruise.d = this.p1 - this.p0 - start.distance;
    cruise.w = this.v1;
    cruise.V = this.V;
    cruise.A = this.#A;
    cruise.J = this.#J;
    cruise.T = this.T - start.time;
    if (!(cruise.T >= 0 && cruise.solve())) return false;
    this.#first = cruise.first;
    this.#second = cruise.second;
    this.#x = cruise.x;
    this.#y = cruise.y;
    this.#hold = cruise.cruise;
    this.#total = this.T;
    return true;
  }

  /** Writes the profile at hand to a joint of `motion`, whose duration is no shorter. Afterwards the joint keeps the goal's velocity. */
  write(motion: PiecewiseMotion, joint: number): void {
    const writer = this.#writer;
    writer.p0 = this.p0;
    writer.v0 = this.v0;
    writer.a0 = this.a0;
    writer.T = this.#total;
    writer.p1 = this.p1;
    writer.v1 = this.v1;
    this.#setBrake();
    this.#setPhases();
    writer.write(motion, joint);
  }

  #setBrake(): void {
    const { durations, jerks } = this.#writer;
    const start = this.#start;
    for (let k = 0; k < BRAKE_PHASES; k++) {
      durations[k] = k < start.count ? start.durations[k]! : 0;
      jerks[k] = start.jerks[k]!;
    }
  }

  /** The two halves and what is between them; without that the first's end and the second's begin are one phase. */
  #setPhases(): void {
    const { durations, jerks, lastDurations, lastJerks } = this.#writer;
    const A = this.#A;
    const J = this.#J;
    const up = this.#x <= A ? this.#x : A;
    const down = this.#y <= A ? this.#y : A;
    const areApart = this.#hold > 0 || this.#first === this.#second;
    durations[BRAKE_PHASES] = (up - this.#first * this.#start.a) / J;
    jerks[BRAKE_PHASES] = this.#first * J;
    durations[BRAKE_PHASES + 1] = (2 * (this.#x - up)) / J;
    durations[BRAKE_PHASES + 2] = (areApart ? up : up + down) / J;
    jerks[BRAKE_PHASES + 2] = -this.#first * J;
    durations[BRAKE_PHASES + 3] = this.#hold;
    lastDurations[0] = down / J;
    lastJerks[0] = -this.#second * J;
    lastDurations[1] = (2 * (this.#y - down)) / J;
    lastDurations[2] = areApart ? down / J : 0;
    lastJerks[2] = this.#second * J;
  }
}
