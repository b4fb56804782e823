import type { Robot } from "../../robot/robot.js";

export interface BrakingOptions {
  /**
   * Longest time between the state and the beginning of the brake [s]: the tick that decides, and the missed cycles after
   * which the robot's side brakes by itself. The default is 4 ms, one tick and three missed cycles.
   */
  readonly reactionTime?: number;
  /**
   * How far a dof may be from where it was commanded to be [rad or m], and how much faster or slower [rad/s or m/s]. Half of
   * either is the sensors' share (`MEASURED_SHARE`).
   */
  readonly positionError?: number;
  readonly velocityError?: number;
  /**
   * Share of the greatest deceleration that can be counted on; 1 by default. Less where friction, load or a weak supply
   * could make a brake longer.
   */
  readonly trustedDeceleration?: number;
  /**
   * What stands at the joint limits. `open`, the default: nothing, a joint that brakes may overrun them. `stops`:
   * mechanical stops, which no joint passes by more than `stopTolerance` [rad or m], however fast it comes.
   */
  readonly limits?: "open" | "stops";
  readonly stopTolerance?: number;
}

/** One tick and three missed cycles at 1 kHz [s]. */
const DEFAULT_REACTION_TIME = 0.004;
/** Ten times the encoders' noise of the default robot, and what numerical differentiation of it leaves. */
const DEFAULT_POSITION_ERROR = 1e-3;
const DEFAULT_VELOCITY_ERROR = 1e-2;
/**
 * Share of the errors that a measured state has; the other half is how far it may be seen to stray from the commands. A
 * robot that is measured no farther than that from its commands is within the whole error of them.
 */
export const MEASURED_SHARE = 0.5;
const DEFAULT_STOP_TOLERANCE = 0.01;
/** A dof of which only the speed limit is known shall need this long to stop from it [s]: five times what arms need. */
const UNKNOWN_STOPPING_TIME = 0.5;
/** Deceleration of a dof of which nothing is known [rad/s² or m/s²]. */
const UNKNOWN_DECELERATION = 1;

/**
 * Where every dof can be between now and standstill, if it goes on as commanded for no longer than the reaction time and
 * brakes then.
 *
 * The brake may begin at any moment of the reaction time. Until then the acceleration is somewhere between none and the
 * commanded one, and the speed, upwards or downwards, does not pass the dof's limit (or its present speed that way, if that
 * is greater). From then on the speed falls at no less than the greatest deceleration.
 *
 * Upwards the dof gets farthest if it accelerates all the time by max(0, q̈), so far as the speed limit lets it, and brakes
 * as late and as weakly as allowed: of two motions of which one is never slower than the other, the faster one is never
 * behind. Downwards likewise. So the interval is exact but for its rounding, which `ROUNDING` covers, and no end of it falls
 * when position, velocity or acceleration rise.
 *
 * @example
 * const braking = new BrakingIntervals(robot, { reactionTime: 0.004 });
 * braking.compute(q, qd, qdd, low, high); // low[dof] … high[dof]
 */
export class BrakingIntervals {
  readonly count: number;
  readonly reactionTime: number;
  /** Deceleration counted on [rad/s² or m/s²]: the robot's, or else its acceleration limit, or else a slow guess. [count] */
  readonly deceleration: Float64Array;
  /** Greatest speed that a dof is driven to [rad/s or m/s]; Infinity where there is no limit. [count] */
  readonly speedLimit: Float64Array;
  readonly positionError: number;
  readonly velocityError: number;
  /** Farthest places of each dof: its stops, or ±Infinity. [count] */
  readonly #lowest: Float64Array;
  readonly #highest: Float64Array;

  /** For states that are commanded, with the errors as given, or for measured ones, with the sensors' share of them. */
  constructor(robot: Robot, options: BrakingOptions = {}, source: "commanded" | "measured" = "commanded") {
    const { model } = robot;
    const share = source === "measured" ? MEASURED_SHARE : 1;
    this.count = model.dofCount;
    this.reactionTime = options.reactionTime ?? DEFAULT_REACTION_TIME;
    this.positionError = share * (options.positionError ?? DEFAULT_POSITION_ERROR);
    this.velocityError = share * (options.velocityError ?? DEFAULT_VELOCITY_ERROR);
    const trusted = options.trustedDeceleration ?? 1;
    this.deceleration = decelerationsOf(robot).map((greatest) => trusted * greatest);
    this.speedLimit = model.maxVelocity.slice();
    const tolerance = options.limits === "stops" ? (options.stopTolerance ?? DEFAULT_STOP_TOLERANCE) : Infinity;
    this.#lowest = model.lower.map((limit) => limit - tolerance);
    this.#highest = model.upper.map((limit) => limit + tolerance);
  }

  /**
   * The intervals of all dofs that are at `q`, move at `qd` and are commanded to accelerate by `qdd`. A number that is not
   * finite gives an interval that is not.
   */
  compute(q: Float64Array, qd: Float64Array, qdd: Float64Array, outLow: Float64Array, outHigh: Float64Array): void {
    this.#findEnds(q, qd, qdd, 1, this.#highest, outHigh);
    this.#findEnds(q, qd, qdd, -1, this.#lowest, outLow);
  }

  /** The upper ends for a `sign` of 1, the lower ones for −1: there positions and motions count the other way round. */
  #findEnds(
    q: Float64Array,
    qd: Float64Array,
    qdd: Float64Array,
    sign: number,
    stops: Float64Array,
    out: Float64Array,
  ): void {
    const { count, reactionTime, deceleration, speedLimit, positionError, velocityError } = this;
    for (let i = 0; i < count; i++) {
      const position = q[i]!;
      const forwards = sign * qd[i]!;
      const speed = forwards + velocityError;
      const commanded = sign * qdd[i]!;
      const a = commanded > 0 ? commanded : 0;
      const limit = speedLimit[i]!;
      const fastest = velocityError + (forwards > limit ? forwards : limit);
      const rampTime = a > 0 && speed + a * reactionTime > fastest ? (fastest - speed) / a : reactionTime;
      const top = speed + a * rampTime;
      const reaction = rampTime * (speed + 0.5 * a * rampTime) + (reactionTime - rampTime) * top;
      const way = reaction + (top > 0 ? (top * top) / (2 * deceleration[i]!) : 0);
      // What is not a number must reach the end: a comparison alone would swallow it.
      const error = positionError + ROUNDING * (Math.abs(position) + Math.abs(way)) + 0 * (speed + commanded);
      const end = position + sign * ((way > 0 ? way : 0) + error);
      const stop = stops[i]!;
      // A dof that is beyond a stop already has none.
      out[i] = sign * end > sign * stop && sign * position < sign * stop ? stop : end;
    }
  }
}

/** Share of its terms by which rounding can falsify an interval's end: some twenty operations of 2⁻⁵³ each. */
const ROUNDING = 4e-15;

/** What each dof can brake at [rad/s² or m/s²], finite and positive. */
export function decelerationsOf({ model, maxDeceleration }: Robot): Float64Array {
  return Float64Array.from({ length: model.dofCount }, (_, dof) => {
    const known = [maxDeceleration[dof]!, model.maxAcceleration[dof]!, model.maxVelocity[dof]! / UNKNOWN_STOPPING_TIME];
    return known.find((value) => value > 0 && value < Number.POSITIVE_INFINITY) ?? UNKNOWN_DECELERATION;
  });
}
