import { areValidRamps } from "../../collision/motion-check.js";
import { type Obstacle, robotAmong } from "../../collision/obstacles.js";
import type { JointRamps } from "../../motion/joint-ramps.js";
import type { RobotModel } from "../../robot/model.js";
import type { Robot } from "../../robot/robot.js";
import type { BrakingOptions } from "../braking/braking-intervals.js";
import { PLAUSIBLE_SPEED } from "../monitor/monitor-input.js";
import { completeNumbers } from "../monitor/monitor-options.js";
import { OpenPairs } from "./open-pairs.js";
import { SpanBox } from "./span-box.js";
import { SpanStack } from "./span-stack.js";

/** What the monitor would do during a motion. `never` alone is a proof. */
export const BrakeForecast = {
  /** It lets every command pass, whenever its ticks are; so the robot does not touch itself either. */
  never: 0,
  /** At `brakeTime` its criterion fails; before `freeUntil` it does not. */
  brakes: 1,
  /** Too near to tell, out of samples, or beyond the limits of joints and speeds: it lets pass until `freeUntil`. */
  unresolved: 2,
  /** Ramps or posture do not fit the dofs, are not finite, or are no continuous motion. */
  invalid: 3,
} as const;
export type BrakeForecast = (typeof BrakeForecast)[keyof typeof BrakeForecast];

/** The monitor's settings that matter here, and what is granted to the robot. */
interface MonitorForecastOptions {
  /** The distance that the monitor keeps [m]; its default, 0.002. */
  readonly margin?: number;
  readonly braking?: BrakingOptions;
  readonly obstacles?: readonly Obstacle[];
  /**
   * How far the measured robot may trail behind its commands, and ticks may be apart [s]; 2 ms by default. Beyond that it may
   * stray by half of the monitor's errors. More lag makes larger boxes and more doubt.
   */
  readonly lag?: number;
  /** Spans of time after which to give up; 1024 by default. */
  readonly maxSamples?: number;
}

const defaults = completeNumbers({});
/** The monitor's default margin [m]. */
export const DEFAULT_MARGIN: number = defaults.margin;
const DEFAULT_LAG = 0.002;
const DEFAULT_MAX_SAMPLES = 1024;
/** Spans up to this are worth a look at the swept hulls [s]; in longer ones they are too large to be of use. Tried out. */
const SWEPT_SPAN = 0.07;
/** Spans are not halved further than to this [s]: two ticks. */
const SHORTEST_SPAN = 2e-3;
/** Half of what the monitor tolerates beyond joint limits: the other half is for the measured robot to stray. */
const LIMIT_TOLERANCE = 0.5 * defaults.limitTolerance;
const NONE = -1;

/**
 * Whether the self-collision monitor would brake a motion: its own criterion along the ramps of some dofs, all others
 * standing, at every time and not only at ticks.
 *
 * At a tick the monitor has a box of joint positions, from which the robot cannot escape until standstill if it brakes, and
 * brakes if a pair could be nearer than the margin within the box. Over a span of time all its boxes lie in one larger box
 * (`SpanBox`), which is looked at instead, in a way that no bound of the monitor for a box within is below what is found
 * (`OpenPairs`). Spans in which a pair stays open are halved, down to two ticks. The same input gives the same result to
 * the last bit.
 *
 * @example
 * const monitor = new MonitorForecast(robot, arm.dofs);
 * if (monitor.forecast(ramps, posture) === BrakeForecast.brakes) robot.hulls[monitor.bodyA]!.name;
 */
export class MonitorForecast {
  /** Dofs that move, in the order of the ramps. */
  readonly dofs: Int32Array;
  /** The pair that makes the monitor brake, indices of `robot.hulls` and from its length on obstacles; −1 if none does. */
  bodyA = NONE;
  bodyB = NONE;
  /** Spans of time that the last forecast looked at, and how many of them by swept hulls. */
  samples = 0;
  sweptSamples = 0;

  readonly #dofCount: number;
  readonly #maxSamples: number;
  readonly #limits: RampLimits;
  readonly #box: SpanBox;
  readonly #pairs: OpenPairs;
  readonly #spans = new SpanStack();
  /** freeUntil, brakeTime. */
  readonly #times = new Float64Array(2);
  #seeksFirst = true;

  /** For motions of the given dofs, all others standing. */
  constructor(robot: Robot, dofs: ArrayLike<number>, options: MonitorForecastOptions = {}) {
    const { margin = DEFAULT_MARGIN, lag = DEFAULT_LAG, maxSamples = DEFAULT_MAX_SAMPLES } = options;
    const whole = robotAmong(robot, options.obstacles ?? []);
    this.dofs = Int32Array.from(dofs);
    this.#dofCount = whole.model.dofCount;
    this.#maxSamples = maxSamples;
    this.#limits = new RampLimits(whole.model, this.dofs, LIMIT_TOLERANCE);
    this.#box = new SpanBox(whole, this.dofs, options.braking, lag);
    this.#pairs = new OpenPairs(whole, this.dofs, this.#box, margin);
  }

  /** Certain not to brake up to this time [s]; the motion's end if it never does. */
  get freeUntil(): number {
    return this.#times[FREE_UNTIL]!;
  }

  /** When the criterion was seen to fail [s]; NaN if it was not. */
  get brakeTime(): number {
    return this.#times[BRAKE]!;
  }

  /**
   * Whether the monitor is certain to let a motion pass; as `forecast`, but it does not look for the first brake.
   * `brakeTime`, `freeUntil` and the bodies are those of the first doubt found.
   */
  isClear(ramps: JointRamps, posture: Float64Array): boolean {
    this.#seeksFirst = false;
    return this.#look(ramps, posture) === BrakeForecast.never;
  }

  /** Forecasts a motion; `posture` has a position for every dof of the robot, of which those not moving count. */
  forecast(ramps: JointRamps, posture: Float64Array): BrakeForecast {
    this.#seeksFirst = true;
    return this.#look(ramps, posture);
  }

  #look(ramps: JointRamps, posture: Float64Array): BrakeForecast {
    this.#times[FREE_UNTIL] = 0;
    this.#times[BRAKE] = Number.NaN;
    this.#blame(NONE);
    this.samples = 0;
    this.sweptSamples = 0;
    const fits = ramps.count === this.dofs.length && posture.length === this.#dofCount;
    if (!fits || !isFinitePosture(posture) || !areValidRamps(ramps, ramps.count)) return BrakeForecast.invalid;
    if (!this.#limits.contain(ramps)) return BrakeForecast.unresolved;
    this.#box.begin(ramps, posture);
    const tooNear = this.#pairs.begin(this.#box.start);
    if (tooNear !== NONE) {
      this.#times[BRAKE] = 0;
      this.#blame(tooNear);
      return BrakeForecast.brakes;
    }
    this.#spans.fill(ramps.duration, this.#pairs.count);
    return this.#subdivide(ramps);
  }

  #subdivide(ramps: JointRamps): BrakeForecast {
    const pairs = this.#pairs;
    const spans = this.#spans;
    const { span } = spans;
    let outcome: BrakeForecast = BrakeForecast.never;
    while (spans.size > 0) {
      spans.take();
      this.#lookAtSpan(ramps);
      if (pairs.count === 0) {
        this.#times[FREE_UNTIL] = span[1]!;
        continue;
      }
      const isShortest = span[1]! - span[0]! <= SHORTEST_SPAN;
      if (span[1]! - span[0]! <= SWEPT_SPAN && this.#failsAt(ramps, 0.5 * (span[0]! + span[1]!))) {
        outcome = BrakeForecast.brakes;
        if (isShortest || !this.#seeksFirst) return outcome;
        spans.keepFirstHalf(pairs.count);
      } else if (isShortest || this.samples >= this.#maxSamples || !spans.hasRoom) {
        return this.#giveUp(outcome);
      } else spans.pushHalves(pairs.count);
    }
    return outcome;
  }

  /** Finds the pairs that stay open in the span taken last. */
  #lookAtSpan(ramps: JointRamps): void {
    const { span, open } = this.#spans;
    this.samples++;
    this.#box.takeSpan(ramps, span, this.#pairs.middle);
    this.#pairs.lookAtMiddle(open);
    if (this.#pairs.count === 0 || !(span[1]! - span[0]! <= SWEPT_SPAN)) return;
    this.sweptSamples++;
    this.#pairs.lookAtSweeps();
  }

  /** Whether the monitor's criterion fails for an open pair at one time [s]. */
  #failsAt(ramps: JointRamps, time: number): boolean {
    this.#box.takeInstant(ramps, time);
    const tooNear = this.#pairs.findTooNear();
    if (tooNear === NONE) return false;
    this.#times[BRAKE] = time;
    this.#blame(tooNear);
    return true;
  }

  /** With a span in which a pair stays open: an earlier brake than the one seen, if one was, cannot be excluded. */
  #giveUp(outcome: BrakeForecast): BrakeForecast {
    if (outcome === BrakeForecast.brakes) return outcome;
    this.#blame(this.#pairs.first);
    return BrakeForecast.unresolved;
  }

  #blame(pair: number): void {
    this.bodyA = pair === NONE ? NONE : this.#pairs.bodyA(pair);
    this.bodyB = pair === NONE ? NONE : this.#pairs.bodyB(pair);
  }
}

const FREE_UNTIL = 0;
const BRAKE = 1;

function isFinitePosture(posture: Float64Array): boolean {
  for (let i = 0; i < posture.length; i++) if (!Number.isFinite(posture[i])) return false;
  return true;
}

/** Whether ramps stay where the monitor has no other reason to brake: within the joints' limits, at attainable speeds. */
class RampLimits {
  readonly #lower: Float64Array;
  readonly #upper: Float64Array;
  readonly #fastest: Float64Array;
  readonly #least: Float64Array;
  readonly #greatest: Float64Array;

  /** `tolerance`: how far beyond its limits a joint may be commanded [rad or m]. */
  constructor({ lower, upper, maxVelocity }: RobotModel, dofs: Int32Array, tolerance: number) {
    this.#lower = Float64Array.from(dofs, (dof) => lower[dof]! - tolerance);
    this.#upper = Float64Array.from(dofs, (dof) => upper[dof]! + tolerance);
    this.#fastest = Float64Array.from(dofs, (dof) => PLAUSIBLE_SPEED * maxVelocity[dof]!);
    this.#least = new Float64Array(dofs.length);
    this.#greatest = new Float64Array(dofs.length);
  }

  contain(ramps: JointRamps): boolean {
    ramps.extremes(this.#least, this.#greatest);
    for (let i = 0; i < ramps.count; i++) {
      if (!(this.#least[i]! >= this.#lower[i]! && this.#greatest[i]! <= this.#upper[i]!)) return false;
    }
    ramps.peakSpeeds(this.#greatest);
    for (let i = 0; i < ramps.count; i++) if (!(this.#greatest[i]! <= this.#fastest[i]!)) return false;
    return true;
  }
}
